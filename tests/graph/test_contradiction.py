"""The lineage that one paper states, and what papers seem to say, and cannot."""

import pytest

from described import describe, described
from filled import append, decide, put
from latest import latest
from stemma.graph.lineage import trace
from stemma.graph.linked_extraction import derivations, main_contribution
from stemma.graph.store import Store
from stemma.schema import RelationType
from stemma.schema.decision import Confirm, Reject
from stemma.schema.name import entity_id, paper_id

ZERO_PAPER = "paper/sharding-states-with-zero"
ZERO = (
    "Sharding States with ZeRO",
    "We shard what Adam keeps. On top of ZeRO we built ZeRO-Infinity, an engine.",
    "technique ZeRO: INTRODUCES", "framework ZeRO-Infinity: BUILDS_ON 0.8",
    "technique Adam: BUILDS_ON 0.7",
)  # fmt: skip


def said(store: Store, paper: str) -> set[tuple[str, str]]:
    return {
        (statement.relation.value, statement.entity.removeprefix("entity/"))
        for statement in latest(store).statements([paper])[paper]
    }


def test_a_paper_uses_what_it_seems_to_introduce_years_after_others(store):
    late, again, first = described("""
        Late (2020) | We present adam, after ZeRO. | technique adam: INTRODUCES
            | technique ZeRO: BUILDS_ON
        Again (2020) | We present adam and use adam. | technique adam: INTRODUCES
            | technique adam: USES
        First (2014) | We present adam. | technique adam: INTRODUCES
    """)
    put(store, late, first)
    put(store, again)
    assert said(store, "paper/late") == {("USES", "adam"), ("BUILDS_ON", "zero")}
    assert said(store, "paper/again") == {("USES", "adam")}
    assert said(store, "paper/first") == {("INTRODUCES", "adam")}
    reader = latest(store)
    assert [edge.child for edge in trace(reader, "entity/zero").edges] == ["paper/late"]
    assert str(reader.published(["entity/adam"])["entity/adam"]) == "2014"


def test_what_a_paper_seems_to_introduce_is_as_people_decide(store):
    put(store, *described("""
        Late (2020) | We present adam, use adam, and extend ZeRO.
            | technique adam: INTRODUCES | technique adam: USES | technique ZeRO: BUILDS_ON
    """))  # fmt: skip
    decide(store, Reject("paper/late", RelationType.USES, "entity/adam"))
    assert said(store, "paper/late") == {("BUILDS_ON", "zero")}
    with store.writer() as writer:
        writer.undo(1)
        writer.decide(Confirm("paper/late", RelationType.INTRODUCES, "entity/adam"))
        writer.commit()
    assert said(store, "paper/late") == {("INTRODUCES", "adam"), ("USES", "adam")}, (
        "what it introduces does not build on its descendants"
    )


CASES = {
    "a descendant is no work that one's own builds on": (
        ZERO, {("INTRODUCES", "zero"), ("BUILDS_ON", "adam")},
    ),
    "a remote descendant contradicts as well": (
        ("Adam", "We present Adam for ZeRO-Infinity.", "technique Adam: INTRODUCES",
         "framework ZeRO-Infinity: IMPROVES_ON 0.8", "technique ZeRO: USES"),
        {("INTRODUCES", "adam"), ("USES", "zero")},
    ),
    "a paper does not build on what it introduces": (
        ("Zero Waste", "We present ZeRO. We extend Zero Redundancy Optimizer.",
         "technique ZeRO: INTRODUCES", "technique Zero Redundancy Optimizer: BUILDS_ON 0.8"),
        {("INTRODUCES", "zero")},
    ),
    "what it does not introduce may have descendants": (
        ("Faster Disks for ZeRO-Infinity", "We extend ZeRO-Infinity. We also extend ZeRO.",
         "framework ZeRO-Infinity: BUILDS_ON", "technique ZeRO: BUILDS_ON"),
        {("BUILDS_ON", "zero-infinity"), ("BUILDS_ON", "zero")},
    ),
}  # fmt: skip
"""A paper, and what it says in the end."""


@pytest.mark.parametrize(("paper", "expected"), CASES.values(), ids=CASES)
def test_what_cannot_be_is_not_said(store, paper, expected):
    put(store, describe(*paper, published="2014"))
    assert said(store, paper_id(paper[0])) == expected


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Confirm(ZERO_PAPER, RelationType.BUILDS_ON, "entity/zero-infinity"), "BUILDS_ON"),
        (Reject("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero"), "BUILDS_ON"),
        (Reject(ZERO_PAPER, RelationType.BUILDS_ON, "entity/zero-infinity"), None),
    ],
)
def test_what_people_decided_stands(store, decision, expected):
    append(store.decisions, decision)
    put(store, describe(*ZERO))
    relations = {type_ for type_, entity in said(store, ZERO_PAPER) if entity == "zero-infinity"}
    assert relations == ({expected} if expected else set())


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
    entity = main_contribution(describe(title, abstract, *stated))
    assert (entity and entity.name) == main


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
        [QUILL, "framework Quill: BUILDS_ON", "technique Ink: USES", "technique Vellum: USES"],
        set(),
    ),
}


@pytest.mark.parametrize(("abstract", "stated", "edges"), DERIVED.values(), ids=DERIVED)
def test_what_derives_from_what(abstract, stated, edges):
    paper = describe("Quill: a store", abstract, *stated)
    ids = {entity.name: entity_id(entity.name) for entity in paper.entities}
    assert {(child, parent) for child, parent, _ in derivations(paper, ids)} == edges


def test_an_edge_is_listed_once_for_each_relation_by_the_surest():
    paper = describe(
        "A study",
        "It extends Ink and INK.",
        "technique Ink: BUILDS_ON 0.4",
        "technique INK: BUILDS_ON 0.7",
        "technique Ink: IMPROVES_ON 0.5",
    )
    ids = {"Ink": "entity/ink", "INK": "entity/ink"}
    assert derivations(paper, ids) == {
        ("paper/a-study", "entity/ink", RelationType.BUILDS_ON): 0.7,
        ("paper/a-study", "entity/ink", RelationType.IMPROVES_ON): 0.5,
    }
