"""Pages of papers and entities, forward and backward, by filters and in orders."""

from typing import Any

import pytest

PAGE = "first: $first, after: $after"
FIELDS = """{ totalCount nodes { id } edges { cursor node { id } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }"""
CONNECTIONS = {
    "papers": "papers(PAGE) FIELDS",
    "entities": "entities(PAGE) FIELDS",
    "papers of an entity": 'entity(name: "PyTorch") { papers(PAGE) FIELDS }',
    "statements": "statements(PAGE) FIELDS",
    "statements of an entity": 'entity(name: "PyTorch") { statements(PAGE) FIELDS }',
    "descendants": 'entity(name: "ZeRO") { descendants(PAGE) FIELDS }',
    "ancestors": 'entity(name: "Fuyou") { ancestors(maxDepth: 5, PAGE) FIELDS }',
    "search": 'search(text: "attention", PAGE) FIELDS',
    "entities by criteria": 'entitiesWhere(all: [{entity: "LoRA"}], PAGE) FIELDS',
}


def page(ask, connection: str, **arguments: Any) -> dict[str, Any]:
    asked = CONNECTIONS[connection].replace("PAGE", PAGE).replace("FIELDS", FIELDS)
    found = ask(f"query ($first: Int! = 20, $after: String) {{ {asked} }}", **arguments)
    while len(found) == 1:  # The connection is in an entity.
        (found,) = found.values()
    return found


@pytest.fixture(scope="module", params=CONNECTIONS)
def connection(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def whole(data, connection) -> list[dict[str, Any]]:
    """All edges of a connection, which are on several pages."""
    edges, after, goes_on = [], None, True
    while goes_on:
        found = page(data, connection, first=100, after=after)
        edges += found["edges"]
        after, goes_on = found["pageInfo"]["endCursor"], found["pageInfo"]["hasNextPage"]
    assert len(edges) > 2
    return edges


@pytest.mark.parametrize("size", [0, 1, 2, 7])
@pytest.mark.parametrize("begin", [0, 1, -3, -2, -1, None])
def test_any_page_is_a_piece_of_the_whole(data, connection, whole, begin, size):
    before, rest = whole[:begin], whole[begin:] if begin is not None else []
    expected = rest[:size]
    cursor = before[-1]["cursor"] if before else None
    found = page(data, connection, first=size, after=cursor)
    assert found["edges"] == expected
    assert found["nodes"] == [each["node"] for each in expected]
    assert found["totalCount"] == len(whole)
    info = found["pageInfo"]
    ends = [expected[0]["cursor"], expected[-1]["cursor"]] if expected else [None, None]
    assert [info["startCursor"], info["endCursor"]] == ends
    if expected:
        assert info["hasPreviousPage"] == (expected[0] != whole[0])
        assert info["hasNextPage"] == (expected[-1] != whole[-1])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"first": 101}, "BAD_ARGUMENT"),
        ({"first": -1}, "BAD_ARGUMENT"),
        ({"after": "entity/nowhere"}, "BAD_CURSOR"),
        ({"first": 1, "after": "statement/paper/x/uses/entity/y"}, "BAD_CURSOR"),
    ],
    ids=["too many", "negative", "unknown", "nonsense"],
)
def test_a_page_that_makes_no_sense_is_refused(error, connection, arguments, code):
    found = page(error, connection, **arguments)
    assert found["code"] == code
    assert found["message"]


def test_nodes_come_in_the_order_of_their_ids(ask_anything):
    query = """{ nodes(ids: ["entity/lora", "entity/nowhere", "entity/pytorch", "entity/lora"]) {
      id ... on Entity { kind } } }"""
    answer = ask_anything(query)
    ids = [each and each["id"] for each in answer["data"]["nodes"]]
    assert ids == ["entity/lora", None, "entity/pytorch", "entity/lora"]
    (error,) = answer["errors"]
    assert error["path"] == ["nodes", 1]
    assert error["extensions"]["code"] == "UNKNOWN_NAME"
