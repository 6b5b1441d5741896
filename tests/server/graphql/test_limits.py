"""Limits for untrusted clients: what is too much is refused quickly, with advice."""

import gc
import time
import tracemalloc
from itertools import count

import pytest

from stemma.server.settings import Settings

MOST_SECONDS = 3.0
"""For any refusal, on a machine that has other things to do as well."""
_numbers = count()


def fragments(number: int, on: str, body: str, last: str) -> str:
    """Make a chain of fragments; ``NEXT`` in the body stands for the next one."""
    chain = [
        f"fragment f{each} on {on} {{ {body.replace('NEXT', f'...f{each + 1}')} }}"
        for each in range(number)
    ]
    return " ".join([*chain, f"fragment f{number} on {on} {{ {last} }}"])


BOMBS = {
    "the same field": "{" + " statistics { papers }" * 390 + "}",
    "deep": "{ entities { nodes " + "{ broader " * 60 + "{ id }" + " }" * 60 + " } }",
    "a deep value": "{ entities(text: " + "[" * 900 + "]" * 900 + ") { totalCount } }",
    "fragments twice and twice again": "{ ...f0 }"
    + fragments(150, "Query", "NEXT NEXT", "__typename"),
    "fields twice and twice again": "{ entities { nodes { ...f0 } } }"
    + fragments(10, "Entity", "broader { NEXT } narrower { NEXT }", "id"),
    "fragments side by side": "{ entities { nodes {"
    + " ".join(f"...g{n}" for n in range(110))
    + "} } }"
    + " ".join(
        f"fragment g{n} on Entity {{ broader {{ id broader {{ id }} }} }}" for n in range(110)
    ),
    "a circle": "{ entities { nodes { ...a } } } fragment a on Entity { broader { ...b } } "
    "fragment b on Entity { broader { ...a } }",
    "aliases": "{" + " ".join(f"a{n}: statistics {{ papers }}" for n in range(200)) + "}",
    "variables": "query (" + " ".join(f"$v{n}: Int" for n in range(450)) + ") { __typename }",
    "arguments": "{ entities(" + "first: 1 " * 600 + ") { totalCount } }",
    "conflicts": "{" + " ".join(f'search(text: "{n}") {{ totalCount }}' for n in range(190)) + "}",
    "tokens": "{" + " a" * 100_000 + "}",
    "introspection within introspection": "{ __schema { types {"
    + " fields { type {" * 5
    + " name"
    + " } }" * 5
    + " } } }",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_fast(ask_anything, name):
    # A remark makes it a query that was not seen before.
    query = f"# {next(_numbers)}\n{BOMBS[name]}"
    begun = time.process_time()
    answer = ask_anything(query)
    assert time.process_time() - begun < MOST_SECONDS
    assert answer["data"] is None
    codes = [error["extensions"]["code"] for error in answer["errors"]]
    assert all(code.startswith(("BAD_", "TOO_")) for code in codes)
    assert len(answer["errors"]) <= 101


DEEP = """{ entities { nodes { ...a } } }
  fragment a on Entity { broader { ...b } } fragment b on Entity { broader { name } }"""


@pytest.mark.parametrize(
    ("setting", "query", "code", "counted"),
    [
        ("query_depth", "{ entities { nodes { broader { name } } } }", "TOO_DEEP", 4),
        ("query_depth", DEEP, "TOO_DEEP", 5),
        ("query_aliases", "{ a: __typename b: __typename }", "TOO_MANY_ALIASES", 2),
        ("query_tokens", "{ statistics { papers } }", "TOO_MANY_TOKENS", 6),
    ],
)
def test_what_is_too_much_says_how_much_it_may_be(error, data, setting, query, code, counted):
    assert data(query, settings=Settings(**{setting: counted}))
    found = error(query, settings=Settings(**{setting: counted - 1}))
    assert (found["code"], found["limit"]) == (code, counted - 1)
    assert found.get("depth", found.get("aliases", counted)) == counted
    assert f"{counted - 1}" in found["message"]


def test_a_costly_query_says_its_price_and_what_to_do(error, data):
    papers = "papers(first: 100) { nodes { %s } }"
    query = "{" + papers % ("statements { nodes { entity {" + papers % "id" + "} } }") + "}"
    found = error(query)
    assert found["code"] == "TOO_COSTLY"
    assert found["cost"] > found["limit"] == Settings().query_cost
    assert f"{found['cost']:,}" in found["message"]
    assert "`first`" in found["message"]
    assert data(query.replace("100", "5"))
    assert data("""{ lineage(of: "LoRA", first: 2000) { nodes { depth work { id name } }
      edges { child { id name } parent { id name } relations confidence statements { subject { id }
        entity { id name } paper { id name published } evidence { text field start end } } } } }""")


@pytest.mark.parametrize(
    ("query", "cost"),
    [
        # A value, and what it holds.
        ("{ statistics { papers entities } }", 1 + 1 + 2),
        # The connection; its list; ten items with an id and a name each.
        ("{ entities(first: 10) { nodes { id name } } }", 1 + 1 + (1 + 10 * (1 + 2))),
        ('{ search(text: "a", first: 7) { nodes { id } } }', 1 + 1 + (1 + 7 * (1 + 1))),
        # Both lists of a lineage are as long as its `first` says.
        (
            '{ lineage(of: "LoRA", first: 3) { nodes { depth } edges { confidence } } }',
            1 + 1 + 2 * (1 + 3 * (1 + 1)),
        ),
    ],
)
def test_pages_are_priced_by_their_size(error, data, query, cost):
    assert data(query, settings=Settings(query_cost=cost))
    assert error(query, settings=Settings(query_cost=cost - 1))["cost"] == cost


def test_what_variables_and_fragments_ask_for_counts_as_well(error):
    settings = Settings(query_cost=10)
    plain = error("{ entities(first: 9) { nodes { id } } }", settings=settings)["cost"]
    query = "query ($n: Int = 9) { entities(first: $n) { ...page } }"
    query += "fragment page on EntityConnection { nodes { ... on Entity { id } } }"
    assert error(query, settings=settings)["cost"] == plain
    assert error(query, settings=settings, n=9)["cost"] == plain
    assert error(query, settings=settings, n=5)["cost"] < plain
    assert error(query, settings=settings, n=50)["cost"] > plain


def test_variables_that_a_query_lacks_and_long_texts_of_filters_are_not_kept(data, error):
    query = "# kept\n{ __typename }"
    paged = "query ($c: String) { papers(after: $c) { totalCount } }"
    assert data(query)
    tracemalloc.start()
    for _ in range(10):
        assert data(query, **{f"v{next(_numbers)}": n for n in range(10_000)})
        assert error(paged, c=f"{next(_numbers)}" + "a" * 200_000)["code"] == "BAD_CURSOR"
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000


def test_pages_are_as_large_as_the_server_lets_them_be(error, data):
    small = Settings(page_size=3)
    assert len(data("{ entities { nodes { id } } }", settings=small)["entities"]["nodes"]) == 3
    for query in (
        "{ papers(first: 4) { nodes { statements { nodes { evidence { text } } } } } }",
        '{ nodes(ids: ["entity/lora", "entity/lora", "entity/lora", "entity/lora"]) { id } }',
    ):
        found = error(query, settings=small)
        assert found["code"] == "BAD_ARGUMENT", "which is said in place of the price"
        assert "at most 3, not 4" in found["message"]
