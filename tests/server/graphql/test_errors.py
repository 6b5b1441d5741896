"""Errors have a code, and a hint of what to do."""

import pytest
from graphql import GraphQLNonNull, build_schema

from stemma.server.graphql.schema import StemmaSchema


@pytest.mark.parametrize(
    "query",
    [
        'lineage(of: "ZeRO-Infinty") { totalCount }',
        'path(from: "LoRA", to: "ZeRO-Infinty") { confidence }',
        'papers(entity: "NVIDIA A10O") { totalCount }',
        'papers(all: [{entity: "ZeRO-Infinty"}]) { totalCount }',
        'entitiesWhere(all: [], broader: "ZeRO-Infinty") { totalCount }',
        'statements(compared: true, entity: "vLLLLM") { totalCount }',
        'node(id: "entity/zero-infinty") { id }',
        'node(id: "statement/x") { id }',
        'node(id: "statement/paper/x/uses/entity/y") { id }',
        'node(id: "edge/entity/fuyou/entity/lora") { id }',
        'node(id: "edge/entity/fuyou/entity/zero-infinity?nothing=1") { id }',
        'author(id: "author/nobody") { id }',
    ],
)
def test_what_is_unknown_is_null_with_an_error_and_leaves_its_siblings(ask_anything, query):
    answer = ask_anything(f"{{ unknown: {query} good: statistics {{ papers }} }}")
    assert answer["data"]["unknown"] is None
    assert answer["data"]["good"]["papers"] > 0
    (error,) = answer["errors"]
    assert error["path"] == ["unknown"]
    assert error["extensions"]["code"] == "UNKNOWN_NAME"
    assert error["extensions"]["nearest"] or "infinty" not in query.lower()


def test_a_work_of_another_type_is_asked_for_by_another_field(error):
    found = error('{ paper(title: "LoRA") { id } }')
    assert found["message"] == "'LoRA' is the name of another type of work: query `entity`."
    assert (found["code"], found["nearest"]) == ("UNKNOWN_NAME", [])


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "BAD_QUERY"),
        ("query ($n: Int!) { papers(first: $n) { totalCount } }", "BAD_QUERY"),
        ("{ entity { id } }", "BAD_ARGUMENT"),
        ('{ lineage(of: " ") { totalCount } }', "BAD_ARGUMENT"),
        ('{ search(text: "") { totalCount } }', "BAD_ARGUMENT"),
        ("{ papers(order: PAPERS) { totalCount } }", "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", after: "nowhere") { totalCount } }', "BAD_CURSOR"),
        ('{ lineage(of: "LoRA", relations: [USES]) { totalCount } }', "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", minConfidence: 2) { totalCount } }', "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", since: 2030, until: 2020) { totalCount } }', "BAD_ARGUMENT"),
        ("{ statements(minFactor: 3, maxFactor: 2) { totalCount } }", "BAD_ARGUMENT"),
        ('{ papers(entity: "\\ud800") { totalCount } }', "BAD_QUERY"),
        ('{ path(from: "LoRA", to: "ZeRO", maxLength: 99) { confidence } }', "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", maxDepth: 99) { totalCount } }', "BAD_ARGUMENT"),
        ("{ entitiesWhere(all: [], first: -1) { totalCount } }", "BAD_ARGUMENT"),
        ("{ papers(all: [" + '{entity: "LoRA"},' * 11 + "]) { totalCount } }", "BAD_ARGUMENT"),
    ],
)
def test_each_error_has_a_code_and_says_what_is_wrong(error, query, code):
    found = error(query)
    assert found["code"] == code
    assert found["message"]
    assert "Traceback" not in found["message"]


def test_half_a_character_is_not_a_text(error):
    query = "query ($text: String!) { papers(text: $text) { totalCount } }"
    assert error(query, text="\ud800")["code"] == "BAD_ARGUMENT"


def test_every_question_may_fail_alone():
    questions = build_schema(StemmaSchema().as_str()).query_type.fields
    assert not [name for name, each in questions.items() if isinstance(each.type, GraphQLNonNull)]
