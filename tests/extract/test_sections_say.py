"""What a section says: which passages state a relation, and how sure several of them make it."""

import pytest

from stemma.extract import Extractor
from stemma.extract.sections.section_reader import SectionReader
from stemma.extract.sections.trust import Trust
from stemma.extract.sections.window import windows
from stemma.schema import (
    EntityKind,
    Evidence,
    Field,
    FoundEntity,
    FoundRelation,
    FullText,
    Mention,
    Paper,
    RelationType,
    Section,
)

ABSTRACT = "We present Kelpie."
OWN = FoundEntity(
    "Kelpie", EntityKind.FRAMEWORK, None, (Mention("Kelpie", Field.ABSTRACT, 11, 17),)
)
PRESENTED = FoundRelation(
    RelationType.INTRODUCES, "Kelpie", 0.9, (Evidence(ABSTRACT, Field.ABSTRACT, 0, 18),), "test"
)
Passage = tuple[str, RelationType, float, str]
"""The kind of a section, what the network reads in it with which confidence, and its text."""


def stated(
    name: str, *passages: Passage, kind: EntityKind = EntityKind.TECHNIQUE
) -> dict[str, float]:
    """Return what a paper states of a name, with confidences, where the network reads passages."""
    sections = tuple(Section(Field(each[0]), "", each[3]) for each in passages)
    paper = Paper("paper/x", "Kelpie", ABSTRACT, full_text=FullText.of(sections))
    reader = SectionReader(paper, ((OWN,), (PRESENTED,)), Trust.read(), lambda key: ())
    for window in windows(paper.full_text, {}):
        _, relation, confidence, text = passages[window.section]
        at = text.index(name)
        mention = Mention(name, Field.ABSTRACT, at, at + len(name))
        evidence = Evidence(text, Field.ABSTRACT, 0, len(text))
        found = FoundRelation(relation, name, confidence, (evidence,), "test")
        reader.add(window, ((FoundEntity(name, kind, None, (mention,)),), (found,)))
    _, (_, relations) = reader.result()
    return {each.type.value: each.confidence for each in relations if each.entity == name}


BUILDS, IMPROVES = RelationType.BUILDS_ON, RelationType.IMPROVES_ON
USES, EVALUATED = RelationType.USES, RelationType.EVALUATED_ON


@pytest.mark.parametrize(
    "passage",
    [
        ("introduction", BUILDS, 0.7, "We build on Tide."),
        ("experiments", BUILDS, 0.95, "We build on Tide."),
        ("conclusion", BUILDS, 0.95, "We build on Tide."),
        ("other", IMPROVES, 0.95, "Tide is slow, and we are not."),
        ("method", BUILDS, 0.95, "Ours is similar to Tide."),
        ("method", BUILDS, 0.95, "In future work we extend Tide."),
        ("introduction", BUILDS, 0.95, "We compare with Fjord [7], which is derived from Tide."),
        ("method", BUILDS, 0.95, "Fjord builds on Tide."),
    ],
)
def test_sections_state_lineage_only_where_it_is_sure_and_of_this_paper(passage: Passage) -> None:
    assert stated("Tide", passage) == {}


def test_sections_state_the_lineage_that_they_are_sure_of() -> None:
    assert stated("Tide", ("introduction", BUILDS, 0.9, "We build on Tide.")) == {"BUILDS_ON": 0.9}
    limit = ("related-work", IMPROVES, 0.9, "Tide is slow.")
    assert stated("Tide", limit) == {"IMPROVES_ON": 0.855}


def test_several_passages_make_a_statement_surer_than_one() -> None:
    one = ("introduction", BUILDS, 0.7, "We build on Tide.")
    assert stated("Tide", one, ("method", BUILDS, 0.6, "Kelpie extends Tide.")) == {
        "BUILDS_ON": pytest.approx(1 - 0.3 * (1 - 0.6 * 0.95), abs=0.001)
    }


@pytest.mark.parametrize(
    "name", ["Kelpie-R", "Kelpie", "Section 3.1", "Table 9", "see Appendix A.5"]
)
def test_parts_of_a_paper_and_of_its_contribution_are_no_ancestors(name: str) -> None:
    assert BUILDS.value not in stated(name, ("method", BUILDS, 0.95, f"We build on {name}."))


def test_what_a_system_is_written_in_is_no_ancestor() -> None:
    passage = ("method", BUILDS, 0.95, "We implement Kelpie in Tide.")
    assert stated("Tide", passage, kind=EntityKind.FRAMEWORK) == {}


def test_a_baseline_is_not_what_is_evaluated() -> None:
    compared = ("experiments", RelationType.COMPARES_WITH, 0.9, "We beat Tide.")
    evaluated = ("experiments", EVALUATED, 0.9, "We run Tide.")
    assert [*stated("Tide", compared, evaluated, kind=EntityKind.MODEL)] == ["COMPARES_WITH"]


WORDED = [
    ("FooServe builds on vLLM and improves on Orca.", "Orca", "IMPROVES_ON"),
    ("FooServe, our system, improves upon Orca and vLLM.", "vLLM", "IMPROVES_ON"),
    ("We present FooServe, which extends vLLM, and Zib, which extends Orca.", "Zib", "INTRODUCES"),
]


@pytest.mark.parametrize("fast", [True, False])
def test_wording_that_leaves_no_doubt_decides_on_a_relation(fast: bool) -> None:
    texts = [("FooServe: Serving", f"We present FooServe. {text}") for text, *_ in WORDED]
    for (_, name, relation), found in zip(WORDED, Extractor(fast=fast).find(texts), strict=True):
        assert not isinstance(found, str)
        (sentence,) = {e.text for r in found[1] if r.entity == name for e in r.evidence}
        assert name in sentence
        assert relation in {each.type.value for each in found[1] if each.entity == name}


def test_what_another_work_improves_on_is_nothing_of_the_paper() -> None:
    text = "We present FooServe, which uses vLLM. vLLM improves on Orca."
    (found,) = Extractor(fast=True).find([("FooServe: Serving", text)])
    assert not isinstance(found, str)
    assert not any(each.type is IMPROVES for each in found[1])
