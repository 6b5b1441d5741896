"""The GraphQL endpoint, over HTTP."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from graphql import (
    build_client_schema,
    build_schema,
    get_introspection_query,
    introspection_from_schema,
    lexicographic_sort_schema,
    print_schema,
)

from stemma.server.graphql.schema import sdl

ROOT = Path(__file__).parents[2]


def ask(server_url: str, query: str, **variables: object) -> dict[str, Any]:
    response = httpx.post(
        f"{server_url}/graphql", json={"query": query, "variables": variables}, timeout=60
    )
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def data(server_url: str, query: str, **variables: object) -> dict[str, Any]:
    found = ask(server_url, query, **variables)
    assert "errors" not in found, found["errors"]
    answered: dict[str, Any] = found["data"]
    return answered


LINEAGE = """
query ($of: String!, $first: Int! = 100, $after: String) {
  lineage(of: $of, first: $first, after: $after) {
    root { id name }
    nodes { depth work { id name published } }
    edges {
      child { id name } parent { id name } relations confidence
      statements { confidence paper { id name published } evidence { text field start end } }
    }
    truncated endCursor
  }
}
"""


@pytest.mark.parametrize("spelling", ["ZeRO-Infinity", "zero infinity", "entity/zero-infinity"])
def test_what_builds_on_a_work_comes_with_its_sentences(server_url: str, spelling: str) -> None:
    found = data(server_url, LINEAGE, of=spelling)["lineage"]
    assert found["root"] == {"id": "entity/zero-infinity", "name": "ZeRO-Infinity"}
    edge = next(each for each in found["edges"] if each["child"]["name"] == "Fuyou")
    assert edge["parent"]["name"] == "ZeRO-Infinity"
    assert "IMPROVES_ON" in edge["relations"]
    statement = edge["statements"][0]
    assert statement["paper"]["published"] == "2024-03-11"
    assert "suffers from low GPU utilization" in statement["evidence"][0]["text"]


def test_evidence_is_exact(server_url: str) -> None:
    query = """{ papers(first: 100) { nodes { title abstract
      statements(first: 100) { nodes { evidence { text field start end } } } } } }"""
    for paper in data(server_url, query)["papers"]["nodes"]:
        for statement in paper["statements"]["nodes"]:
            for evidence in statement["evidence"]:
                text = paper.get(evidence["field"])  # None for a section, which is not kept whole
                assert text is None or text[evidence["start"] : evidence["end"]] == evidence["text"]


def test_an_entity_knows_its_papers(server_url: str) -> None:
    query = """{ entity(name: "flash attention") {
      id kind aliases broader { name } narrower { name } introducedBy { title }
      papers(first: 2) { totalCount nodes { title } pageInfo { hasNextPage endCursor } } } }"""
    found = data(server_url, query)["entity"]
    assert found["id"] == "entity/flashattention"
    assert found["kind"] == "TECHNIQUE"
    assert any(paper["title"].startswith("FlashAttention:") for paper in found["introducedBy"])
    assert found["papers"]["totalCount"] >= len(found["papers"]["nodes"])


def test_a_paper_knows_what_it_names(server_url: str) -> None:
    query = """query ($title: String!) { paper(title: $title) { published introduces { name }
      baselines { name } hardware { name }
      statements(kinds: [HARDWARE]) { nodes { entity { kind } } } } }"""
    title = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU"
    paper = data(server_url, query, title=title)["paper"]
    assert paper["published"] == "2024-03-11"
    assert {"name": "Fuyou"} in paper["introduces"]
    assert {"name": "ZeRO-Infinity"} in paper["baselines"]
    assert paper["hardware"]
    assert {each["entity"]["kind"] for each in paper["statements"]["nodes"]} == {"HARDWARE"}


def test_a_node_is_found_by_its_id(server_url: str) -> None:
    query = '{ node(id: "entity/lora") { id __typename ... on Entity { name kind } } }'
    node = data(server_url, query)["node"]
    assert node == {
        "id": "entity/lora",
        "__typename": "Entity",
        "name": "LoRA",
        "kind": "TECHNIQUE",
    }


def test_a_server_has_the_schema_that_is_published(server_url: str) -> None:
    """However its parts were imported: types have the same names, descriptions and members."""
    published = build_schema((ROOT / "src/stemma/schema/schema.graphql").read_text())
    query = get_introspection_query(specified_by_url=True, input_value_deprecation=True)
    served = build_client_schema(data(server_url, query))
    expected = build_client_schema(introspection_from_schema(published))
    sdl = [print_schema(lexicographic_sort_schema(each)) for each in (served, expected)]
    assert sdl[0] == sdl[1]


def test_the_schema_is_the_one_that_is_published(server_url: str) -> None:
    published = (ROOT / "src/stemma/schema/schema.graphql").read_text()
    assert httpx.get(f"{server_url}/graphql/schema.graphql").text == published
    assert sdl() == published, "renew it with `make schema`"
    assert len(published.splitlines()) <= 1000
