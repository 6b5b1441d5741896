"""The same papers in both kinds of stores: every question has the same answer.

All interfaces ask readers, which are compared here.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from corpus import extracted
from pushed import push
from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    LineageFilter,
    PageOrder,
    Reader,
    Store,
    UnknownNameError,
    WorkFilter,
    WorkType,
    open_store,
    trace,
)
from stemma.graph.selection import Selection
from stemma.schema import Direction, Entity, EntityKind, PartialDate, RelationType
from stemma.server.build import load
from stemma.server.graphql.playground import graph_examples

pytestmark = pytest.mark.neo4j
EXAMPLES = Path(__file__).parents[2] / "examples"
_NAMES = 60
"""About as many works are asked for by name, of a corpus that has more."""
IN_EXAMPLES = pytest.mark.parametrize("stores", ["examples"], indirect=True, scope="module")
"""Not with the larger corpus: whose works, statements and edges are the same answers the same."""


@pytest.fixture(scope="module", params=["examples", pytest.param("seeds", marks=pytest.mark.long)])
def stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Store]]:
    """The default store and one in Neo4j, with the same papers."""
    papers = EXAMPLES
    if request.param == "seeds":
        papers = request.getfixturevalue("shared") / "seeds"
    url, driver = request.getfixturevalue("neo4j_driver")
    driver.execute_query("MATCH (n) DETACH DELETE n")
    folder = tmp_path_factory.mktemp("parity")
    found = extracted(papers, request.param, fast=True)
    with open_store(str(folder / "stemma.db")) as default, open_store(url) as neo4j:
        load(default, [found])
        push(default, url)
        yield default, neo4j


@pytest.fixture
def readers(stores: tuple[Store, Store]) -> Iterator[tuple[Reader, Reader]]:
    with stores[0].snapshot() as default, stores[1].snapshot() as neo4j:
        yield default, neo4j


def works(reader: Reader) -> dict[str, Any]:
    found = {}
    for type_ in WorkType:
        found |= {each.id: each for each in reader.page(type_, first=100_000).works}
    return found


def test_all_works_statements_and_edges(readers, answers):
    expected, found = map(answers, readers)
    assert len(expected["works"]) > 100
    for about, answer in expected.items():
        assert found[about] == answer, about


@IN_EXAMPLES
def test_entities_by_what_is_broader(readers):
    of_folder, of_neo4j = readers
    for broader, order in product(("gpu", "nvidia-gpu", "accelerator", "transformer"), PageOrder):
        chosen = WorkFilter(broader=f"entity/{broader}")
        expected = of_folder.page(WorkType.ENTITY, chosen, order, first=100)
        assert of_neo4j.page(WorkType.ENTITY, chosen, order, first=100) == expected
    gpus = WorkFilter(broader="entity/gpu", relations=(RelationType.RUNS_ON,))
    assert of_neo4j.page(WorkType.ENTITY, gpus).total > 10


@IN_EXAMPLES
def test_the_examples_of_the_playground(readers):
    of_folder, of_neo4j = (graph_examples().of(each) for each in readers)
    assert of_neo4j == of_folder
    assert len(of_folder) >= 12


@IN_EXAMPLES
@pytest.mark.parametrize(
    "filter",
    [
        LineageFilter(include_catalogue=False),
        LineageFilter(min_confidence=0.6),
        LineageFilter(as_of=PartialDate(2022)),
        LineageFilter((RelationType.BUILDS_ON,), 0.3, as_of=PartialDate(2023, 6)),
    ],
    ids=str,
)
def test_edges_that_filters_let_through(readers, filter):
    ids = list(works(readers[0]))
    for direction in LineageDirection:
        asked = (ids, direction, filter)
        expected, found = (reader.lineage_edges(*asked) for reader in readers)
        assert found == expected
        assert readers[1].neighbours(*asked) == readers[0].neighbours(*asked)


def test_lineages_with_pages_and_filters(readers):
    ends = readers[0].neighbours(list(works(readers[0])), LineageDirection.DESCENDANTS)
    busiest = sorted(ends, key=lambda id_: (-len(ends[id_]), id_))[:12]
    for id_, depth in product(busiest, (1, 4)):
        sure = Selection(min_confidence=0.3)
        first = [trace(reader, id_, sure.changed(max_depth=depth, first=3)) for reader in readers]
        assert first[0] == first[1]
        rest = [
            trace(reader, id_, Selection(max_depth=depth, after=first[0].end_cursor))
            for reader in readers
        ]
        assert rest[0] == rest[1]


def test_every_name_and_what_looks_like_one(readers):
    names = dict[str, None]()
    found = list(works(readers[0]).values())
    for number, work in enumerate(found[:: max(1, len(found) // _NAMES)]):
        names |= dict.fromkeys([work.name, work.id])
        if isinstance(work, Entity):
            names |= dict.fromkeys(work.aliases)
        if number % 9 == 0:
            names |= dict.fromkeys([f"{work.name}x", work.name[1:], f"{work.id}-2", "  "])
    for name in names:
        assert resolved(readers[1], name) == resolved(readers[0], name), name


def resolved(reader: Reader, name: str) -> object:
    try:
        return reader.resolve(name)
    except UnknownNameError as error:
        return ("unknown", error.nearest)
    except AmbiguousNameError as error:
        return ("ambiguous", [work.id for work in error.candidates])


def test_every_search(readers):
    titles = [work.name for work in works(readers[0]).values()]
    words = sorted({word for title in titles for word in re.findall(r"[\w-]+", title)})
    for text in [*words[::20], *titles[::40], "a", "zero inf", "large model training", "gpu a100"]:
        expected, found = (reader.matching(text, first=30) for reader in readers)
        assert found == expected, text
        kinds = [EntityKind.MODEL, EntityKind.FRAMEWORK]
        assert readers[1].matching(text, kinds) == readers[0].matching(text, kinds)


@IN_EXAMPLES
@pytest.mark.parametrize(
    ("chosen", "orders"),
    [
        (WorkFilter(text="attention"), "name published"),
        (WorkFilter(kinds=(EntityKind.HARDWARE, EntityKind.DATASET)), "published newest"),
        (WorkFilter(entity="entity/pytorch", relations=(RelationType.BUILDS_ON,)), "papers name"),
        (WorkFilter(text="model", year_from=2020, relations=(RelationType.USES,)), "newest papers"),
        (WorkFilter(year_to=2021), "name newest"),
    ],
    ids=str,
)
def test_every_filter_and_every_order(readers, chosen, orders):
    """Of papers and of entities, which are each in every order under one filter or another."""
    for type_, order in zip(WorkType, map(PageOrder, orders.split()), strict=True):
        expected, found = (reader.page(type_, chosen, order, first=1000) for reader in readers)
        assert found == expected, (type_, order)
        middle = expected.works[len(expected.works) // 2].id if expected.works else None
        expected, found = (reader.page(type_, chosen, order, middle, 7) for reader in readers)
        assert found == expected, (type_, order, middle)


@IN_EXAMPLES
@pytest.mark.parametrize(
    "chosen",
    [
        Selection(),
        Selection(entity="entity/pytorch", relations=(RelationType.USES, RelationType.BUILDS_ON)),
        Selection(kinds=(EntityKind.MODEL,), min_confidence=0.5, since=2023),
        Selection(include_catalogue=False, until=2022),
        Selection(compared=True),
        Selection(compared=True, metric="Throughput", min_factor=2),
        Selection(compared=True, max_factor=3, outcome=Direction.BETTER),
    ],
    ids=str,
)
def test_pages_of_statements(readers, chosen):
    whole = readers[0].statement_page(chosen, first=100_000)
    assert whole.total == len(whole.statements) > 0
    assert readers[1].statement_page(chosen, first=100_000) == whole
    after = whole.statements[len(whole.statements) // 2].key
    expected, found = (reader.statement_page(chosen, after, 7) for reader in readers)
    assert found == expected
