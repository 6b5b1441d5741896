"""Filters: impossible ones are refused, and those of a lineage that leave nothing are named."""

import pytest

from described import described
from filled import put
from latest import latest
from stemma.graph import FilterError, FilterField, LineageFilter, Reader, Store, WorkFilter, trace
from stemma.graph.selection import Selection
from stemma.schema import EntityKind, PartialDate, RelationType

INK = "entity/ink"
RELATIONS, LEAST, CATALOGUE, AS_OF, KINDS, YEARS = FilterField


@pytest.fixture(scope="module")
def family(store_of_module: Store) -> Reader:
    """Quill of 2021 builds on Ink; ZeRO-Infinity on ZeRO, as only the catalogue says."""
    put(
        store_of_module,
        *described("""
            Quill: one (2021) | Quill extends Ink. | framework Quill: INTRODUCES
                | technique Ink: BUILDS_ON 0.5
            Two | ZeRO-Infinity and ZeRO. | framework ZeRO-Infinity: USES | technique ZeRO: USES
        """),
    )
    return latest(store_of_module)


@pytest.mark.parametrize(
    ("of", "filter", "blamed"),
    [
        (INK, Selection(), ()),
        (INK, Selection(min_confidence=0.4), ()),
        (INK, Selection(min_confidence=0.6), (LEAST,)),
        (INK, Selection(relations=(RelationType.IMPROVES_ON,)), (RELATIONS,)),
        (INK, Selection(relations=(RelationType.BUILDS_ON,), min_confidence=0.6), (LEAST,)),
        (
            INK,
            Selection(relations=(RelationType.IMPROVES_ON,), min_confidence=0.6),
            (RELATIONS, LEAST),
        ),
        (INK, Selection(include_catalogue=False), ()),
        ("entity/zero", Selection(include_catalogue=False, min_confidence=0.1), (CATALOGUE,)),
        ("entity/quill", Selection(min_confidence=0.9, include_catalogue=False), ()),
        (INK, Selection(as_of=PartialDate(2021)), ()),
        (INK, Selection(as_of=PartialDate(2021, 1, 1)), ()),
        (INK, Selection(as_of=PartialDate(2020, 12)), (AS_OF,)),
        (INK, Selection(as_of=PartialDate(2020), min_confidence=0.6), (LEAST, AS_OF)),
        ("entity/zero", Selection(as_of=PartialDate(2021)), ()),
        ("entity/zero", Selection(as_of=PartialDate(2020)), (AS_OF,)),
        # Those that choose what is shown.
        (INK, Selection(kinds=(EntityKind.FRAMEWORK,), since=2020, until=2021), ()),
        (INK, Selection(kinds=(EntityKind.MODEL,)), (KINDS,)),
        (INK, Selection(since=2022), (YEARS,)),
        (INK, Selection(kinds=(EntityKind.FRAMEWORK,), since=2022), (YEARS,)),
        (INK, Selection(kinds=(EntityKind.MODEL,), since=2022), (KINDS, YEARS)),
        (INK, Selection(kinds=(EntityKind.MODEL,), min_confidence=0.9), (LEAST,)),
    ],
)
def test_the_filters_that_leave_nothing_are_named(family, of, filter, blamed) -> None:
    assert trace(family, of, filter).emptied_by == blamed


def test_what_makes_no_sense_is_refused() -> None:
    for least in (2, -0.1, float("nan")):
        with pytest.raises(FilterError, match="between 0 and 1"):
            LineageFilter(min_confidence=least)
    with pytest.raises(FilterError, match=r"first year \(2030\) is after the last \(2020\)"):
        WorkFilter(year_from=2030, year_to=2020)
