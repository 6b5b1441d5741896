"""The same papers in both kinds of stores: every question has the same answer.

All interfaces ask readers, which are compared here.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from patience import PATIENCE
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
from stemma.graph.selection import Selection
from stemma.schema import Direction, Entity, EntityKind, PartialDate, RelationType
from stemma.server.graphql.playground import graph_examples

pytestmark = pytest.mark.neo4j
_NAMES = 12
"""About as many works are asked for by name."""
BUILDS, IMPROVES = (RelationType.BUILDS_ON,), (RelationType.IMPROVES_ON,)
USES, RUNS = (RelationType.USES,), (RelationType.RUNS_ON,)


@pytest.fixture(scope="module")
def readers(example_store, pushed_alone) -> Iterator[tuple[Reader, Reader]]:
    """Readers of the default store and of one in Neo4j, with the same papers."""
    with (
        open_store(example_store) as default,
        open_store(pushed_alone(example_store)) as neo4j,
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


@pytest.fixture(scope="module")
def works(readers) -> dict[str, Any]:
    pages = (readers[0].page(type_, Selection(first=100_000)).items for type_ in WorkType)
    return {each.id: each for page in pages for each in page}


def test_all_works_statements_and_edges(readers, answers):
    expected, found = map(answers, readers)
    assert len(expected["works"]) > 100
    for about, answer in expected.items():
        assert found[about] == answer, about


def test_the_examples_of_the_playground(readers):
    assert len(same(readers, graph_examples().of)) >= 12


@pytest.mark.parametrize("direction", LineageDirection)
def test_edges_that_filters_let_through(readers, works, direction):
    for chosen in (
        Selection(as_of=PartialDate(2022)),
        Selection(relations=BUILDS, min_confidence=0.3, as_of=PartialDate(2023, 6)),
        Selection(relations=IMPROVES, min_confidence=0.5, include_catalogue=False),
    ):
        for question in ("lineage_edges", "neighbours"):
            same(readers, question, list(works), direction, chosen)


def test_lineages_with_pages_and_filters(readers, works):
    ends = readers[0].neighbours(list(works), LineageDirection.DESCENDANTS)
    for id_ in sorted(ends, key=lambda id_: (-len(ends[id_]), id_))[:1]:
        sure = Selection(min_confidence=0.3, max_depth=4, first=3)
        first = same(readers, trace, id_, sure)
        same(readers, trace, id_, Selection(max_depth=4, after=first.end_cursor))


def test_every_name_and_what_looks_like_one(readers, works):
    names = dict[str, None].fromkeys(["  "])
    for number, work in enumerate([*works.values()][:: len(works) // _NAMES]):
        names |= dict.fromkeys([work.name, work.id])
        if isinstance(work, Entity):
            names |= dict.fromkeys(work.aliases[:2])
        if number % 9 == 0:
            names |= dict.fromkeys([f"{work.name}x", work.name[1:], f"{work.id}-2"])
    for name in names:
        same(readers, resolved, name)


def resolved(reader: Reader, name: str) -> object:
    try:
        return reader.resolve(name)
    except UnknownNameError as error:
        return ("unknown", error.nearest)
    except AmbiguousNameError as error:
        return ("ambiguous", [work.id for work in error.candidates])


def test_authors_in_any_spelling(readers, works):
    papers = [id_ for id_ in works if id_.startswith("paper/")]
    ids = {id_ for own in readers[0].authors(papers).values() for id_ in own}
    names = sorted({one.name for one in readers[0].people(ids).values()})
    assert len(names) > 5 and not same(readers, "people_called", "nobody at all")
    assert all(same(readers, "people_called", name) for name in (*names, *ids))
    for name in names[::4]:
        assert same(readers, "people_called", name.upper()) == same(readers, "people_called", name)
        same(readers, "people_surnamed", name.rpartition(" ")[2])


def test_every_search(readers, works):
    titles = [work.name for work in works.values()]
    words = sorted({word for title in titles for word in re.findall(r"[\w-]+", title)})
    kinds = Selection(kinds=(EntityKind.MODEL, EntityKind.FRAMEWORK))
    for text in [*words[::80], *titles[::150], "a", "zero inf", "large model training"]:
        same(readers, "matching", text, Selection(first=30))
        same(readers, "matching", text, kinds)


@pytest.mark.parametrize(
    ("type_", "chosen", "orders"),
    [
        ("paper", Selection(text="model", since=2020, until=2024, relations=USES), "name newest"),
        ("paper", Selection(entity="entity/pytorch", relations=BUILDS), "papers"),
        ("entity", Selection(kinds=(EntityKind.MODEL,), until=2021, text="a"), "published"),
        ("entity", Selection(broader="entity/gpu", relations=RUNS), "papers"),
    ],
    ids=["years", "entity", "kinds", "broader"],
)
def test_every_filter_and_every_order(readers, type_, chosen, orders):
    for order in map(PageOrder, orders.split()):
        page = same(readers, "page", WorkType(type_), chosen.changed(order=order, first=1000))
        middle = page.items[len(page.items) // 2].id if page.items else None
        rest = chosen.changed(order=order, after=middle, first=7)
        same(readers, "page", WorkType(type_), rest)


@pytest.mark.parametrize(
    "chosen",
    [
        Selection(entity="entity/pytorch", relations=USES + BUILDS, min_confidence=0.5),
        Selection(kinds=(EntityKind.MODEL,), include_catalogue=False, since=2020, until=2023),
        Selection(metric="Throughput", min_factor=2, outcome=Direction.BETTER),
    ],
    ids=["entity", "years", "comparisons"],
)
def test_pages_of_statements(readers, chosen):
    whole = same(readers, "statement_page", chosen.changed(first=100_000))
    assert whole.total == len(whole.items) > 0
    after = whole.items[len(whole.items) // 2].key
    same(readers, "statement_page", chosen.changed(first=7), after)


def test_a_store_in_neo4j_has_pages_and_no_rdf(example_store, pushed_alone, serve):
    with (
        serve(pushed_alone(example_store)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        page = client.get("/page/entity/zero-infinity").text
        assert "<h1>ZeRO-Infinity</h1>" in page and "in SPARQL" not in page
        browser = {"accept": "text/html"}
        assert client.get("/id/entity/zero-infinty", headers=browser).status_code == 404
        refused = client.get("/data/entity/zero-infinity.ttl")
        assert refused.status_code == 501
        assert "The store that was pushed there" in refused.text
        assert "a void:Dataset" in client.get("/.well-known/void").text
