"""Requests that are small to send and large to answer: each is refused, or answered, in time."""

import json
from functools import partial
from itertools import count

import pytest
from graphql import get_introspection_query

pytestmark = pytest.mark.xdist_group("fuzzing")  # They share a server.
LARGEST = 256 * 1024
"""Bytes that a request may have."""
ROUNDS = 2
_numbers = count()


def asking(query: str, **variables: object) -> bytes:
    return json.dumps({"query": query, "variables": variables}).encode()


def filled(before: bytes, piece: bytes, after: bytes) -> bytes:
    """Make the largest body that is taken, of one piece again and again."""
    number = (LARGEST - len(before) - len(after)) // len(piece)
    return before + piece * number + after


OVERLAPS = " ".join(
    f"fragment g{n} on Entity {{ broader {{ id broader {{ id name }} }} }}" for n in range(100)
)
BOMBS = {
    # Queries: more of them are refused in tests/server/graphql/test_limits.py.
    "the whole schema": asking(get_introspection_query()),
    "pages within pages": asking(
        "{ papers(first: 100) { nodes { statements { nodes { entity { papers(first: 100) { nodes { "
        "statements { nodes { evidence { text } } } } } } } } } } }"
    ),
    "the largest lineage": asking(
        '{ lineage(of: "LoRA", first: 2000, maxDepth: 20) { edges { statements { '
        "evidence { text } } } } }"
    ),
    # Texts.
    "a long name": asking("query ($n: String) { entity(name: $n) { id } }", n="a" * 200_000),
    "escapes": asking('{ entity(name: "' + "\\u{1F600}" * 20_000 + '") { id } }'),
    # Variables.
    "many variables": asking("{ __typename }", **{f"v{n}": n for n in range(15_000)}),
    "many ids": asking("query ($i: [ID!]!) { nodes(ids: $i) { id } }", i=["entity/lora"] * 15_000),
    "deep JSON": filled(b'{"query": "{ __typename }", "variables": {"a": ', b"[", b""),
    "a number of many digits": filled(
        b'{"query": "{ __typename }", "variables": {"a": ', b"9", b"}}"
    ),
    # Batches.
    "a batch": filled(b'[{"query": "{ __typename }"}', b',{"query": "{ __typename }"}', b"]"),
    "a batch of nothing": filled(b"[{}", b",{}", b"]"),
    # Bytes.
    "megabytes of query": asking("{ " + "a " * 2_000_000 + "}"),
}
LONG = {
    "a long question": asking(
        "query ($n: String!) { ask(question: $n) { text } }", n="what builds on " * 15_000
    ),
    "a long id": asking("query ($n: ID!) { node(id: $n) { id } }", n="entity/" + "-" * 200_000),
    "a block of lines": asking('{ entity(name: """' + "\n  " * 60_000 + '""") { id } }'),
    "many criteria": asking(
        "query ($c: [PaperCriterion!]) { papers(all: $c) { totalCount } }",
        c=[{"entity": "LoRA"}] * 10_000,
    ),
    "a batch of overlaps": json.dumps(
        [json.loads(asking("{ entities { nodes { ...g1 } } }" + OVERLAPS))] * 10
    ).encode(),
}
"""Those that take longest: tenths of a second and more, up to several."""


def send(service, bomb: bytes) -> None:
    """Send it with a remark in its queries, which no earlier one had."""
    service.send(bomb.replace(b'"query": "', f'"query": "#{next(_numbers)}\\n'.encode()))


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_or_answered_in_time(service, name):
    send(service, BOMBS[name])


@pytest.mark.long
def test_bombs_leave_nothing_in_memory(service):
    """Also those that take longest, which are refused or answered in time as well."""
    service.stays_flat([partial(send, service, each) for each in (BOMBS | LONG).values()], ROUNDS)
