"""What a section says: which passages state a relation, and how sure several of them make it."""

import pytest

from stemma.extract.sections.features import EntityReading, EntitySentence
from stemma.extract.sections.section_reader import SectionReader
from stemma.extract.sections.trust import Trust
from stemma.schema import EntityKind, Evidence, FoundEntity, FoundRelation, Mention, RelationType
from stemma.schema.paper import Citation, Field, FullText, Paper, Reference, Section

ABSTRACT = "We present Kelpie."
MENTION = Mention("Kelpie", Field.ABSTRACT, 11, 17)
OWN = FoundEntity("Kelpie", EntityKind.FRAMEWORK, None, (MENTION,))
PRESENTED = FoundRelation(
    RelationType.INTRODUCES, "Kelpie", 0.9, (Evidence(ABSTRACT, Field.ABSTRACT, 0, 18),), "test"
)
Passage = tuple[str, RelationType, float, str]
"""The kind of a section, what the network reads in it with which confidence, and its text."""


TRUST = Trust(
    {each: {"least": 0.6, f"best {each}": 1.0} for each in RelationType if each != "MENTIONS"}
)
"""What makes a relation as sure as the surest passage is."""


def reader_of(*sections: Section, trust: Trust = TRUST) -> SectionReader:
    paper = Paper("paper/x", "Kelpie", ABSTRACT, full_text=FullText.of(sections))
    return SectionReader(paper, ((OWN,), (PRESENTED,)), trust, {})


def stated(
    name: str, *passages: Passage, kind: EntityKind = EntityKind.TECHNIQUE, trust: Trust = TRUST
) -> dict[str, float]:
    """Return what a paper states of a name, with confidences, where the network reads passages."""
    reader = reader_of(*(Section(Field(each[0]), "", each[3]) for each in passages), trust=trust)
    for window in reader.windows():
        _, relation, likely, text = passages[window.section]
        at = text.index(name)
        names = ((at, at + len(name)),)
        sentence = EntitySentence(
            0, len(text), text, names, (), {relation: likely}, {relation: 1.0}
        )
        read = EntityReading(name, kind, None, frozenset([name]), 1.0, (sentence,))
        reader.add(window, [read])
    _, (_, relations) = reader.result()
    return {each.type.value: each.confidence for each in relations if each.entity == name}


BUILDS, IMPROVES = RelationType.BUILDS_ON, RelationType.IMPROVES_ON
USES, EVALUATED = RelationType.USES, RelationType.EVALUATED_ON


@pytest.mark.parametrize(
    "passages",
    [
        [("introduction", BUILDS, 0.5, "We build on Tide.")],
        [("method", BUILDS, 0.95, "Ours is similar to Tide.")],
        [("method", BUILDS, 0.95, "In future work we extend Tide.")],
        [("introduction", BUILDS, 0.95, "We compare with Fjord [7], which is derived from Tide.")],
        [("method", BUILDS, 0.95, "Fjord builds on Tide.")],
        [
            ("conclusion", USES, 0.1, "We are done with Tide."),
            ("other", IMPROVES, 0.95, "Tide is slow, and we are not."),
        ],
    ],
    ids=["unsure", "alike", "future", "other descent", "another work", "appendix"],
)
def test_sections_state_lineage_only_where_it_is_sure_and_of_this_paper(passages):
    assert stated("Tide", *passages) == {}


def test_a_relation_that_sections_state_is_as_sure_as_the_weights_of_its_features_say() -> None:
    passage = ("introduction", BUILDS, 0.9, "We build on Tide.")
    assert stated("Tide", passage) == {"BUILDS_ON": 0.9}
    more = Trust({BUILDS: {**TRUST.table[BUILDS], "ours introduction": 1.0, "ours method": 1.0}})
    (one,) = stated("Tide", passage, trust=more).values()
    again = ("method", BUILDS, 0.6, "Kelpie extends Tide.")
    (several,) = stated("Tide", passage, again, trust=more).values()
    assert 0.9 < one < several


def reading(name: str, *forms: str, **likely: float) -> EntityReading:
    """What the network reads of a name in a sentence that begins with it."""
    types = {RelationType(each): one for each, one in likely.items()}
    said = EntitySentence(0, 13, name, ((0, len(name)),), (), types, dict.fromkeys(types, 1.0))
    return EntityReading(name, EntityKind.TECHNIQUE, None, frozenset(forms), 1.0, (said,))


