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
def connection(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def whole(data, connection: str) -> list[dict[str, Any]]:
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
def test_any_page_is_a_piece_of_the_whole(
    data, connection: str, whole: list[dict[str, Any]], begin: int | None, size: int
) -> None:
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
def test_a_page_that_makes_no_sense_is_refused(
    error, connection: str, arguments: dict[str, Any], code: str
) -> None:
    found = page(error, connection, **arguments)
    assert found["code"] == code
    assert found["message"]


def test_papers_meet_all_criteria_and_edges_say_by_what(data) -> None:
    query = """{ papers(all: [{entity: "ZeRO-Infinity", relations: [IMPROVES_ON, COMPARES_WITH]}]) {
      totalCount edges { node { id } statements { relation entity { id } subject { id } } } } }"""
    found = data(query)["papers"]
    assert found["totalCount"] == len(found["edges"]) > 0
    for edge in found["edges"]:
        assert edge["statements"]
        for statement in edge["statements"]:
            assert statement["relation"] in ("IMPROVES_ON", "COMPARES_WITH")
            assert statement["entity"]["id"] == "entity/zero-infinity"
            assert statement["subject"] == edge["node"]


def test_a_criterion_may_exclude_papers_or_name_several_entities(data) -> None:
    query = """{ all: papers(first: 100) { nodes { id } }
      either: papers(all: [{entity: "NVIDIA A100", or: ["NVIDIA H100"]}], first: 100) {
        nodes { id } edges { statements { entity { name } } } }
      neither: papers(all: [{entity: "NVIDIA A100", or: ["NVIDIA H100"], not: true}], first: 100) {
        nodes { id } edges { statements { entity { name } } } } }"""
    found = data(query)
    ids = {name: {each["id"] for each in page["nodes"]} for name, page in found.items()}
    assert ids["either"] | ids["neither"] == ids["all"]
    assert not ids["either"] & ids["neither"]
    named = {
        each["entity"]["name"] for edge in found["either"]["edges"] for each in edge["statements"]
    }
    assert named == {"NVIDIA A100", "NVIDIA H100"}
    assert not any(edge["statements"] for edge in found["neither"]["edges"])


def test_hardware_counts_with_its_cases(data) -> None:
    query = """{ papers(all: [{entity: "GPU", relations: [RUNS_ON], includeNarrower: true}],
      first: 100) { edges { statements { relation entity { id kind } } } } }"""
    found = data(query)["papers"]
    said = [each for edge in found["edges"] for each in edge["statements"]]
    assert {each["relation"] for each in said} == {"RUNS_ON"}
    assert len({each["entity"]["id"] for each in said}) > 1
    assert {each["entity"]["kind"] for each in said} == {"HARDWARE"}


def test_filters_narrow_papers_down_together(data) -> None:
    query = """query ($from: Int, $text: String, $entity: String, $relations: [RelationType!]) {
      papers(since: $from, text: $text, entity: $entity, relations: $relations, first: 100) {
        nodes { id title published } } }"""
    everywhere = {each["id"] for each in data(query)["papers"]["nodes"]}
    late = data(query, **{"from": 2023})["papers"]["nodes"]
    assert late
    assert all(each["published"] >= "2023" for each in late)
    named = {
        each["id"] for each in data(query, entity="PyTorch", relations=["USES"])["papers"]["nodes"]
    }
    assert named
    assert named < everywhere
    both = data(query, **{"from": 2023}, entity="PyTorch", relations=["USES"])["papers"]["nodes"]
    assert {each["id"] for each in both} == named & {each["id"] for each in late}


def test_entities_are_filtered_by_kinds_relations_and_years(data) -> None:
    found = data("""{
      both: entities(kinds: [HARDWARE, DATASET], first: 100) { nodes { kind } }
      introduced: entities(relations: [INTRODUCES], since: 2021, until: 2023, first: 100) {
        nodes { published introducedBy { id } } } }""")
    assert {each["kind"] for each in found["both"]["nodes"]} == {"HARDWARE", "DATASET"}
    assert found["introduced"]["nodes"]
    for each in found["introduced"]["nodes"]:
        assert "2021" <= each["published"] < "2024"
        assert each["introducedBy"]


def test_nodes_come_in_the_order_of_their_ids(ask_anything) -> None:
    query = """{ nodes(ids: ["entity/lora", "entity/nowhere", "entity/pytorch", "entity/lora"]) {
      id ... on Entity { kind } } }"""
    answer = ask_anything(query)
    ids = [each and each["id"] for each in answer["data"]["nodes"]]
    assert ids == ["entity/lora", None, "entity/pytorch", "entity/lora"]
    (error,) = answer["errors"]
    assert error["path"] == ["nodes", 1]
    assert error["extensions"]["code"] == "UNKNOWN_NAME"
