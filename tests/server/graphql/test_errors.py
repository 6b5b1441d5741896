"""Errors have a code, and a hint of what to do."""

import pytest
from graphql import GraphQLNonNull, build_schema

from stemma.server.graphql.schema import StemmaSchema


def test_an_unknown_name_suggests_the_nearest(error) -> None:
    found = error('{ lineage(of: "ZeRO-Infinty") { truncated } }')
    assert found["code"] == "UNKNOWN_NAME"
    assert "ZeRO-Infinity" in found["nearest"]


@pytest.mark.parametrize(
    "query",
    [
        '{ node(id: "entity/zero-infinty") { id } }',
        '{ papers(entity: "ZeRO-Infinty") { totalCount } }',
        '{ papers(entity: "NVIDIA A10O") { totalCount } }',
        '{ entity(name: "ZeRO-Infinty") { id } }',
        '{ nodes(ids: ["entity/zero-infinty"]) { id } }',
        '{ compare(left: "LoRA", right: "ZeRO-Infinty") { compared: statements { confidence } } }',
    ],
)
def test_names_are_looked_up_everywhere_alike(error, query: str) -> None:
    found = error(query)
    assert found["code"] == "UNKNOWN_NAME"
    assert found["nearest"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "BAD_QUERY"),
        ("{ lineage }", "BAD_QUERY"),
        ("query ($n: Int!) { papers(first: $n) { totalCount } }", "BAD_QUERY"),
        ("{ entity { id } }", "BAD_ARGUMENT"),
        ('{ lineage(of: "LoRA", after: "nowhere") { truncated } }', "BAD_CURSOR"),
        ('{ entity(name: "LoRA") { papers(after: "entity/lora") { totalCount } } }', "BAD_CURSOR"),
        ('{ papers(entity: "\\ud800") { totalCount } }', "BAD_QUERY"),
    ],
)
def test_each_error_has_a_code_and_says_what_is_wrong(error, query: str, code: str) -> None:
    found = error(query)
    assert found["code"] == code
    assert found["message"]
    assert "Traceback" not in found["message"]


def test_half_a_character_is_not_a_text(error) -> None:
    query = "query ($text: String!) { papers(text: $text) { totalCount } }"
    assert error(query, text="\ud800")["code"] == "BAD_ARGUMENT"


@pytest.mark.parametrize(
    "failing",
    [
        'lineage(of: "no such thing") { truncated }',
        'path(from: "LoRA", to: "no such thing") { confidence }',
        'compare(left: "LoRA", right: "no such thing") { statements { confidence } }',
        'papers(entity: "no such thing") { totalCount }',
        "entities(first: -1) { totalCount }",
        'search(text: "LoRA", first: -1) { totalCount }',
        'papers(all: [{entity: "no such thing"}]) { totalCount }',
        'entitiesWhere(all: [{entity: "no such thing"}]) { totalCount }',
    ],
)
def test_a_question_that_fails_leaves_its_siblings_their_answers(ask_anything, failing) -> None:
    answer = ask_anything(f'{{ bad: {failing} good: lineage(of: "ZeRO") {{ nodes {{ depth }} }} }}')
    assert answer["data"]["bad"] is None
    assert answer["data"]["good"]["nodes"]
    (error,) = answer["errors"]
    assert error["path"][0] == "bad"


def test_every_question_may_fail_alone() -> None:
    questions = build_schema(StemmaSchema().as_str()).query_type.fields
    assert not [name for name, each in questions.items() if isinstance(each.type, GraphQLNonNull)]
