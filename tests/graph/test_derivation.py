"""The lineage that one paper states."""

from stemma.graph.linked_extraction import Derivation, derivations, main_contribution
from stemma.schema import Extraction, RelationType
from stemma.schema.name import entity_id


def edges(extraction: Extraction) -> set[tuple[str, str]]:
    ids = {each.name: entity_id(each.name) for each in extraction.entities}
    return {(edge.child, edge.parent) for edge in derivations(extraction, ids)}


def test_the_main_contribution_is_introduced_in_the_title(describe):
    paper = describe(
        "Quill: a store",
        "We present Nib and Quill.",
        "technique Nib: INTRODUCES",
        "framework Quill: INTRODUCES",
    )
    assert main_contribution(paper).name == "Quill"


def test_else_it_is_the_first_that_the_abstract_introduces(describe):
    paper = describe(
        "A store",
        "Beside Ink, we present Nib and Quill.",
        "framework Quill: INTRODUCES",
        "technique Nib: INTRODUCES",
        "technique Ink: USES",
    )
    assert main_contribution(paper).name == "Nib"


def test_a_paper_without_contributions_derives_by_itself(describe):
    paper = describe("A study", "It extends Ink.", "technique Ink: BUILDS_ON")
    assert main_contribution(paper) is None
    assert edges(paper) == {("paper/a-study", "entity/ink")}


def test_the_child_is_the_contribution_that_the_sentence_names(describe):
    paper = describe(
        "Quill: a store",
        "Nib extends Ink. Unlike Vellum, it is quick.",
        "framework Quill: INTRODUCES",
        "technique Nib: INTRODUCES",
        "technique Ink: BUILDS_ON",
        "technique Vellum: IMPROVES_ON",
    )
    assert edges(paper) == {("entity/nib", "entity/ink"), ("entity/quill", "entity/vellum")}


def test_a_sentence_that_names_several_contributions_speaks_of_the_main_one(describe):
    paper = describe(
        "Quill: a store",
        "Nib and Quill extend Ink.",
        "technique Nib: INTRODUCES",
        "framework Quill: INTRODUCES",
        "technique Ink: BUILDS_ON",
    )
    assert edges(paper) == {("entity/quill", "entity/ink")}


def test_only_building_and_improving_make_lineage_and_nothing_derives_from_itself(describe):
    paper = describe(
        "Quill: a store",
        "Quill extends Quill. Quill beats Ink with Vellum on Parchment.",
        "framework Quill: INTRODUCES",
        "framework Quill: BUILDS_ON",
        "technique Ink: COMPARES_WITH",
        "technique Vellum: USES",
        "dataset Parchment: EVALUATED_ON",
    )
    assert edges(paper) == set()


def test_an_edge_is_listed_once_for_each_relation_by_the_surest(describe):
    paper = describe(
        "A study",
        "It extends Ink and INK.",
        "technique Ink: BUILDS_ON 0.4",
        "technique INK: BUILDS_ON 0.7",
        "technique Ink: IMPROVES_ON 0.5",
    )
    ids = {"Ink": "entity/ink", "INK": "entity/ink"}
    assert derivations(paper, ids) == [
        Derivation("paper/a-study", "entity/ink", RelationType.BUILDS_ON, 0.7),
        Derivation("paper/a-study", "entity/ink", RelationType.IMPROVES_ON, 0.5),
    ]
