"""Lineage: the descendants or the ancestors of a work, step by step, and the edges between them."""

from bisect import bisect_right
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from stemma.graph.edge import LineageEdge
from stemma.graph.reader import BadCursorError, Reader, Work, expect_works
from stemma.graph.selection import (
    EDGE_FIELDS,
    EVERYTHING,
    SHOWN_FIELDS,
    FilterField,
    LineageDirection,
    LineageOrder,
    Selection,
    fields_to_blame,
)
from stemma.schema import Entity, PartialDate
from stemma.schema.name import is_id
from stemma.schema.partial_date import UNDATED

if TYPE_CHECKING:
    from networkx import DiGraph

Place = tuple[int, int, str]
"""What works are ordered by: steps from the root, date as a number (20210415), id."""


class LineagePage(NamedTuple):
    """The places of some works that follow each other, the ids of all works before them, and the
    number of works on the whole lineage, all without the root."""

    earlier: list[str]
    places: list[Place]
    total: int


@dataclass(frozen=True, slots=True)
class LineageNode:
    """A work on a lineage, `depth` steps from the root (at least 1), and when it was published.

    When an entity was published, says `Reader.published`.
    """

    work: Work
    depth: int
    published: PartialDate | None

    @property
    def cursor(self) -> str:
        """The cursor from which the page after this work is requested."""
        return _cursor(_place(self.work.id, self.depth, self.published))


@dataclass(frozen=True, slots=True)
class Lineage:
    """The answer to "what builds on `root`" or "what does `root` build on".

    `nodes` are in the requested order. Each edge comes with the later of its two nodes, so
    that the pages of a lineage together have all its edges, each once. `truncated` means that more
    nodes follow `end_cursor`; `total` counts those of all pages. Where no work is found,
    `emptied_by` are the fields of the filter that left out what there is.
    """

    root: Work
    direction: LineageDirection
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    truncated: bool
    end_cursor: str | None
    emptied_by: tuple[FilterField, ...] = ()
    total: int = 0

    def to_networkx(self) -> "DiGraph[str]":
        """Return the lineage as a directed graph of ids, from child to parent.

        Nodes have `name`, `depth` (0 for the root) and, where it is known, `published`; edges the
        `attributes` of a `LineageEdge`. Nodes of earlier pages have no attributes:
        `networkx.compose` the pages for the whole.
        """
        from networkx import DiGraph  # noqa: PLC0415 - slow to load, and rarely needed

        graph: DiGraph[str] = DiGraph()
        graph.add_node(self.root.id, name=self.root.name, depth=0)
        for node in self.nodes:
            date = {"published": str(node.published)} if node.published else {}
            graph.add_node(node.work.id, name=node.work.name, depth=node.depth, **date)
        for edge in self.edges:
            graph.add_edge(edge.child, edge.parent, **edge.attributes)
        return graph


@dataclass(frozen=True, slots=True)
class Traversal:
    """What a lineage reaches from `root`, by ids alone: all that it takes to put it in order.

    `depths` counts steps, with the root at 0; `dates` has those works whose date is known.
    """

    root: Work
    depths: dict[str, int]
    dates: dict[str, PartialDate]

    def places(self) -> list[Place]:
        """Return (depth, date, id) of each work but the root, in the order of nodes."""
        return sorted(
            _place(id_, depth, self.dates.get(id_)) for id_, depth in self.depths.items() if depth
        )


def trace(reader: Reader, of: str, selection: Selection = EVERYTHING) -> Lineage:
    """Return a page of the lineage of a work: its id, or a name of it.

    A paper that introduces something stands for its main contribution: that is the root then, as
    what builds on the paper builds on what it introduces. Of the selected works, the first that
    follow the cursor `after` are returned, with the edges among them. A cursor belongs to its
    order. Raises what `Reader.resolve` does, BadCursorError if the cursor is invalid, FilterError
    if a relation is none of lineage.
    """
    id_ = of if is_id(of) else reader.resolve(of)
    start = _read_cursor(selection.after) if selection.after is not None else None
    emptied_by, page = tuple[FilterField, ...](), None
    if selection.shows_all and selection.lineage_order is LineageOrder.DEPTH:
        page = reader.lineage_page(id_, selection, start)
    root = root_of(reader, id_)
    is_reached = bool(page and page.total)
    if page is None:
        places = traverse(reader, root.id, selection).places()
        is_reached = bool(places)
        if is_reached and not selection.shows_all:
            nodes = nodes_at(reader, places)
            emptied_by = fields_to_blame(
                selection, SHOWN_FIELDS, lambda kept: any(map(kept.shows, nodes))
            )
            shown = {node.work.id for node in nodes if selection.shows(node)}
            places = [place for place in places if place[-1] in shown]
        page = cut_places(places, start, selection.first, selection.lineage_order)
    nodes = nodes_at(reader, page.places)
    ids = [node.work.id for node in nodes]
    return Lineage(
        root,
        selection.direction,
        nodes,
        _edges_of_page(reader, root.id, page.earlier, ids, selection),
        page.total > len(page.earlier) + len(page.places),
        _cursor(page.places[-1]) if 0 < len(page.places) == selection.first else None,
        emptied_by if is_reached else fields_that_empty(reader, root.id, selection),
        page.total,
    )


