"""The same papers in both kinds of stores: every question has the same answer.

All interfaces ask readers, which are compared here.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    PageOrder,
    Reader,
    UnknownNameError,
    WorkType,
    open_store,
    trace,
)
from stemma.graph.selection import Selection, filters
from stemma.schema import Direction, Entity, EntityKind, PartialDate, RelationType
from stemma.server.graphql.playground import graph_examples

pytestmark = pytest.mark.neo4j
_NAMES = 30
"""About as many works are asked for by name, of a corpus that has more."""
IN_EXAMPLES = pytest.mark.parametrize("readers", ["example_store"], indirect=True, scope="module")
"""Not with the larger corpus: whose works, statements and edges are the same answers the same."""
BUILDS, IMPROVES = (RelationType.BUILDS_ON,), (RelationType.IMPROVES_ON,)


def _in_words(value: object) -> str:
    return str(value.given(filters()) if isinstance(value, Selection) else value)


@pytest.fixture(
    scope="module", params=["example_store", pytest.param("seed_store", marks=pytest.mark.long)]
)
def readers(request, pushed_alone) -> Iterator[tuple[Reader, Reader]]:
    """Readers of the default store and of one in Neo4j, with the same papers."""
    path = request.getfixturevalue(request.param)
    with (
        open_store(path) as default,
        open_store(pushed_alone(path)) as neo4j,
        default.snapshot() as of_file,
        neo4j.snapshot() as of_neo4j,
    ):
        yield of_file, of_neo4j


def same(
    readers: tuple[Reader, Reader], question: str | Callable, *asked: Any, **named: Any
) -> Any:
    """Return the answer of both readers to a question: one of theirs, or a function of a reader."""
    methods = (getattr(reader, question) if isinstance(question, str) else partial(question, reader)
               for reader in readers)  # fmt: skip
    expected, found = (method(*asked, **named) for method in methods)
    assert found == expected, asked
    return expected


def works(readers: tuple[Reader, Reader]) -> dict[str, Any]:
    pages = (readers[0].page(type_, Selection(first=100_000)).items for type_ in WorkType)
    return {each.id: each for page in pages for each in page}


def test_all_works_statements_and_edges(readers, answers):
    expected, found = map(answers, readers)
    assert len(expected["works"]) > 100
    for about, answer in expected.items():
        assert found[about] == answer, about


@IN_EXAMPLES
def test_entities_by_what_is_broader(readers):
    for broader, order in product(("gpu", "nvidia-gpu", "accelerator", "transformer"), PageOrder):
        chosen = Selection(broader=f"entity/{broader}")
        same(readers, "page", WorkType.ENTITY, chosen.changed(order=order))
    gpus = Selection(broader="entity/gpu", relations=(RelationType.RUNS_ON,))
    assert same(readers, "page", WorkType.ENTITY, gpus).total > 10


@IN_EXAMPLES
def test_the_examples_of_the_playground(readers):
    assert len(same(readers, graph_examples().of)) >= 12


@IN_EXAMPLES
@pytest.mark.parametrize(
    "filter",
    [
        Selection(include_catalogue=False),
        Selection(min_confidence=0.6),
        Selection(as_of=PartialDate(2022)),
        Selection(relations=BUILDS, min_confidence=0.3, as_of=PartialDate(2023, 6)),
        Selection(relations=IMPROVES, min_confidence=0.5, include_catalogue=False),
    ],
    ids=_in_words,
)
@pytest.mark.parametrize("direction", LineageDirection)
def test_edges_that_filters_let_through(readers, filter, direction):
    asked = (list(works(readers)), direction, filter)
    same(readers, "lineage_edges", *asked)
    same(readers, "neighbours", *asked)


def test_lineages_with_pages_and_filters(readers):
    ends = readers[0].neighbours(list(works(readers)), LineageDirection.DESCENDANTS)
    busiest = sorted(ends, key=lambda id_: (-len(ends[id_]), id_))[:5]
    for id_, depth in product(busiest, (1, 4)):
        sure = Selection(min_confidence=0.3, max_depth=depth, first=3)
        first = same(readers, trace, id_, sure)
        rest = Selection(max_depth=depth, after=first.end_cursor)
        same(readers, trace, id_, rest)


def test_every_name_and_what_looks_like_one(readers):
    names = dict[str, None]()
    found = list(works(readers).values())
    for number, work in enumerate(found[:: max(1, len(found) // _NAMES)]):
        names |= dict.fromkeys([work.name, work.id])
        if isinstance(work, Entity):
            names |= dict.fromkeys(work.aliases)
        if number % 9 == 0:
            names |= dict.fromkeys([f"{work.name}x", work.name[1:], f"{work.id}-2", "  "])
    for name in names:
        same(readers, resolved, name)


def resolved(reader: Reader, name: str) -> object:
    try:
        return reader.resolve(name)
    except UnknownNameError as error:
        return ("unknown", error.nearest)
    except AmbiguousNameError as error:
        return ("ambiguous", [work.id for work in error.candidates])


def test_every_search(readers):
    titles = [work.name for work in works(readers).values()]
    words = sorted({word for title in titles for word in re.findall(r"[\w-]+", title)})
    kinds = Selection(kinds=(EntityKind.MODEL, EntityKind.FRAMEWORK))
    for text in [*words[::20], *titles[::40], "a", "zero inf", "large model training", "gpu a100"]:
        same(readers, "matching", text, Selection(first=30))
        same(readers, "matching", text, kinds)


@IN_EXAMPLES
@pytest.mark.parametrize(
    ("chosen", "orders"),
    [
        (Selection(text="attention"), "name published"),
        (Selection(kinds=(EntityKind.HARDWARE, EntityKind.DATASET)), "published newest"),
        (Selection(entity="entity/pytorch", relations=BUILDS), "papers name"),
        (Selection(text="model", since=2020, relations=(RelationType.USES,)), "newest papers"),
        (Selection(until=2021), "name newest"),
    ],
    ids=_in_words,
)
def test_every_filter_and_every_order(readers, chosen, orders):
    """Of papers and of entities, which are each in every order under one filter or another."""
    for type_, order in zip(WorkType, map(PageOrder, orders.split()), strict=True):
        page = same(readers, "page", type_, chosen.changed(order=order, first=1000))
        middle = page.items[len(page.items) // 2].id if page.items else None
        same(readers, "page", type_, chosen.changed(order=order, after=middle, first=7))


@IN_EXAMPLES
@pytest.mark.parametrize(
    "chosen",
    [
        Selection(),
        Selection(entity="entity/pytorch", relations=(RelationType.USES, RelationType.BUILDS_ON)),
        Selection(kinds=(EntityKind.MODEL,), min_confidence=0.5, since=2023),
        Selection(include_catalogue=False, until=2022),
        Selection(compared=True, metric="Throughput", min_factor=2),
        Selection(compared=True, max_factor=3, outcome=Direction.BETTER),
    ],
    ids=_in_words,
)
def test_pages_of_statements(readers, chosen):
    whole = same(readers, "statement_page", chosen.changed(first=100_000))
    assert whole.total == len(whole.items) > 0
    after = whole.items[len(whole.items) // 2].key
    same(readers, "statement_page", chosen.changed(first=7), after)
