"""The lineage that one paper states."""

import pytest

from described import describe
from stemma.graph.linked_extraction import Derivation, derivations, main_contribution
from stemma.schema import RelationType
from stemma.schema.name import entity_id

QUILL, NIB = "framework Quill: INTRODUCES", "technique Nib: INTRODUCES"
BUILDS, VELLUM = "technique Ink: BUILDS_ON", "technique Vellum: IMPROVES_ON"


@pytest.mark.parametrize(
    ("title", "abstract", "stated", "main"),
    [
        ("Quill: a store", "We present Nib and Quill.", [NIB, QUILL], "Quill"),
        ("A store", "Beside Ink, we present Nib and Quill.", [QUILL, NIB, BUILDS], "Nib"),
        ("A study", "It extends Ink.", [BUILDS], None),
    ],
    ids=["what the title introduces", "else what the abstract introduces first", "else none"],
)
def test_the_main_contribution(title, abstract, stated, main):
    found = main_contribution(describe(title, abstract, *stated))
    assert (found and found.name) == main


DERIVED = {
    "a paper without contributions derives by itself": (
        *("It extends Ink.", [BUILDS]),
        {("paper/quill-a-store", "entity/ink")},
    ),
    "the child is the contribution that the sentence names": (
        *("Nib extends Ink. Unlike Vellum, it is quick.", [QUILL, NIB, BUILDS, VELLUM]),
        {("entity/nib", "entity/ink"), ("entity/quill", "entity/vellum")},
    ),
    "of several that it names, the main one": (
        *("Nib and Quill extend Ink.", [NIB, QUILL, BUILDS]),
        {("entity/quill", "entity/ink")},
    ),
    "other relations make no lineage, and nothing derives from itself": (
        "Quill extends Quill. Quill beats Ink with Vellum.",
        [
            QUILL,
            "framework Quill: BUILDS_ON",
            "technique Ink: COMPARES_WITH",
            "technique Vellum: USES",
        ],
        set(),
    ),
}


@pytest.mark.parametrize(("abstract", "stated", "edges"), DERIVED.values(), ids=DERIVED)
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
