"""ask, path, compare and what papers state together, over GraphQL."""

import asyncio
from typing import Any

import pytest

from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import StemmaSchema


@pytest.fixture
def answered(reader):
    """Run a query on the example papers."""

    def run(query: str, **variables: object) -> dict[str, Any]:
        found = asyncio.run(StemmaSchema().execute(query, variables, Context(reader)))
        assert not found.errors, found.errors
        assert found.data
        return found.data

    return run


@pytest.fixture
def refused(reader):
    """Run a query that is refused, and give the code and the message of its error."""

    def run(query: str) -> tuple[str, str]:
        found = asyncio.run(StemmaSchema().execute(query, None, Context(reader)))
        (error,) = found.errors or []
        return (error.extensions or {})["code"], error.message

    return run


def test_a_question_has_an_answer(answered):
    query = """query ($question: String!) { ask(question: $question) { text understoodAs
      works { __typename id name } statements { paper { title } evidence { text } }
      suggestions } }"""
    answer = answered(query, question="What builds on ZeRO-Infinity?")["ask"]
    assert "Fuyou" in [work["name"] for work in answer["works"]]
    assert answer["understoodAs"]
    sentences = [each["text"] for own in answer["statements"] for each in own["evidence"]]
    assert any("suffers from low GPU utilization" in each for each in sentences)
    unknown = answered(query, question="xqzzj wvvkp")["ask"]
    assert unknown["understoodAs"] is None
    assert unknown["suggestions"]


def test_a_path_is_edges_in_order(answered):
    query = """{ path(from: "fuyou", to: "ZeRO") { child { name } parent { name } relations
      statements { evidence { text } } } }"""
    first, second = answered(query)["path"]
    assert (first["child"]["name"], first["parent"]["name"]) == ("Fuyou", "ZeRO-Infinity")
    assert (second["child"]["name"], second["parent"]["name"]) == ("ZeRO-Infinity", "ZeRO")
    assert first["statements"][0]["evidence"][0]["text"]
    query = """query ($over: Boolean!) { path(from: "GaLore", to: "PaLM-540B", comparisons: $over)
      { relations } }"""
    assert ["COMPARES_WITH"] in [each["relations"] for each in answered(query, over=True)["path"]]
    assert answered(query, over=False)["path"] == []


def test_a_lineage_has_an_order(answered):
    def dates(order: str) -> list[str]:
        query = f"""{{ lineage(of: "LoRA", kinds: [TECHNIQUE], order: {order}) {{
          nodes {{ work {{ published }} }} }} }}"""
        nodes = answered(query)["lineage"]["nodes"]
        return [node["work"]["published"] for node in nodes if node["work"]["published"]]

    assert dates("DATE") == sorted(dates("DEPTH"))
    assert dates("NEWEST") == sorted(dates("DEPTH"), reverse=True)
    assert len(dates("DATE")) > 3


def test_two_works_are_compared_in_every_aspect(answered):
    query = """{ compare(left: "Punica", right: "s-lora") {
      left { work { name } published papers { title } } right { work { name } }
      hardware { shared { name } left { name } right { name } } baselines { shared { name } }
      frameworks { shared { name } } techniques { shared { name } } models { left { name } }
      datasets { left { name } } lineage { relations } statements { comparison { text } }
      comparedBy { title } } }"""
    found = answered(query)["compare"]
    assert found["left"]["papers"] == [{"title": "Punica: Multi-Tenant LoRA Serving"}]
    assert {"name": "NVIDIA A100"} in found["hardware"]["shared"]
    assert {"name": "vLLM"} in found["frameworks"]["shared"]


def test_entities_are_found_by_what_papers_state(answered):
    query = """{ entitiesWhere(all: [{entity: "LoRA", relations: [USES, BUILDS_ON]}],
      relations: [USES], kinds: [TECHNIQUE]) { totalCount edges { node { name kind }
      statements { paper { title } evidence { text } } } } }"""
    found = answered(query)["entitiesWhere"]
    assert found["totalCount"] == len(found["edges"])
    assert {edge["node"]["kind"] for edge in found["edges"]} == {"TECHNIQUE"}


def test_entities_of_a_sort_are_found_by_what_is_broader(answered):
    selection = "totalCount nodes { id name broader { id } narrower { id } }"
    gpus = answered(f'{{ entities(broader: "GPU", first: 100) {{ {selection} }} }}')["entities"]
    found = {each["id"] for each in gpus["nodes"]}
    assert {"entity/nvidia-a100", "entity/nvidia-gpu"} <= found
    assert not {"entity/gpu", "entity/tpu-v4"} & found
    for each in gpus["nodes"]:
        assert {above["id"] for above in each["broader"]} & {"entity/gpu", *found}
        assert {below["id"] for below in each["narrower"]} <= found
    used = answered("""{ entitiesWhere(all: [], relations: [RUNS_ON], broader: "entity/gpu",
      first: 100) { totalCount nodes { id kind } } }""")["entitiesWhere"]
    of_papers = {each["id"] for each in used["nodes"]}
    assert of_papers
    assert of_papers < found
    every = answered("{ entitiesWhere(all: [], relations: [RUNS_ON]) { totalCount } }")
    assert used["totalCount"] < every["entitiesWhere"]["totalCount"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ('{ entities(broader: "no such thing") { totalCount } }', "UNKNOWN_NAME"),
        ('{ entitiesWhere(all: [], broader: "no such thing") { totalCount } }', "UNKNOWN_NAME"),
        ('{ path(from: "LoRA", to: "ZeRO", maxLength: 99) { confidence } }', "BAD_ARGUMENT"),
        ('{ path(from: "LoRA", to: "Nowhere At All") { confidence } }', "UNKNOWN_NAME"),
        ('{ lineage(of: "LoRA", maxDepth: 99) { totalCount } }', "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", first: 99999) { totalCount } }', "BAD_ARGUMENT"),
        ("{ papers(all: [], first: 101) { totalCount } }", "BAD_ARGUMENT"),
        ("{ entitiesWhere(all: [], first: -1) { totalCount } }", "BAD_ARGUMENT"),
        (
            "{ papers(all: [" + '{entity: "LoRA"},' * 11 + "]) { totalCount } }",
            "BAD_ARGUMENT",
        ),
        ('{ compare(left: "LoRA", right: "Loar") { compare: comparedBy { id } } }', "UNKNOWN_NAME"),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_a_reason(refused, query: str, code: str):
    found, message = refused(query)
    assert found == code, message
