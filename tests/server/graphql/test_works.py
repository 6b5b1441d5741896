"""What hangs on a work, and what clients keep answers by: stable ids, and IRIs."""

from pathlib import Path

import httpx

from stemma.server.graphql.schema import sdl

SCHEMA = Path(__file__).parents[3] / "schema" / "schema.graphql"


def test_a_statement_has_one_id_in_every_answer(data):
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


def test_an_edge_that_is_filtered_is_another_edge(data):
    found = data("""{
      whole: lineage(of: "ZeRO-Infinity") { edges { id child { id } parent { id } } }
      sure: lineage(of: "ZeRO-Infinity", minConfidence: 0.5) { edges { id } }
      path(from: "Fuyou", to: "ZeRO-Infinity") { id }
    }""")
    whole = [each["id"] for each in found["whole"]["edges"]]
    assert "edge/entity/fuyou/entity/zero-infinity" in whole
    assert len(whole) == len(set(whole))
    assert found["path"] == [{"id": "edge/entity/fuyou/entity/zero-infinity"}]
    sure = {"id": "edge/entity/fuyou/entity/zero-infinity?minConfidence=0.5"}
    assert sure in found["sure"]["edges"]


def ids(connection: dict) -> list[str]:
    return [edge["node"]["id"] for edge in connection["edges"]]


def test_descendants_are_the_works_of_the_lineage_with_the_edge_towards_it(data):
    found = data("""{
      entity(name: "ZeRO-Infinity") { descendants(first: 20) { totalCount
        edges { depth node { id } lineageEdge { ...Edge } } nodes { id } } }
      lineage(of: "ZeRO-Infinity") { totalCount nodes { depth work { id } } edges { ...Edge } }
    }
    fragment Edge on LineageEdge {
      id child { id } parent { id } confidence relations statements { id } }""")
    descendants, lineage = found["entity"]["descendants"], found["lineage"]
    assert ids(descendants) == [each["work"]["id"] for each in lineage["nodes"]]
    assert [each["id"] for each in descendants["nodes"]] == ids(descendants)
    assert descendants["totalCount"] == lineage["totalCount"]
    depths = {each["work"]["id"]: each["depth"] for each in lineage["nodes"]}
    depths["entity/zero-infinity"] = 0
    for step in descendants["edges"]:
        edge = step["lineageEdge"]
        assert edge in lineage["edges"]
        assert edge["child"]["id"] == step["node"]["id"]
        assert depths[edge["parent"]["id"]] == step["depth"] - 1


def test_edges_and_statements_are_found_by_their_ids(data):
    found = data("""{ lineage(of: "ZeRO-Infinity", minConfidence: 0.3) {
      edges { id confidence statements { id confidence } } }
      path(from: "vLLM", to: "FlexGen") { id confidence } }""")
    edges = [*found["lineage"]["edges"], *found["path"]]
    statements = [each for edge in found["lineage"]["edges"] for each in edge.pop("statements")]
    query = """query ($id: ID!) { node(id: $id) { id
      ... on LineageEdge { confidence } ... on Statement { confidence } } }"""
    for known in [*edges, *statements]:
        assert data(query, id=known["id"])["node"] == known


def test_a_work_knows_what_hangs_on_it(data, reader):
    title = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU"
    found = data(f"""{{ entity(name: "zero infinity") {{ iri published introducedBy {{ title }} }}
      paper(title: "{title}") {{ published introduces {{ name }} baselines {{ name }}
        hardware {{ name }}
        statements(kinds: [HARDWARE]) {{ nodes {{ entity {{ kind }} }} }} }} }}""")
    entity, paper = found["entity"], found["paper"]
    assert entity["iri"] == f"{reader.dataset.base}entity/zero-infinity"
    assert entity["published"] == "2021-04-15"
    assert [each["title"].partition(":")[0] for each in entity["introducedBy"]] == ["ZeRO-Infinity"]
    assert paper["published"] == "2024-03-11"
    assert {"name": "Fuyou"} in paper["introduces"]
    assert {"name": "ZeRO-Infinity"} in paper["baselines"]
    assert paper["hardware"]
    assert {each["entity"]["kind"] for each in paper["statements"]["nodes"]} == {"HARDWARE"}


def test_the_schema_is_the_one_that_is_published(server_url, data):
    published = SCHEMA.read_text()
    assert httpx.get(f"{server_url}/graphql/schema.graphql").text == published
    assert sdl() == published, "renew it with `make schema`"
    assert len(published.splitlines()) <= 1000
    names = [each["name"] for each in data("{ __schema { types { name } } }")["__schema"]["types"]]
    assert names == sorted(names)
