"""Pages of a lineage: together they are the whole, with every edge once."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filled import put
from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageOrder,
    Reader,
    Store,
    trace,
)
from stemma.graph.selection import Selection
from stemma.schema import Extraction, RelationType

WORKS = [f"Work{number}" for number in range(24)]
PARENTS = 4
"""Of each work: enough for edges between any two pages, and for circles."""


@pytest.fixture
def reader(store: Store, describe: Callable[..., Extraction]) -> Iterator[Reader]:
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


def test_an_edge_comes_with_the_later_of_its_works(reader: Reader) -> None:
    seen = {"entity/work0"}
    for page in pages(
        [3], lambda first, after: trace(reader, "entity/work0", Selection(first=first, after=after))
    ):
        new = {node.work.id for node in page.nodes}
        assert page.edges
        for edge in page.edges:
            assert {edge.child, edge.parent} & new
            assert {edge.child, edge.parent} <= seen | new
        seen |= new


def ends(edge) -> tuple[str, str]:
    return (edge.child, edge.parent)
