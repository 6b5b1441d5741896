"""The descendants and ancestors of a work, on a real store, as a whole and page by page."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from described import describe, described
from filled import put
from latest import latest
from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageOrder,
    Reader,
    Store,
    UnknownNameError,
    trace,
)
from stemma.graph.selection import Selection
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, PartialDate, RelationType

ANCESTORS = LineageDirection.ANCESTORS


def names(lineage) -> str:
    return ", ".join(f"{node.work.name} {node.depth}" for node in lineage.nodes)


def edges(lineage) -> set[tuple[str, str]]:
    return {(edge.child, edge.parent) for edge in lineage.edges}


@pytest.fixture
def family(store: Store) -> Reader:
    """Ink; Quill and Nib (undated) after it; Vellum after both; and a study without a name."""
    put(store, *described("""
        Ink: one (2019) | We present Ink. | framework Ink: INTRODUCES
        Nib: two | Nib extends Ink. | framework Nib: INTRODUCES | framework Ink: BUILDS_ON 0.5
        Quill: three (2021-03)
            | Quill extends Ink. Unlike Ink, it dries. Parchment takes feathers from scribes.
            | framework Quill: INTRODUCES | framework Ink: BUILDS_ON 0.8
            | framework Ink: IMPROVES_ON 0.6
        Vellum: four (2020-12) | Vellum combines Quill and Nib. | framework Vellum: INTRODUCES
            | framework Quill: BUILDS_ON 0.9 | framework Nib: BUILDS_ON 0.9
        A study of writing | Our study extends Vellum and Quill.
            | framework Vellum: BUILDS_ON 0.3 | framework Quill: BUILDS_ON 0.5
        Another of Quill | Quill stands on Ink. Parchment takes feathers from scribes.
            | framework Quill: INTRODUCES | framework Ink: BUILDS_ON 0.5
    """))  # fmt: skip
    return latest(store)


@pytest.mark.parametrize(
    ("of", "filters", "expected"),
    [
        ("entity/ink", {}, "Quill 1, Nib 1, Vellum 2, A study of writing 2"),
        ("paper/ink-one", {}, "Quill 1, Nib 1, Vellum 2, A study of writing 2"),
        ("entity/vellum", {"direction": ANCESTORS}, "Quill 1, Nib 1, Ink 2"),
        ("entity/ink", {"max_depth": 1}, "Quill 1, Nib 1"),
        ("entity/ink", {"max_depth": 0}, ""),
        ("entity/ink", {"relations": (RelationType.IMPROVES_ON,)}, "Quill 1"),
        ("entity/ink", {"min_confidence": 0.7}, "Quill 1, Vellum 2"),
        ("paper/a-study-of-writing", {"direction": ANCESTORS, "max_depth": 1}, "Vellum 1, Quill 1"),
    ],
    ids=[
        *("by depth, then date, then id", "a paper stands for its main contribution"),
        *("ancestors", "depth is kept to", "whatever it is", "relations", "confidence"),
        "a paper without a contribution stands for itself",
    ],
)
def test_a_lineage_has_works_at_their_depths(family, of, filters, expected):
    lineage = trace(family, of, Selection(**filters))
    assert names(lineage) == expected
    assert not lineage.truncated


def test_an_edge_has_every_statement_with_its_sentence_and_one_confidence(family):
    lineage = trace(family, "entity/ink", Selection(max_depth=1))
    (edge,) = [each for each in lineage.edges if each.child == "entity/quill"]
    assert edge.relations == (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
    assert edge.confidence == pytest.approx(1 - (1 - 0.8) * (1 - 0.5)), "one paper counts once"
    assert edge.confidences == {
        RelationType.BUILDS_ON: pytest.approx(1 - (1 - 0.8) * (1 - 0.5)),
        RelationType.IMPROVES_ON: 0.6,
    }
    assert [statement.evidence[0].text for statement in edge.statements] == [
        "Quill extends Ink.",
        "Unlike Ink, it dries.",
        "Quill stands on Ink.",
    ]
    assert [statement.confidence for statement in edge.statements] == [0.8, 0.6, 0.5]
    (edge,) = trace(family, "entity/ink", Selection(relations=(RelationType.IMPROVES_ON,))).edges
    assert edge.confidences == {RelationType.IMPROVES_ON: edge.confidence} != {}
    assert [statement.relation for statement in edge.statements] == [RelationType.IMPROVES_ON]


def test_a_parent_published_after_its_child_is_flagged(family):
    by_ends = {(edge.child, edge.parent): edge for edge in trace(family, "entity/ink").edges}
    assert by_ends["entity/vellum", "entity/quill"].anachronism
    assert not by_ends["entity/quill", "entity/ink"].anachronism
    assert not by_ends["entity/vellum", "entity/nib"].anachronism, "no date, no flag"


def test_facts_of_the_catalogue_say_so_and_can_be_left_out(store):
    named = "framework ZeRO-Infinity: USES", "technique ZeRO: USES"
    put(store, describe("One", "ZeRO-Infinity and ZeRO.", *named))
    lineage = trace(latest(store), "entity/zero")
    (edge,) = lineage.edges
    assert (edge.child, edge.parent) == ("entity/zero-infinity", "entity/zero")
    assert [(each.origin, each.evidence) for each in edge.statements] == [("catalogue", ())]
    assert trace(latest(store), "entity/zero", Selection(include_catalogue=False)).nodes == ()
    ancestors = trace(latest(store), "entity/zero-infinity", Selection(direction=ANCESTORS))
    assert names(ancestors) == "ZeRO 1", "not Adam"


def test_what_makes_no_sense_is_refused(family):
    with pytest.raises(UnknownNameError):
        trace(family, "entity/nowhere")
    with pytest.raises(ValueError, match="not a valid cursor"):
        trace(family, "entity/ink", Selection(after="yesterday"))


def test_a_lineage_goes_on_in_networkx(family):
    lineage = trace(family, "entity/ink")
    graph = lineage.to_networkx()
    assert set(graph.edges) == edges(lineage)
    assert graph.nodes["entity/quill"]["published"] == "2021-03"
    assert graph.edges["entity/nib", "entity/ink"]["relations"] == ["BUILDS_ON"]
    assert graph.edges["entity/quill", "entity/ink"]["confidences"] == {
        "BUILDS_ON": 0.9,
        "IMPROVES_ON": 0.6,
    }


def test_as_of_a_date_it_is_that_of_a_graph_of_the_papers_of_that_time(store, tmp_path):
    """Each paper extends what earlier ones introduce; some are dated by the year, some not."""
    papers = []
    for number in range(16):
        parents = sorted({number // 2, number // 3, number - 1} & set(range(number)))
        month = f"{2019 + number // 6}-{1 + 2 * (number % 6):02}"
        papers.append(
            describe(
                f"Feather-{number}x: a work",
                " ".join([f"We extend Feather-{each}x." for each in parents]),
                f"framework Feather-{number}x: INTRODUCES",
                *(f"framework Feather-{each}x: BUILDS_ON 0.{4 + each % 5}" for each in parents),
                published=None if number % 5 == 4 else month if number % 2 else month[:4],
            )
        )

    def told(reader: Reader, **filters: object) -> dict[tuple[str, str], float]:
        lineage = trace(reader, "entity/feather-0x", Selection(max_depth=20, first=1000, **filters))
        return {(edge.child, edge.parent): edge.confidence for edge in lineage.edges}

    put(store, *papers)
    sizes = []
    for date in ("2019-06", "2020", "2021-03-15"):
        as_of = PartialDate.parse(date)
        early = SqliteStore(tmp_path / f"as-of-{date}.db")
        dated = [extraction for extraction in papers if extraction.paper.published]
        put(early, *(each for each in dated if not each.paper.published.is_after(as_of)))
        assert told(latest(store), as_of=as_of) == told(latest(early))
        sizes.append(len(told(latest(early))))
    assert 0 < sizes[0] < sizes[1] < sizes[2] < len(told(latest(store)))


WORKS = [f"Work{number}" for number in range(24)]
PARENTS = 4
"""Of each work: enough for edges between any two pages, and for circles."""


@pytest.fixture
def reader(store: Store) -> Iterator[Reader]:
    """Works that build and improve on each other at random, a few of them undated."""
    chance = random.Random(7)

    def paper(name: str) -> Extraction:
        others = [each for each in WORKS if each != name]
        parents = chance.sample(others, PARENTS) if chance.random() < 0.8 else []
        return describe(
            f"{name}: a new thing",
            f"We present {name}. It extends {', '.join(parents)}.",
            f"framework {name}: INTRODUCES",
            *(
                f"framework {parent}: {chance.choice(['BUILDS_ON', 'IMPROVES_ON'])} "
                f"{chance.randint(2, 9) / 10}"
                for parent in parents
            ),
            published=chance.choice([None, "2021", "2022-05", "2023-01-02"]),
        )

    put(store, *[paper(name) for name in WORKS])
    with store.snapshot() as reader:
        yield reader


def pages(sizes: list[int], ask: Callable[[int, str | None], Lineage]) -> list[Lineage]:
    """Page through a lineage, with as many works as `sizes` say and then with the last of them."""
    found = [ask(sizes[0], None)]
    while found[-1].truncated:
        found.append(ask(sizes[min(len(found), len(sizes) - 1)], found[-1].end_cursor))
    return found


selections = st.builds(
    Selection,
    direction=st.sampled_from(LineageDirection),
    max_depth=st.integers(1, 5),
    relations=st.sampled_from([(), (RelationType.BUILDS_ON,), (RelationType.IMPROVES_ON,)]),
    min_confidence=st.sampled_from([0.0, 0.4, 0.7]),
    lineage_order=st.sampled_from(LineageOrder),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(WORKS), selections, st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_pages_add_up_to_the_whole(reader, root, chosen, sizes):
    def ask(first: int, after: str | None = None) -> Lineage:
        return trace(reader, f"entity/{root.lower()}", chosen.changed(first=first, after=after))

    whole, parts = ask(len(WORKS)), pages(sizes, ask)
    assert not whole.truncated
    assert tuple(node for page in parts for node in page.nodes) == whole.nodes
    edges = [edge for page in parts for edge in page.edges]
    assert sorted(edges, key=ends) == sorted(whole.edges, key=ends)
    seen = {f"entity/{root.lower()}"}
    for page in parts:
        new = {node.work.id for node in page.nodes}
        for edge in page.edges:  # An edge comes with the later of its works.
            assert {edge.child, edge.parent} <= seen | new
            assert {edge.child, edge.parent} & new
        seen |= new


@pytest.mark.parametrize("order", LineageOrder)
def test_works_are_in_the_requested_order_and_the_undated_last(reader, order):
    nodes = trace(reader, "entity/work0", Selection(max_depth=5, lineage_order=order)).nodes
    if order is LineageOrder.DEPTH:
        assert [node.depth for node in nodes] == sorted(node.depth for node in nodes)
        return
    dates = [node.published.sort_key for node in nodes if node.published]
    assert dates == sorted(dates, reverse=order is LineageOrder.NEWEST)
    assert len({*dates}) == 3
    assert all(node.published for node in nodes[: len(dates)])


def ends(edge) -> tuple[str, str]:
    return (edge.child, edge.parent)
