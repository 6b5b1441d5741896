"""Papers that meet several criteria, and what they name, on a real store."""

import pytest

from described import described
from filled import put
from latest import latest
from stemma.graph import Reader, Store
from stemma.graph import criteria as module
from stemma.graph.criteria import (
    Criterion,
    counts_narrower,
    entities_where,
    papers_where,
)
from stemma.graph.selection import Selection
from stemma.schema import EntityKind, RelationType

USES, RUNS_ON, EVALUATED_ON = RelationType.USES, RelationType.RUNS_ON, RelationType.EVALUATED_ON


@pytest.fixture(scope="module")
def library(store_of_module: Store) -> Reader:
    put(
        store_of_module,
        *described("""
            Quill on silver (2021) | Quill uses Ink on Gaudi and is tested on Psalms.
                | framework Quill: INTRODUCES | technique Ink: USES 0.9
                | hardware Gaudi: RUNS_ON 0.8 | dataset Psalms: EVALUATED_ON 0.7
            Nib on gold (2020) | Nib uses Ink on A100s and is tested on Psalms and Odes.
                | framework Nib: INTRODUCES | technique Ink: USES 0.6
                | hardware A100: RUNS_ON 0.8 [entity/nvidia-a100]
                | dataset Psalms: EVALUATED_ON 0.9 | dataset Odes: EVALUATED_ON 0.9
            Reed on a GPU | Reed names Ink and runs on a GPU. | framework Reed: INTRODUCES
                | technique Ink: MENTIONS 0.5 | hardware GPU: RUNS_ON 0.8 [entity/gpu]
        """),
    )
    return latest(store_of_module)


def titles(found) -> list[str]:
    return [match.paper.title for match in found.matches]


def names(found) -> list[str]:
    return [match.entity.name for match in found.matches]


def test_papers_meet_a_criterion_by_its_relations(library):
    assert titles(papers_where(library, [Criterion("entity/ink", (USES,))])) == [
        "Nib on gold",
        "Quill on silver",
    ]
    whatever = papers_where(library, [Criterion("entity/ink")])
    assert titles(whatever) == ["Nib on gold", "Quill on silver", "Reed on a GPU"]
    assert whatever.total == 3
    assert not whatever.truncated


def test_one_of_several_entities_will_do(library):
    either = Criterion("entity/odes", others=("entity/gpu",))
    assert titles(papers_where(library, [either])) == ["Nib on gold", "Reed on a GPU"]
    narrower = Criterion("entity/gaudi", (RUNS_ON,), include_narrower=True, others=("entity/gpu",))
    assert papers_where(library, [narrower]).total == 3
    assert names(entities_where(library, [either], Selection(relations=(EVALUATED_ON,)))) == [
        "Psalms"
    ]


def test_papers_that_meet_a_criterion_can_be_excluded(library):
    without = Criterion("entity/ink", (USES,), excluded=True)
    assert titles(papers_where(library, [without])) == ["Reed on a GPU"]
    psalms = Criterion("entity/psalms")
    no_odes = Criterion("entity/odes", excluded=True)
    found = papers_where(library, [psalms, no_odes])
    assert titles(found) == ["Quill on silver"]
    (statement,) = found.matches[0].statements
    assert statement.entity == "entity/psalms"
    (quill,) = (match.paper for match in found.matches)
    assert papers_where(library, [Criterion(quill.id, excluded=True)]).total == 2


def test_all_criteria_hold_at_once(library):
    ink, gaudi = Criterion("entity/ink", (USES,)), Criterion("entity/gaudi", (RUNS_ON,))
    found = papers_where(library, [ink, gaudi])
    assert titles(found) == ["Quill on silver"]
    assert {each.entity for each in found.matches[0].statements} == {"entity/ink", "entity/gaudi"}


def test_cases_of_an_entity_count_if_that_is_wanted(library):
    assert titles(papers_where(library, [Criterion("entity/gpu", (RUNS_ON,))])) == ["Reed on a GPU"]
    cases = papers_where(library, [Criterion("entity/gpu", (RUNS_ON,), include_narrower=True)])
    assert titles(cases) == ["Nib on gold", "Reed on a GPU"]


def test_years_and_words_of_the_title_narrow_it_down(library):
    ink = Criterion("entity/ink")
    assert titles(papers_where(library, [ink], Selection(since=2021))) == ["Quill on silver"]
    assert titles(papers_where(library, [ink], Selection(text="nib ON"))) == ["Nib on gold"]
    assert titles(papers_where(library, (), Selection(text="silver"))) == ["Quill on silver"]
    assert papers_where(library, (), Selection(since=2020, until=2021)).total == 2


def test_a_paper_is_a_criterion_that_it_alone_meets(library):
    own = Criterion("paper/nib-on-gold")
    assert titles(papers_where(library, [own])) == ["Nib on gold"]
    assert titles(papers_where(library, [own, Criterion("entity/ink")])) == ["Nib on gold"]
    assert titles(papers_where(library, [own, Criterion("entity/gaudi")])) == []
    assert titles(papers_where(library, [own], Selection(since=2021))) == []
    assert names(entities_where(library, [own], Selection(kinds=(EntityKind.HARDWARE,)))) == [
        "NVIDIA A100"
    ]


def test_what_such_papers_name_comes_by_the_number_of_papers(library):
    found = entities_where(
        library,
        [Criterion("entity/ink", (USES,))],
        Selection(kinds=(EntityKind.DATASET,), relations=(EVALUATED_ON,)),
    )
    assert names(found) == ["Psalms", "Odes"]
    assert [each.confidence for each in found.matches[0].statements] == [0.9, 0.7]
    assert "Ink" not in names(entities_where(library, [Criterion("entity/ink")]))


def test_the_first_are_returned_and_all_are_counted(library):
    found = papers_where(library, [Criterion("entity/ink")], Selection(first=1))
    assert (titles(found), found.total) == (["Nib on gold"], 3)
    entities = entities_where(library, [Criterion("entity/ink")], Selection(first=1))
    assert len(entities.matches) == 1 < entities.total


def test_what_lies_beyond_the_bounds_is_reported(library, monkeypatch):
    monkeypatch.setattr(module, "MOST_SOURCES", 1)
    assert entities_where(library, [Criterion("entity/ink")]).truncated


def test_who_asks_for_a_class_of_things_means_what_is_narrower(library):
    works = library.works(["entity/gpu", "entity/gaudi", "entity/nib", "paper/nib-on-gold"])
    assert [each for each in works if counts_narrower(library, works[each])] == ["entity/gpu"]
