"""What GraphQL says of papers and entities, and of what hangs on them."""

from pathlib import Path

import httpx
import pytest

from stemma.server.graphql.schema import sdl

SCHEMA = Path(__file__).parents[3] / "schema" / "schema.graphql"
LINEAGE = """query ($of: String!) { lineage(of: $of) {
  root { id name }
  edges { child { name } parent { name } relations
    statements { paper { published } evidence { text } } } } }"""


@pytest.mark.parametrize("spelling", ["ZeRO-Infinity", "zero infinity", "entity/zero-infinity"])
def test_what_builds_on_a_work_comes_with_its_sentences(data, spelling: str) -> None:
    found = data(LINEAGE, of=spelling)["lineage"]
    assert found["root"] == {"id": "entity/zero-infinity", "name": "ZeRO-Infinity"}
    edge = next(each for each in found["edges"] if each["child"]["name"] == "Fuyou")
    assert edge["parent"]["name"] == "ZeRO-Infinity"
    assert "IMPROVES_ON" in edge["relations"]
    statement = edge["statements"][0]
    assert statement["paper"]["published"] == "2024-03-11"
    assert "suffers from low GPU utilization" in statement["evidence"][0]["text"]


def test_evidence_is_exact(data) -> None:
    query = """{ papers(first: 100) { nodes { title abstract sources { file position }
      statements(first: 100) { nodes { evidence { text field start end } } } } } }"""
    for paper in data(query)["papers"]["nodes"]:
        assert all(each["file"] and each["position"] > 0 for each in paper["sources"])
        for statement in paper["statements"]["nodes"]:
            for evidence in statement["evidence"]:
                text = paper.get(evidence["field"])  # None for a section, which is not kept whole
                assert text is None or text[evidence["start"] : evidence["end"]] == evidence["text"]


def test_an_entity_knows_its_papers(data) -> None:
    query = """{ entity(name: "flash attention") {
      id kind aliases broader { name } narrower { name } introducedBy { title }
      papers(first: 2) { totalCount nodes { title } pageInfo { hasNextPage endCursor } } } }"""
    found = data(query)["entity"]
    assert found["id"] == "entity/flashattention"
    assert found["kind"] == "TECHNIQUE"
    assert any(paper["title"].startswith("FlashAttention:") for paper in found["introducedBy"])
    assert found["papers"]["totalCount"] >= len(found["papers"]["nodes"])


def test_a_paper_knows_what_it_names(data) -> None:
    query = """query ($title: String!) { paper(title: $title) { published introduces { name }
      baselines { name } hardware { name }
      statements(kinds: [HARDWARE]) { nodes { entity { kind } } } } }"""
    title = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU"
    paper = data(query, title=title)["paper"]
    assert paper["published"] == "2024-03-11"
    assert {"name": "Fuyou"} in paper["introduces"]
    assert {"name": "ZeRO-Infinity"} in paper["baselines"]
    assert paper["hardware"]
    assert {each["entity"]["kind"] for each in paper["statements"]["nodes"]} == {"HARDWARE"}


def test_the_schema_is_the_one_that_is_published(server_url: str) -> None:
    published = SCHEMA.read_text()
    assert httpx.get(f"{server_url}/graphql/schema.graphql").text == published
    assert sdl() == published, "renew it with `make schema`"
    assert len(published.splitlines()) <= 1000
