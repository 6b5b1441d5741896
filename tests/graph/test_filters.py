"""Filters: impossible ones are refused, and those of a lineage that leave nothing are named."""

from collections.abc import Callable

import pytest

from latest import latest
from stemma.graph import FilterError, FilterField, LineageFilter, Reader, Store, WorkFilter, trace
from stemma.graph.criteria import Years
from stemma.graph.timeline import draw_timeline
from stemma.schema import EntityKind, Extraction, RelationType

INK = "entity/ink"
RELATIONS, LEAST, CATALOGUE, KINDS, YEARS = FilterField


@pytest.fixture
def family(any_store: Store, describe: Callable[..., Extraction]) -> Reader:
    """Quill of 2021 builds on Ink; ZeRO-Infinity on ZeRO, as only the catalogue says."""
    with any_store.writer() as writer:
        writer.put(
            [
                describe("Quill: one", "Quill extends Ink.", "framework Quill: INTRODUCES",
                         "technique Ink: BUILDS_ON 0.5", published="2021"),
                describe("Two", "ZeRO-Infinity and ZeRO.", "framework ZeRO-Infinity: USES",
                         "technique ZeRO: USES"),
            ],
            "hand",
        )  # fmt: skip
        writer.commit()
    return latest(any_store)


@pytest.mark.parametrize(
    ("of", "filter", "blamed"),
    [
        (INK, LineageFilter(), ()),
        (INK, LineageFilter(min_confidence=0.4), ()),
        (INK, LineageFilter(min_confidence=0.6), (LEAST,)),
        (INK, LineageFilter(relations=(RelationType.IMPROVES_ON,)), (RELATIONS,)),
        (INK, LineageFilter(relations=(RelationType.BUILDS_ON,), min_confidence=0.6), (LEAST,)),
        (
            INK,
            LineageFilter(relations=(RelationType.IMPROVES_ON,), min_confidence=0.6),
            (RELATIONS, LEAST),
        ),
        (INK, LineageFilter(include_catalogue=False), ()),
        ("entity/zero", LineageFilter(include_catalogue=False, min_confidence=0.1), (CATALOGUE,)),
        ("entity/quill", LineageFilter(min_confidence=0.9, include_catalogue=False), ()),
    ],
)
def test_the_filters_that_leave_nothing_are_named(family, of, filter, blamed) -> None:
    assert trace(family, of, filter=filter).emptied_by == blamed
    assert draw_timeline(family, of, filter=filter).emptied_by == blamed


@pytest.mark.parametrize(
    ("filters", "blamed"),
    [
        ({"kinds": [EntityKind.FRAMEWORK], "years": Years(2020, 2021)}, ()),
        ({"kinds": [EntityKind.MODEL]}, (KINDS,)),
        ({"years": Years(2022)}, (YEARS,)),
        ({"kinds": [EntityKind.FRAMEWORK], "years": Years(2022)}, (YEARS,)),
        ({"kinds": [EntityKind.MODEL], "years": Years(2022)}, (KINDS, YEARS)),
        ({"kinds": [EntityKind.MODEL], "filter": LineageFilter(min_confidence=0.9)}, (LEAST,)),
    ],
)
def test_so_are_those_of_a_timeline(family, filters, blamed) -> None:
    assert draw_timeline(family, INK, **filters).emptied_by == blamed


@pytest.mark.parametrize("least", [2, -0.1, float("nan")])
def test_a_confidence_goes_from_0_to_1(least) -> None:
    with pytest.raises(FilterError, match="between 0 and 1"):
        LineageFilter(min_confidence=least)


def test_lineage_is_made_of_two_relations() -> None:
    with pytest.raises(FilterError, match="BUILDS_ON and IMPROVES_ON, not of USES"):
        LineageFilter((RelationType.BUILDS_ON, RelationType.USES))


def test_no_year_is_after_its_end() -> None:
    for make in (lambda: Years(2030, 2020), lambda: WorkFilter(year_from=2030, year_to=2020)):
        with pytest.raises(FilterError, match="2030 on and until 2020"):
            make()
    assert Years(2020, 2020).hold(2020)