def test_names_that_one_window_has_for_one_thing_are_of_one_entity() -> None:
    texts = "Tidal sorting (TS) is slow. We extend TS.", "TS sorts tides."
    reader = reader_of(*(Section(Field.METHOD, "", text) for text in texts))
    for window, own in zip(reader.windows(), (("Tidal sorting", "TS"), ("TS",)), strict=True):
        reader.add(window, [reading("TS", *own, BUILDS_ON=0.9)])
    (entity,) = reader.collected()
    assert len(entity.readings) == 2


def test_more_windows_make_a_relation_surer_as_the_weights_of_all_windows_say() -> None:
    def features_of(*likely: float) -> dict[str, float]:
        reader = reader_of(Section(Field.METHOD, "", "Tide sorts all."))
        for each in likely:
            reader.add(reader.windows()[0], [reading("Tide", "Tide", BUILDS_ON=each)])
        (entity,) = reader.collected()
        return {k: round(v, 2) for k, v in entity.features_of(BUILDS).items()}

    once, twice = features_of(0.5), features_of(0.5, 0.3)
    assert (once["second"], once["mean"]) == (0.0, 0.5)
    assert (twice["second"], twice["mean"]) == (0.3, 0.4)
    assert 0 == once["any"] < twice["any"]


def test_an_entity_is_known_by_the_sections_that_cite_its_work() -> None:
    cited = Reference(title="Tidal Sorting in Practice")
    reader = reader_of(
        Section(Field.INTRODUCTION, "", "Tide [1] is slow.", (Citation(5, 8, cited),)),
        Section(Field.METHOD, "", "We extend [1].", (Citation(10, 13, cited),)),
    )
    reader.add(reader.windows()[0], [reading("Tide", "Tide")])
    (entity,) = reader.collected()
    assert entity.cited_in == {Field.INTRODUCTION, Field.METHOD}


def test_figures_and_formulas_are_not_read() -> None:
    texts = "We build on Tide.", "Tide 0 20 40 60 80 (a) x = 3"
    reader = reader_of(*(Section(Field.METHOD, "", text) for text in texts))
    assert [window.text for window in reader.windows()] == ["We build on Tide."]


@pytest.mark.parametrize("name", ["Kelpie-R", "Kelpie", "Section 3.1"])
def test_parts_of_a_paper_and_of_its_contribution_are_no_ancestors(name: str) -> None:
    assert BUILDS.value not in stated(name, ("method", BUILDS, 0.95, f"We build on {name}."))


def test_a_part_of_the_contribution_is_introduced() -> None:
    passage = ("method", RelationType.INTRODUCES, 0.9, "We present Kelpie-R.")
    assert stated("Kelpie-R", passage) == {"INTRODUCES": 0.9}


def test_a_baseline_is_not_what_is_evaluated() -> None:
    compared = ("experiments", RelationType.COMPARES_WITH, 0.9, "We beat Tide.")
    evaluated = ("experiments", EVALUATED, 0.9, "We run Tide.")
    assert [*stated("Tide", compared, evaluated, kind=EntityKind.MODEL)] == ["COMPARES_WITH"]


@pytest.mark.parametrize(
    ("names", "entities"),
    [
        (("Tidal network", "Tidal"), 1),
        (("Batch Sorting", "batch-sorted"), 1),
        (("TSN", "Tidal Sorting Network"), 1),
        (("TSN", "Tidal Sorting Network", "Tame Stream Net"), 3),
    ],
)
def test_names_of_one_thing_are_joined_but_not_an_acronym_of_two(names, entities) -> None:
    reader = reader_of(*(Section(Field.METHOD, "", f"{name} sorts all tides.") for name in names))
    for window, own in zip(reader.windows(), names, strict=True):
        reader.add(window, [reading(own, own, BUILDS_ON=0.9)])
    assert len(reader.collected()) == entities


def test_a_work_is_called_what_the_paper_calls_it_beside_a_citation() -> None:
    cited = Reference("1", "Sorting the tides of many seas")
    named, unnamed = "Tidal [1] is slow, and sorts all.", "We build on [1], which sorts the tides."
    marks = (Citation(6, 9, cited),), (Citation(12, 15, cited),)
    sections = (
        Section(Field.METHOD, "", text, own)
        for text, own in zip((named, unnamed), marks, strict=True)
    )
    reader = reader_of(*sections)
    first, second = reader.windows()
    placeholder = second.text[12:].split(",")[0]
    reader.add(first, [reading("Tidal", "Tidal", IMPROVES_ON=0.9)])
    reader.add(second, [reading(placeholder, placeholder, BUILDS_ON=0.9)])
    assert [collected.entity.name for collected in reader.collected()] == ["Tidal"]
