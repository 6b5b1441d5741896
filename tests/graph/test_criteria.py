"""Papers that meet several criteria, and what they name, on a real store."""

import pytest

from described import described
from filled import put
from latest import latest
from stemma.graph import Criterion, PageOrder, Reader, Store, WorkType
from stemma.graph import searching as module
from stemma.graph.searching import entities_meant, entities_where, meeting_statements, papers_filter
from stemma.graph.selection import Selection
from stemma.schema import EntityKind, RelationType

USES, RUNS_ON, EVALUATED_ON = RelationType.USES, RelationType.RUNS_ON, RelationType.EVALUATED_ON


@pytest.fixture(scope="module")
def library(store_of_module: Store) -> Reader:
    put(store_of_module, *described("""
        Quill on silver (2021) | Quill uses Ink on Gaudi and is tested on Psalms.
            | framework Quill: INTRODUCES | technique Ink: USES 0.9
            | hardware Gaudi: RUNS_ON 0.8 | dataset Psalms: EVALUATED_ON 0.7
        Nib on gold (2020) | Nib uses Ink on A100s and is tested on Psalms and Odes.
            | framework Nib: INTRODUCES | technique Ink: USES 0.6
            | hardware A100: RUNS_ON 0.8 [entity/nvidia-a100]
            | dataset Psalms: EVALUATED_ON 0.9 | dataset Odes: EVALUATED_ON 0.9
        Reed on a GPU | Reed names Ink and runs on a GPU. | framework Reed: INTRODUCES
            | technique Ink: MENTIONS 0.5 | hardware GPU: RUNS_ON 0.8 [entity/gpu]
    """))  # fmt: skip
    return latest(store_of_module)


def names(page) -> list[str]:
    return [match.entity.name for match in page.items]


INK, GPU, GAUDI, ODES = (f"entity/{each}" for each in ("ink", "gpu", "gaudi", "odes"))
USES_INK = Criterion((INK,), (USES,))
NIB = Criterion(("paper/nib-on-gold",))
NARROWER = {"include_narrower": True}
QUESTIONS: dict[str, tuple[list[Criterion], dict[str, object], str]] = {
    "whatever is said": ([Criterion((INK,))], {}, "Nib, Quill, Reed"),
    "what some relations say": ([USES_INK], {}, "Nib, Quill"),
    "one of several entities will do": ([Criterion((ODES, GPU))], {}, "Nib, Reed"),
    "and what is narrower than one": (
        [Criterion((GAUDI, GPU), (RUNS_ON,), **NARROWER)],
        *({}, "Nib, Quill, Reed"),
    ),
    "papers can be excluded": ([Criterion((INK,), (USES,), excluded=True)], {}, "Reed"),
    "beside one that they have to meet": (
        [Criterion(("entity/psalms",)), Criterion((ODES,), excluded=True)],
        *({}, "Quill"),
    ),
    "and so can a paper": ([Criterion(("paper/quill-on-silver",), excluded=True)], {}, "Nib, Reed"),
    "all hold at once": ([USES_INK, Criterion((GAUDI,), (RUNS_ON,))], {}, "Quill"),
    "by their relations": ([USES_INK, Criterion((GPU,), (RUNS_ON,))], {}, ""),
    "cases of an entity do not count": ([Criterion((GPU,), (RUNS_ON,))], {}, "Reed"),
    "unless that is wanted": ([Criterion((GPU,), (RUNS_ON,), **NARROWER)], {}, "Nib, Reed"),
    "years narrow it down": ([Criterion((INK,))], {"since": 2021}, "Quill"),
    "so do words of the title": ([Criterion((INK,))], {"text": "nib ON"}, "Nib"),
    "without a criterion": ([], {"text": "silver"}, "Quill"),
    "a paper is a criterion that it alone meets": ([NIB], {}, "Nib"),
    "or not": ([NIB, Criterion((GAUDI,))], {}, ""),
}


@pytest.mark.parametrize(("criteria", "selection", "expected"), QUESTIONS.values(), ids=QUESTIONS)
def test_which_papers_meet_criteria(library, criteria, selection, expected) -> None:
    chosen = papers_filter(library, Selection(**selection), criteria)
    page = library.page(WorkType.PAPER, chosen.changed(order=PageOrder.PUBLISHED))
    assert ", ".join(paper.title.split()[0] for paper in page.items) == expected
    assert page.total == len(page.items)


def test_statements_tell_why_a_paper_meets_all(library):
    chosen = papers_filter(library, Selection(), [USES_INK, Criterion((GAUDI,), (RUNS_ON,))])
    (paper,) = library.ids(WorkType.PAPER, chosen)
    stated = meeting_statements(library, [paper], chosen)
    assert {each.entity for each in stated[paper]} == {INK, GAUDI}


def test_what_such_papers_name_comes_by_the_number_of_papers(library):
    chosen = Selection(kinds=(EntityKind.DATASET,), relations=(EVALUATED_ON,))
    page = entities_where(library, [USES_INK], chosen)
    assert names(page) == ["Psalms", "Odes"]
    assert [statement.confidence for statement in page.items[0].statements] == [0.9, 0.7]
    assert "Ink" not in names(entities_where(library, [Criterion((INK,))]))
    either = Criterion((ODES, GPU))
    evaluated = Selection(relations=(EVALUATED_ON,))
    assert names(entities_where(library, [either], evaluated)) == ["Psalms"]
    hardware = Selection(kinds=(EntityKind.HARDWARE,))
    assert names(entities_where(library, [NIB], hardware)) == ["NVIDIA A100"]


def test_the_first_are_returned_and_all_are_counted(library, monkeypatch):
    entities = entities_where(library, [Criterion((INK,))], Selection(first=1))
    assert len(entities.items) == 1 < entities.total
    monkeypatch.setattr(module, "MOST_SOURCES", 1)
    assert entities_where(library, [Criterion((INK,))]).truncated, (
        "as is what lies beyond the bounds"
    )


def test_who_asks_for_a_class_of_things_means_what_is_narrower(library):
    works = library.works([GPU, GAUDI, "entity/nib", *NIB.entities])
    assert [work for work in works if len(entities_meant(library, works[work])) > 1] == [GPU]
