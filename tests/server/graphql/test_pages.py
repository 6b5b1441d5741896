"""Pages of papers, entities and statements: each is a piece of the whole, and filters narrow it."""

import re
from pathlib import Path
from typing import Any

import pytest

from stemma.graph import Selection, WorkType

PAGE = "first: $first, after: $after"
FIELDS = """{ totalCount nodes { NODE } edges { cursor node { NODE } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }"""
CONNECTIONS = {
    "papers": "papers(PAGE) FIELDS",
    "entities": "entities(PAGE) FIELDS",
    "statements": "statements(PAGE) FIELDS",
    "statements of an entity": 'entity(name: "PyTorch") { statements(PAGE) FIELDS }',
    "descendants": 'entity(name: "ZeRO") { descendants(PAGE) FIELDS }',
    "search": 'search(text: "attention", PAGE) FIELDS',
    "works of an answer": 'ask(question: "which papers run on A100?") { works(PAGE) FIELDS }',
    "statements of an answer": 'ask(question: "what builds on LoRA?") { statements(PAGE) FIELDS }',
    "entities by criteria": 'entitiesWhere(all: [{entity: "LoRA"}], PAGE) FIELDS',
}


def page(ask, connection: str, **arguments: Any) -> dict[str, Any]:
    """Return a page of a connection, or why there is none."""
    asked = CONNECTIONS.get(connection, connection).replace("PAGE", PAGE).replace("FIELDS", FIELDS)
    query = f"query ($first: Int! = 20, $after: String) {{ {asked.replace('NODE', 'id')} }}"
    found = ask(query, **arguments)
    while len(found) == 1:  # The connection is in an entity.
        (found,) = found.values()
    return found


def edges_of(data, connection: str) -> list[dict[str, Any]]:
    """Return the edges of all pages of a connection."""
    edges, after, goes_on = [], None, True
    while goes_on:
        found = page(data, connection, first=100, after=after)
        edges += found["edges"]
        after, goes_on = found["pageInfo"]["endCursor"], found["pageInfo"]["hasNextPage"]
    assert len(edges) == found["totalCount"]
    return edges


@pytest.fixture(scope="module", params=CONNECTIONS)
def connection(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def whole(data, connection) -> list[dict[str, Any]]:
    """All edges of a connection."""
    edges = edges_of(data, connection)
    assert len(edges) > 2
    return edges


@pytest.mark.parametrize(("begin", "size"), [(0, 0), (0, 2), (-2, 2), (-1, 7), (None, 2)])
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
    ],
    ids=["too many", "negative", "unknown"],
)
def test_a_page_that_makes_no_sense_is_refused(error, connection, arguments, code):
    assert page(error, connection, **arguments)["code"] == code


def test_nodes_come_in_the_order_of_their_ids(ask_anything):
    query = """{ nodes(ids: ["entity/lora", "entity/nowhere", "entity/pytorch", "entity/lora"]) {
      id ... on Entity { kind } } }"""
    answer = ask_anything(query)
    ids = [each and each["id"] for each in answer["data"]["nodes"]]
    assert ids == ["entity/lora", None, "entity/pytorch", "entity/lora"]
    (error,) = answer["errors"]
    assert error["path"] == ["nodes", 1]
    assert error["extensions"]["code"] == "UNKNOWN_NAME"


# Statements and comparisons of the whole graph, with filters.

STATED = """id relation confidence subject { id } entity { id kind } paper { published }
  comparison { factor low high unit metric direction }"""
DOCUMENTATION = Path(__file__).parents[3] / "docs" / "graphql.md"


def statements(data, arguments: str, node: str) -> list[dict[str, Any]]:
    asked = f"statements(PAGE {arguments}) {FIELDS.replace('NODE', node)}"
    found = edges_of(data, asked)
    assert all(each["cursor"] == each["node"]["id"] for each in found)
    return [each["node"] for each in found]


@pytest.fixture(scope="module")
def everything(data) -> list[dict[str, Any]]:
    return statements(data, "", STATED)


def test_all_statements_of_the_graph_come_once_those_of_papers_first_then_the_surest(
    everything, reader
):
    ids = [id_ for type_ in WorkType for id_ in reader.ids(type_, Selection(first=10_000))]
    keys = {each.key for own in reader.statements(ids).values() for each in own}
    asked = [(each["subject"]["id"], each["relation"], each["entity"]["id"]) for each in everything]
    assert len(asked) == len(set(asked))
    assert set(asked) == keys
    order = [(each["paper"] is None, -each["confidence"]) for each in everything]
    assert order == sorted(order)
    assert order[0] < (True,) < order[-1]


@pytest.mark.parametrize(
    ("arguments", "passes"),
    [
        ("relations: [RUNS_ON]", lambda each: each["relation"] == "RUNS_ON"),
        ("kinds: [MODEL]", lambda each: each["entity"]["kind"] == "MODEL"),
        ("minConfidence: 0.8", lambda each: each["confidence"] >= 0.8),
        ('entity: "pytorch"', lambda each: each["entity"]["id"] == "entity/pytorch"),
        ("includeCatalogue: false", lambda each: each["paper"] is not None),
        (
            "since: 2023, until: 2023",
            lambda each: each["paper"] and (each["paper"]["published"] or "")[:4] == "2023",
        ),
        ("minFactor: 2", lambda each: result(each, "factor", "low") >= 2),
        ("maxFactor: 2", lambda each: 0 < result(each, "factor", "high") <= 2),
        ("outcome: WORSE", lambda each: result(each, "direction") == "WORSE"),
        ('metric: "Throughput"', lambda each: "throughput" in str(result(each, "metric"))),
    ],
)
def test_filters_leave_what_passes(data, everything, arguments, passes):
    expected = [each for each in everything if passes(each)]
    assert 0 < len(expected) < len(everything)
    assert statements(data, f", {arguments}", STATED) == expected


def result(statement: dict[str, Any], *fields: str) -> Any:
    """Return what a comparison without a unit has in the first of these fields, or 0."""
    compared = statement["comparison"] or {}
    if compared.get("unit") and "factor" in fields:
        return 0
    return next((compared[each] for each in fields if compared.get(each)), 0)


def test_the_documented_queries_have_answers(data):
    documented = DOCUMENTATION.read_text("utf-8")
    lineage, comparisons, changes = re.findall(r"^```graphql\n(.+?)^```$", documented, re.M | re.S)
    introduced = [one for paper in data(lineage)["papers"]["nodes"] for one in paper["introduces"]]
    assert any(one["descendants"]["edges"] for one in introduced)
    assert data(changes)["changes"]["nodes"][0]["number"] == 1
    found = data(comparisons)["statements"]
    assert found["totalCount"] == len(found["nodes"]) > 0
    assert all("throughput" in each["comparison"]["text"] for each in found["nodes"])
