"""What clients keep answers by: stable ids, IRIs, and cursors that follow each other."""

import pytest

STATEMENTS = """query ($after: String) {
  entity(name: "PyTorch") { statements(first: 3, after: $after) {
    totalCount nodes { id confidence } pageInfo { hasNextPage endCursor } } } }"""


def test_a_statement_has_one_id_in_every_answer(data) -> None:
    found = data("""{
      lineage(of: "ZeRO-Infinity") { edges { statements { id paper { id } relation } } }
      entity(name: "Fuyou") { introducedBy { id statements { nodes { id } } } }
    }""")
    (paper,) = found["entity"]["introducedBy"]
    of_edges = [each for edge in found["lineage"]["edges"] for each in edge["statements"]]
    fuyou = [each for each in of_edges if each["paper"] == {"id": paper["id"]}]
    assert fuyou
    for each in fuyou:
        relation = each["relation"].lower().replace("_", "-")
        assert each["id"] == f"statement/{each['paper']['id']}/{relation}/entity/zero-infinity"
        assert {"id": each["id"]} in paper["statements"]["nodes"]


def test_an_edge_that_is_filtered_is_another_edge(data) -> None:
    found = data("""{
      whole: lineage(of: "ZeRO-Infinity") { edges { id child { id } parent { id } } }
      sure: lineage(of: "ZeRO-Infinity", minConfidence: 0.5) { edges { id } }
      path(from: "Fuyou", to: "ZeRO-Infinity") { id }
    }""")
    whole = [each["id"] for each in found["whole"]["edges"]]
    assert "edge/entity/fuyou/entity/zero-infinity" in whole
    assert len(whole) == len(set(whole))
    assert found["path"] == [{"id": "edge/entity/fuyou/entity/zero-infinity"}]
    assert {"id": "edge/entity/fuyou/entity/zero-infinity?minConfidence=0.5"} in found["sure"][
        "edges"
    ]


def test_works_have_an_iri_and_a_date(data, example_reader) -> None:
    found = data("""{ lineage(of: "ZeRO-Infinity") {
      root { id iri published } nodes { work { published } } } }""")["lineage"]
    base = example_reader.dataset.base
    assert found["root"]["iri"] == f"{base}entity/zero-infinity"
    assert found["root"]["published"].startswith("2021")
    assert all(each["work"]["published"] for each in found["nodes"])


def test_statements_of_an_entity_come_in_pages(data) -> None:
    whole = data(STATEMENTS.replace("first: 3", "first: 100"))["entity"]["statements"]["nodes"]
    assert len(whole) > 6
    paged, after, goes_on = [], None, True
    while goes_on:
        page = data(STATEMENTS, after=after)["entity"]["statements"]
        assert page["totalCount"] == len(whole)
        paged += page["nodes"]
        after, goes_on = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
    assert paged == whole


@pytest.mark.parametrize(
    "query",
    [
        'search(text: "attention", first: %d, after: $after) { nodes { id } }',
        'entitiesWhere(all: [{entity: "LoRA"}], first: %d, after: $after) { nodes { id } }',
    ],
)
def test_what_was_found_comes_in_pages(data, error, query: str) -> None:
    def ids(first: int, after: str | None = None) -> list[str]:
        found = data(f"query ($after: String) {{ found: {query % first} }}", after=after)["found"]
        return [each["id"] for each in found["nodes"]]

    whole = ids(100)
    assert len(whole) > 2
    assert ids(1) + ids(99, whole[0]) == whole
    assert ids(5, whole[-1]) == []
    asked = f'query ($after: String = "entity/nowhere") {{ found: {query % 5} }}'
    assert error(asked)["code"] == "BAD_CURSOR"
