"""Selections: how filters are read, which are refused, and which of them leave nothing."""

import pytest

from described import described
from filled import put
from latest import latest
from stemma.graph import FilterError, FilterField, LineageDirection, Reader, Selection, Store, trace
from stemma.graph.selection import (
    ENTITIES,
    LINEAGE,
    PAPERS,
    SEARCH,
    STATEMENTS,
    LineageOrder,
    camel_case,
    filters,
    provenance_of,
    provenance_sought,
)
from stemma.schema import EntityKind, Paper, PartialDate, RelationType


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("relations", "builds on, IMPROVES_ON", (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)),
        ("relations", ["builds-on", "BUILDS_ON"], (RelationType.BUILDS_ON,)),
        ("kinds", "Model", (EntityKind.MODEL,)),
        ("direction", "ANCESTORS", LineageDirection.ANCESTORS),
        ("lineage_order", "newest", LineageOrder.NEWEST),
        ("as_of", "2021-04", PartialDate(2021, 4)),
        ("min_confidence", "0.5", 0.5),
        ("include_catalogue", "False", False),
        ("general", "true", True),
        ("since", "2020", 2020),
        ("max_depth", None, 3),
        ("text", "ink", "ink"),
    ],
)
def test_a_value_is_read_as_it_is_written(name: str, written: object, read: object) -> None:
    assert getattr(Selection.read(**{name: written}), name) == read


@pytest.mark.parametrize(
    ("venue", "names"),
    [
        ("Advances in Neural Information Processing Systems 35", "nips, NeurIPS"),
        ("NeurIPS 2022", "nips, NeurIPS"),
        ("Proc. of the 38th Int. Conf. on Machine Learning", "ICML, machine learning"),
        ("ACM Symposium on Operating Systems Principles, Canada", "SOSP"),
    ],
)
def test_a_venue_is_found_by_its_words_or_its_initials(venue: str, names: str) -> None:
    [(_, words)] = provenance_of(Paper("paper/a", "A", venue=venue))
    for asked in ("nips", "NeurIPS", "ICML", "machine learning", "ml", "SOSP"):
        [(_, *sought)] = provenance_sought(Selection(venue=asked))
        assert any(each in words for each in sought) is (asked in names.split(", "))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"relations": "cites"}, "'cites' is not one of INTRODUCES, BUILDS_ON"),
        ({"kinds": ["modle"]}, "'modle' is not one of hardware, framework"),
        ({"min_confidence": 2}, "min confidence must be between 0 and 1, not 2"),
        ({"min_confidence": "nan"}, "min confidence must be between 0 and 1"),
        ({"max_depth": 0}, "max depth must be between 1 and 20, not 0"),
        ({"as_of": "2021-02-30"}, r"not a date \(2021, 2021-04 or 2021-04-15\)"),
        ({"since": "then"}, "since must be a number, not 'then'"),
        ({"first": "9" * 10_000}, "first must be between 0 and 1000000"),
        ({"include_general": "maybe"}, "include general must be true or false"),
        ({"since": 2022, "until": 2020}, r"the first year \(2022\) is after the last \(2020\)"),
        ({"min_factor": 3, "max_factor": 2}, r"the lowest factor \(3\) is above the highest"),
        ({"min_factor": -1}, "min factor must be at least 0, not -1"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(written: dict[str, object], message: str) -> None:
    with pytest.raises(FilterError, match=message) as refused:
        Selection.read(**written)
    assert len(str(refused.value)) < 300


def test_a_filter_that_there_is_not_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="'sinse' is not a filter; filters are direction, max_dep"):
        Selection.read(sinse=2020)


def test_only_the_relations_of_lineage_make_edges() -> None:
    with pytest.raises(FilterError, match="not a lineage relation: USES"):
        _ = Selection(relations=(RelationType.USES,)).lineage_relations


def test_every_filter_is_described_and_has_a_name_of_its_own_in_each_question() -> None:
    for names in (LINEAGE, STATEMENTS, PAPERS, ENTITIES, SEARCH):
        shown = [filters()[name].shown for name in names]
        assert len(set(shown)) == len(shown)
    for each in filters().values():
        assert each.help.endswith(".")
        assert each.camel_case == camel_case(each.shown)
        assert each.read(None) == each.default


def test_filters_at_their_defaults_are_not_given() -> None:
    chosen = Selection(since=2020, relations=(RelationType.USES,))
    assert chosen.given(STATEMENTS) == {"relations": (RelationType.USES,), "since": 2020}
    assert chosen.changed(since=None, relations=()) == Selection()


INK = "entity/ink"
RELATIONS, LEAST, CATALOGUE, AS_OF, KINDS, YEARS = FilterField


@pytest.fixture(scope="module")
def family(store_of_module: Store) -> Reader:
    """Quill of 2021 builds on Ink; ZeRO-Infinity on ZeRO, as only the catalogue says."""
    put(store_of_module, *described("""
        Quill: one (2021) | Quill extends Ink. | framework Quill: INTRODUCES
            | technique Ink: BUILDS_ON 0.5
        Two | ZeRO-Infinity and ZeRO. | framework ZeRO-Infinity: USES | technique ZeRO: USES
    """))  # fmt: skip
    return latest(store_of_module)


@pytest.mark.parametrize(
    ("of", "filter", "blamed"),
    [
        (INK, Selection(), ()),
        (INK, Selection(min_confidence=0.6), (LEAST,)),
        (INK, Selection(relations=(RelationType.IMPROVES_ON,)), (RELATIONS,)),
        (
            INK,
            Selection(relations=(RelationType.IMPROVES_ON,), min_confidence=0.6),
            (RELATIONS, LEAST),
        ),
        ("entity/zero", Selection(include_catalogue=False, min_confidence=0.1), (CATALOGUE,)),
        ("entity/quill", Selection(min_confidence=0.9, include_catalogue=False), ()),
        (INK, Selection(as_of=PartialDate(2021, 1, 1)), ()),
        (INK, Selection(as_of=PartialDate(2020, 12)), (AS_OF,)),
        (INK, Selection(as_of=PartialDate(2020), min_confidence=0.6), (LEAST, AS_OF)),
        ("entity/zero", Selection(as_of=PartialDate(2020)), (AS_OF,)),
        # Those that choose what is shown.
        (INK, Selection(kinds=(EntityKind.FRAMEWORK,), since=2020, until=2021), ()),
        (INK, Selection(kinds=(EntityKind.MODEL,)), (KINDS,)),
        (INK, Selection(since=2022), (YEARS,)),
        (INK, Selection(kinds=(EntityKind.MODEL,), since=2022), (KINDS, YEARS)),
        (INK, Selection(kinds=(EntityKind.MODEL,), min_confidence=0.9), (LEAST,)),
    ],
)
def test_the_filters_that_leave_nothing_are_named(family, of, filter, blamed) -> None:
    assert trace(family, of, filter).emptied_by == blamed