def cut_places(
    places: list[Place], after: Place | None, first: int, order: LineageOrder = LineageOrder.DEPTH
) -> LineagePage:
    """Return the first works that follow a place, of all places in the order of their depths."""
    key = _KEYS[order]
    if order is not LineageOrder.DEPTH:
        places = sorted(places, key=key)
    begin = bisect_right(places, key(after), key=key) if after else 0
    earlier = [id_ for *_, id_ in places[:begin]]
    return LineagePage(earlier, places[begin : begin + first], len(places))


_UNDATED = UNDATED[0] * 10_000
"""The first of the dates (as numbers) without a year."""
_KEYS: dict[LineageOrder, Callable[[Place], tuple[Any, ...]]] = {
    LineageOrder.DEPTH: lambda place: place,
    LineageOrder.DATE: lambda place: place[1:],
    LineageOrder.NEWEST: lambda place: (place[1] >= _UNDATED, -place[1], place[2]),
}


def nodes_at(reader: Reader, places: Collection[Place]) -> tuple[LineageNode, ...]:
    """Return the works at places of a lineage.

    A work may have gone meanwhile in Neo4j, where a reader sees each change.
    """
    ids = [id_ for *_, id_ in places]
    works, dates = reader.works(ids), reader.published(ids)
    return tuple(
        LineageNode(works[id_], depth, dates.get(id_)) for depth, _, id_ in places if id_ in works
    )


def fields_that_empty(reader: Reader, root: str, selection: Selection) -> tuple[FilterField, ...]:
    """Return the filters that leave out all edges of the root, if they do."""

    def passes(kept: Selection) -> bool:
        return any(reader.neighbours([root], selection.direction, kept).values())

    return fields_to_blame(selection, EDGE_FIELDS, passes)


def traverse(
    reader: Reader, root_id: str, selection: Selection, left_out: set[str] | None = None
) -> Traversal:
    """Traverse a lineage from one of its works (an id), of all kinds and years.

    The general terms that are left out are added to `left_out`. Raises what `trace` does.
    """
    left_out = set() if left_out is None else left_out
    root = root_of(reader, root_id)
    depths = {root.id: 0}
    frontier = [root.id]
    for depth in range(1, selection.max_depth + 1):
        ends = reader.neighbours(frontier, selection.direction, selection)
        reached = dict.fromkeys(end for near in ends.values() for end in near if end not in depths)
        frontier = list(led_through(reader, reached, selection, left_out))
        depths |= dict.fromkeys(frontier, depth)
        if not frontier:
            break
    return Traversal(root, depths, reader.published(depths.keys()))


def led_through(
    reader: Reader, ids: Collection[str], selection: Selection, left_out: set[str]
) -> Collection[str]:
    """Return those works (ids) that a lineage leads through, in their order; add the general terms
    (GPU, quantization) that it leaves out to `left_out`."""
    if selection.include_general:
        return ids
    works = reader.works(ids).items()
    left_out.update(id_ for id_, work in works if isinstance(work, Entity) and work.general)
    return [id_ for id_ in ids if id_ not in left_out]


def root_of(reader: Reader, id_: str) -> Work:
    """Return the work whose lineage is that of `id_`. Raises what `Reader.resolve` does."""
    id_ = reader.resolve(id_)
    id_ = reader.contributions([id_]).get(id_, id_)
    return expect_works(reader, [id_])[id_]


def _edges_of_page(
    reader: Reader, root: str, earlier: Collection[str], page: Collection[str], selection: Selection
) -> tuple[LineageEdge, ...]:
    """Return the edges among the works of a page, and between them and those before them."""
    new = set(page)
    if not new:
        return ()
    # Works on earlier pages may build on a work of this one as well.
    ancestors = LineageDirection.ANCESTORS
    parents = reader.neighbours(earlier, ancestors, selection) if earlier else {}
    children = {root, *new, *(id_ for id_, ends in parents.items() if not new.isdisjoint(ends))}
    # Works have few parents, if many children: edges are found from the child.
    edges = reader.lineage_edges(sorted(children), ancestors, selection, {root, *earlier, *new})
    return tuple(edge for edge in chain(*edges.values()) if edge.child in new or edge.parent in new)


def _place(id_: str, depth: int, date: PartialDate | None) -> Place:
    year, month, day = date.sort_key if date else UNDATED
    return (depth, year * 10_000 + month * 100 + day, id_)


def _cursor(place: Place) -> str:
    return ":".join(map(str, place))


def _read_cursor(text: str) -> Place:
    try:
        depth, date, id_ = text.split(":", 2)
        return (int(depth), int(date), id_)
    except ValueError:
        raise BadCursorError(text) from None
