"""The lineage that one paper states."""

import pytest

from described import describe
from stemma.graph.linked_extraction import Derivation, derivations, main_contribution
from stemma.schema import RelationType
from stemma.schema.name import entity_id

QUILL, NIB = "framework Quill: INTRODUCES", "technique Nib: INTRODUCES"


@pytest.mark.parametrize(
    ("title", "abstract", "stated", "main"),
    [
        ("Quill: a store", "We present Nib and Quill.", [NIB, QUILL], "Quill"),
        ("A store", "Beside Ink, we present Nib and Quill.", [QUILL, NIB, "technique Ink: USES"],
         "Nib"),
        ("A study", "It extends Ink.", ["technique Ink: BUILDS_ON"], None),
    ],
    ids=["what the title introduces", "else what the abstract introduces first", "else none"],
)  # fmt: skip
def test_the_main_contribution(title, abstract, stated, main):
    found = main_contribution(describe(title, abstract, *stated))
    assert (found and found.name) == main


@pytest.mark.parametrize(
    ("abstract", "stated", "edges"),
    [
        ("It extends Ink.", ["technique Ink: BUILDS_ON"], {("paper/quill-a-store", "entity/ink")}),
        (
            "Nib extends Ink. Unlike Vellum, it is quick.",
            [QUILL, NIB, "technique Ink: BUILDS_ON", "technique Vellum: IMPROVES_ON"],
            {("entity/nib", "entity/ink"), ("entity/quill", "entity/vellum")},
        ),
        (
            "Nib and Quill extend Ink.",
            [NIB, QUILL, "technique Ink: BUILDS_ON"],
            {("entity/quill", "entity/ink")},
        ),
        (
            "Quill extends Quill. Quill beats Ink with Vellum on Parchment.",
            [QUILL, "framework Quill: BUILDS_ON", "technique Ink: COMPARES_WITH",
             "technique Vellum: USES", "dataset Parchment: EVALUATED_ON"],
            set(),
        ),
    ],
    ids=[
        "a paper without contributions derives by itself",
        "the child is the contribution that the sentence names",
        "of several that it names, the main one",
        "other relations make no lineage, and nothing derives from itself",
    ],
)  # fmt: skip
def test_what_derives_from_what(abstract, stated, edges):
    paper = describe("Quill: a store", abstract, *stated)
    ids = {each.name: entity_id(each.name) for each in paper.entities}
    assert {(edge.child, edge.parent) for edge in derivations(paper, ids)} == edges


def test_an_edge_is_listed_once_for_each_relation_by_the_surest():
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
