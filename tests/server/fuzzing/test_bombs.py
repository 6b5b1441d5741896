"""Requests that are small to send and large to answer: each is refused, or answered, in time.

With ``STEMMA_FUZZ_MINUTES=60`` in the environment the tests of this folder go on for an hour
together, a third of it for these.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

import pytest
from graphql import get_introspection_query

pytestmark = pytest.mark.xdist_group("fuzzing")  # They share a server.
LARGEST = 256 * 1024
"""Bytes that a request may have."""
ROUNDS = 2
_numbers = count()


def nested(opening: str, closing: str, depth: int, inside: str = "") -> str:
    return opening * depth + inside + closing * depth


def asking(query: str, **variables: object) -> bytes:
    return json.dumps({"query": query, "variables": variables}).encode()


def filled(before: bytes, piece: bytes, after: bytes) -> bytes:
    """Make the largest body that is taken, of one piece again and again."""
    number = (LARGEST - len(before) - len(after)) // len(piece)
    return before + piece * number + after


SELF = "{ entities { nodes "
RELATED = "query ($r: [RelationType!]) { entities(relations: $r) { totalCount } }"
CONFLICTS = " ".join(f'search(text: "{n}") {{ totalCount nodes {{ id }} }}' for n in range(180))
OVERLAPS = " ".join(
    f"fragment g{n} on Entity {{ broader {{ id broader {{ id name }} }} }}" for n in range(100)
)

BOMBS = {
    # Queries: more of them are refused in tests/server/graphql/test_limits.py.
    "depth": asking(SELF + nested("{ broader ", " }", 100, "{ id }") + " } }"),
    "depth beyond the stack": asking(nested("{ a ", "}", 20_000, "{ b }")),
    "unclosed": asking("{ a " * 50_000),
    "few aliases": asking("{" + " ".join(f"a{n}: __typename" for n in range(390)) + "}"),
    "fields that conflict": asking("{" + CONFLICTS + "}"),
    "fragments that overlap": asking(
        SELF + "{" + " ".join(f"...g{n}" for n in range(100)) + "} } }" + OVERLAPS
    ),
    "introspection again and again": asking(
        "{" + "".join(f" a{n}: __schema {{ types {{ name }} }}" for n in range(30)) + "}"
    ),
    "the whole schema": asking(get_introspection_query()),
    # Pages.
    "a huge page": asking("{ entities(first: 2147483647) { nodes { id } } }"),
    "a page beyond numbers": asking("{ entities(first: " + "9" * 100_000 + ") { totalCount } }"),
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
    "a name of many words": asking('{ entity(name: "' + "lo ra " * 40_000 + '") { id } }'),
    "a long search": asking(
        "query ($n: String!) { search(text: $n) { totalCount } }", n="a " * 100_000
    ),
    "a long question": asking(
        "query ($n: String!) { ask(question: $n) { text } }", n="what builds on " * 15_000
    ),
    "a long id": asking("query ($n: ID!) { node(id: $n) { id } }", n="entity/" + "-" * 200_000),
    "a long cursor": asking(
        "query ($n: String) { papers(after: $n) { totalCount } }", n="W" * 200_000
    ),
    "a long alias": asking("{ " + "a" * 250_000 + ": __typename }"),
    "a long field": asking("{ " + "a" * 250_000 + " }"),
    "a block of lines": asking('{ entity(name: """' + "\n  " * 60_000 + '""") { id } }'),
    "escapes": asking('{ entity(name: "' + "\\u{1F600}" * 20_000 + '") { id } }'),
    "a remark": asking("#" + "x" * 250_000 + "\n{ __typename }"),
    "commas": asking("{ __typename " + "," * 250_000 + "}"),
    # Variables.
    "many variables": asking("{ __typename }", **{f"v{n}": n for n in range(15_000)}),
    "a long list": asking(RELATED, r=["USES"] * 25_000),
    "a long list of what is not there": asking(RELATED, r=["NEARLY_USES"] * 15_000),
    "many ids": asking("query ($i: [ID!]!) { nodes(ids: $i) { id } }", i=["entity/lora"] * 15_000),
    "many criteria": asking(
        "query ($c: [PaperCriterion!]) { papers(all: $c) { totalCount } }",
        c=[{"entity": "LoRA"}] * 10_000,
    ),
    "many alternatives": asking(
        "query ($c: [PaperCriterion!]) { papers(all: $c) { totalCount } }",
        c=[{"entity": "LoRA", "or": ["LoRA"] * 10_000}],
    ),
    "deep JSON": filled(b'{"query": "{ __typename }", "variables": {"a": ', b"[", b""),
    "deep variables": asking(RELATED, r="DEEP").replace(b'"DEEP"', b"[" * 900 + b"]" * 900),
    "deep objects": filled(b'{"query": "{ __typename }", "variables": ', b'{"a":', b""),
    "a number of many digits": filled(
        b'{"query": "{ __typename }", "variables": {"a": ', b"9", b"}}"
    ),
    "no number": asking(
        'query ($c: Float!) { lineage(of: "LoRA", minConfidence: $c) { truncated } }',
        c=float("nan"),
    ),
    # Batches.
    "a batch": filled(b'[{"query": "{ __typename }"}', b',{"query": "{ __typename }"}', b"]"),
    "a batch of nothing": filled(b"[{}", b",{}", b"]"),
    "an empty batch": b"[]",
    "batches within a batch": b"[[[[]]]]",
    "a batch of conflicts": json.dumps([{"query": "{" + CONFLICTS + "}"}] * 10).encode(),
    "a batch of overlaps": json.dumps(
        [json.loads(asking(SELF + "{ ...g1 } } }" + OVERLAPS))] * 10
    ).encode(),
    # Bytes.
    "megabytes of query": asking("{ " + "a " * 2_000_000 + "}"),
    "megabytes of variables": asking("{ __typename }", a="a" * 4_000_000),
    "megabytes of brackets": b"[" * 4_000_000,
}
LONG = {
    "depth",
    "fields that conflict",
    "a name of many words",
    "a long search",
    "a long question",
    "a long id",
    "a long field",
    "a block of lines",
    "a long list",
    "many criteria",
    "a batch of conflicts",
    "a batch of overlaps",
}
"""Those that take longest: tenths of a second and more, up to several."""


def never_seen(bomb: bytes) -> bytes:
    """Add a remark to the queries, which no earlier one had."""
    return bomb.replace(b'"query": "', f'"query": "#{next(_numbers)}\\n'.encode())


def send(service, bomb: bytes) -> None:
    service.send(never_seen(bomb))


@pytest.mark.parametrize("name", [name for name in BOMBS if name not in LONG])
def test_bombs_are_refused_or_answered_in_time(service, name: str) -> None:
    send(service, BOMBS[name])


@pytest.mark.long
def test_queries_are_answered_between_those_that_take_longest(service) -> None:
    """Which are themselves refused or answered in time."""
    with ThreadPoolExecutor(6) as others:
        falling = {others.submit(send, service, BOMBS[name]): name for name in LONG}
        while not all(each.done() for each in falling):
            service.answers()
        for each, name in falling.items():
            assert not each.exception(), name


@pytest.mark.long
def test_bombs_leave_nothing_in_memory(service, stays_flat) -> None:
    # Ten of the same take ten times as long, and leave no more than one.
    alone = {name: each for name, each in BOMBS.items() if not name.startswith("a batch of")}
    requests = [partial(send, service, each) for each in alone.values()]
    stays_flat(service, requests, ROUNDS)
