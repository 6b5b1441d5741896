"""Lineage: the descendants or the ancestors of a work, step by step, and the edges between them."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from stemma.graph.filters import WHOLE_LINEAGE, FilterField, LineageFilter, fields_to_blame
from stemma.graph.selection import EVERYTHING, LineageDirection, LineageOrder, Selection
from stemma.graph.store import BadCursorError, Reader, Work, expect_works
from stemma.schema import CATALOGUE_ORIGIN, PartialDate, RelationType, Statement
from stemma.schema.partial_date import UNDATED

if TYPE_CHECKING:
    from networkx import DiGraph

_DECIMALS = 4
"""Of the confidence of an edge: what binary fractions add behind them says nothing."""
_ORDER = tuple(RelationType)


@dataclass(frozen=True, slots=True)
class LineageEdge:
    """`child` derives from `parent` (ids); unique by these two.

    `statements` are what says so, the strongest first. `confidence` is 1 - Π(1 - c) over distinct
    papers, each by its strongest statement; `confidences` are the same of each relation alone.
    `anachronism` is true where the parent was published after its child.
    """

    child: str
    parent: str
    confidences: Mapping[RelationType, float]
    confidence: float
    statements: tuple[Statement, ...]
    anachronism: bool = False

    @property
    def relations(self) -> tuple[RelationType, ...]:
        """The relations that make the edge, in the order of their definition."""
        return tuple(self.confidences)

    @property
    def in_catalogue(self) -> bool:
        """Whether it is a fact of the catalogue, whatever papers state as well."""
        return any(each.origin == CATALOGUE_ORIGIN for each in self.statements)

    @property
    def only_in_catalogue(self) -> bool:
        """Whether nothing but the catalogue states it."""
        return all(each.origin == CATALOGUE_ORIGIN for each in self.statements)


@dataclass(frozen=True, slots=True)
class Support:
    """What one statement adds to an edge.

    `subject` is the paper that states it, or for facts of the catalogue the child itself.
    """

    subject: str
    relation: RelationType
    confidence: float
    from_catalogue: bool


def edge_confidence(edge: Iterable[Support]) -> float:
    """Return 1 - Π(1 - c) over distinct subjects, each by its strongest statement."""
    strongest: dict[str, float] = {}
    for each in edge:
        strongest[each.subject] = max(each.confidence, strongest.get(each.subject, 0.0))
    return round(1 - prod(1 - each for each in strongest.values()), _DECIMALS)


def confidence_by_relation(edge: Collection[Support]) -> dict[RelationType, float]:
    """Return the confidence of each relation that makes an edge, in their order of definition."""
    return {
        relation: edge_confidence(each for each in edge if each.relation is relation)
        for relation in sorted({each.relation for each in edge}, key=_ORDER.index)
    }


def lineage_edge(
    child: str,
    parent: str,
    support: Collection[Support],
    statements: Iterable[Statement],
    dates: Mapping[str, PartialDate],
) -> LineageEdge:
    """Make an edge of its support, with the statements that this is taken from."""
    return LineageEdge(
        child,
        parent,
        confidence_by_relation(support),
        edge_confidence(support),
        tuple(sorted(statements, key=_by_evidence)),
        parent in dates and child in dates and dates[parent].is_after(dates[child]),
    )


def _by_evidence(statement: Statement) -> tuple[bool, tuple[float, str, str, str]]:
    """Order the statements of an edge: those with a sentence first, then the surest."""
    return (not statement.evidence, by_confidence(statement))


def by_confidence(statement: Statement) -> tuple[float, str, str, str]:
    """Order statements by confidence, the surest first, then by what they are unique by."""
    return (-statement.confidence, statement.subject, statement.relation, statement.entity)


Date = tuple[int, int, int]
"""See `PartialDate.sort_key`."""
Place = tuple[int, Date, str]
"""What works are ordered by: steps from the root, date, id."""


def number_of(date: Date) -> int:
    """Return a date as one number in the same order, such as 20210415."""
    year, month, day = date
    return year * 10_000 + month * 100 + day


def date_of(number: int) -> Date:
    """Return the date of such a number."""
    return (number // 10_000, number // 100 % 100, number % 100)


class LineagePage(NamedTuple):
    """The places of some works that follow each other, the ids of all works before them, and the
    number of works on the whole lineage, all without the root."""

    earlier: list[str]
    places: list[Place]
    total: int


@dataclass(slots=True)
class GeneralTerms:
    """Which works are general terms (GPU, quantization), as far as they were met.

    A lineage does not lead through them unless they are `wanted`: then all works pass.
    """

    reader: Reader
    wanted: bool
    left_out: set[str] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)

    def others(self, ids: Collection[str]) -> Collection[str]:
        """Return those that are not general terms, in their order; the rest is left out."""
        if self.wanted:
            return ids
        general = self.are_general(ids)
        found = [each for each in ids if not general[each]]
        self.left_out |= set(ids).difference(found)
        return found

    def are_general(self, ids: Collection[str]) -> dict[str, bool]:
        """Return, for each work, whether it is a general term."""
        unknown = [each for each in ids if each not in self._known]
        works = self.reader.works(unknown) if unknown else {}
        for each in unknown:
            self._known[each] = bool(getattr(works.get(each), "general", False))
        return self._known


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

        Nodes have `name`, `depth` (0 for the root) and `published` (EDTF or None); edges have
        `relations`, `confidences` (of each relation) and `confidence`. Nodes of earlier pages have
        no attributes: `networkx.compose` the pages for the whole.
        """
        from networkx import DiGraph  # noqa: PLC0415 - slow to load, and rarely needed

        found: DiGraph[str] = DiGraph()
        found.add_node(self.root.id, name=self.root.name, depth=0, published=None)
        for node in self.nodes:
            published = str(node.published) if node.published else None
            found.add_node(node.work.id, name=node.work.name, depth=node.depth, published=published)
        for edge in self.edges:
            confidences = {relation.value: sure for relation, sure in edge.confidences.items()}
            found.add_edge(
                edge.child,
                edge.parent,
                relations=list(confidences),
                confidences=confidences,
                confidence=edge.confidence,
            )
        return found


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


def trace(reader: Reader, root_id: str, selection: Selection = EVERYTHING) -> Lineage:
    """Return a page of the lineage of a work.

    A paper that introduces something stands for its main contribution: that is the root then, as
    what builds on the paper builds on what it introduces. Of the selected works, the first that
    follow the cursor `after` are returned, with the edges among them. A cursor belongs to its
    order. Raises UnknownNameError if no work has the id, BadCursorError if the cursor is invalid,
    ValueError if a number is negative.
    """
    if selection.first < 0:
        raise ValueError("the number of nodes cannot be negative")
    edges, root = selection.edges, root_of(reader, root_id)
    start = _read_cursor(selection.after) if selection.after is not None else None
    emptied_by, page = tuple[FilterField, ...](), None
    if selection.shows_all and selection.lineage_order is LineageOrder.DEPTH:
        page = reader.lineage_page(root.id, selection, start)
    is_reached = bool(page and page.total)
    if page is None:
        places = lineage_places(reader, root.id, selection)
        is_reached = bool(places)
        if is_reached and not selection.shows_all:
            nodes = nodes_at(reader, places)
            emptied_by = selection.emptied_by(nodes)
            shown = map(selection.shows, nodes)
            places = [place for place, is_shown in zip(places, shown, strict=True) if is_shown]
        page = page_of(places, start, selection.first, selection.lineage_order)
    ids = [id_ for *_, id_ in page.places]
    return Lineage(
        root,
        selection.direction,
        nodes_at(reader, page.places),
        _edges_of_page(reader, root.id, page.earlier, ids, edges),
        page.total > len(page.earlier) + len(ids),
        _cursor(page.places[-1]) if len(ids) == selection.first and ids else None,
        emptied_by
        if is_reached
        else fields_that_empty(reader, root.id, selection.direction, edges),
        page.total,
    )


def lineage_places(reader: Reader, root: str, selection: Selection) -> list[Place]:
    """Return the places of all works of a lineage, in the order of their depths."""
    keep = GeneralTerms(reader, selection.include_general).others
    direction, depth, edges = selection.direction, selection.max_depth, selection.edges
    return traverse(reader, root, direction, depth, edges, keep).places()


def page_of(
    places: list[Place],
    after: Place | None,
    first: int,
    order: LineageOrder = LineageOrder.DEPTH,
) -> LineagePage:
    """Return the first works that follow a place, of all places in the order of their depths."""
    key = _KEYS[order]
    if order is not LineageOrder.DEPTH:
        places = sorted(places, key=key)
    begin = bisect_right(places, key(after), key=key) if after else 0
    earlier = [id_ for *_, id_ in places[:begin]]
    return LineagePage(earlier, places[begin : begin + first], len(places))


def _newest_first(place: Place) -> tuple[bool, int, int, int, str]:
    _, (year, month, day), id_ = place
    return (year == UNDATED[0], -year, -month, -day, id_)


_KEYS: dict[LineageOrder, Callable[[Place], tuple[Any, ...]]] = {
    LineageOrder.DEPTH: lambda place: place,
    LineageOrder.DATE: lambda place: place[1:],
    LineageOrder.NEWEST: _newest_first,
}


def nodes_at(reader: Reader, places: Collection[Place]) -> tuple[LineageNode, ...]:
    """Return the works at places of a lineage."""
    ids = [id_ for *_, id_ in places]
    works, dates = reader.works(ids), reader.published(ids)
    return tuple(LineageNode(works[id_], depth, dates.get(id_)) for depth, _, id_ in places)


def fields_that_empty(
    reader: Reader, root: str, direction: LineageDirection, filter: LineageFilter
) -> tuple[FilterField, ...]:
    """Return the fields that leave out all that is one step from the root, if they do."""
    return fields_to_blame(
        filter,
        filter.active,
        lambda kept: any(reader.neighbours([root], direction, kept).values()),
    )


def traverse(
    reader: Reader,
    root_id: str,
    direction: LineageDirection = LineageDirection.DESCENDANTS,
    max_depth: int = 3,
    filter: LineageFilter = WHOLE_LINEAGE,
    keep: Callable[[Collection[str]], Collection[str]] = list,
) -> Traversal:
    """Traverse a lineage for at most `max_depth` steps. Arguments and errors: `trace`.

    `keep` chooses which of the works (ids) that a step leads to belong to it.
    """
    if max_depth < 0:
        raise ValueError("the depth cannot be negative")
    root = root_of(reader, root_id)
    depths = {root.id: 0}
    frontier = [root.id]
    for depth in range(1, max_depth + 1):
        ends = reader.neighbours(frontier, direction, filter)
        found = dict.fromkeys(end for near in ends.values() for end in near if end not in depths)
        frontier = list(keep(found))
        depths |= dict.fromkeys(frontier, depth)
        if not frontier:
            break
    return Traversal(root, depths, reader.published(depths.keys()))


def root_of(reader: Reader, id_: str) -> Work:
    """Return the work whose lineage is that of `id_`. Raises UnknownNameError where none is."""
    id_ = reader.contributions([id_]).get(id_, id_)
    return expect_works(reader, [id_])[id_]


def edges_within(
    reader: Reader,
    children: Collection[str],
    within: Collection[str],
    filter: LineageFilter = WHOLE_LINEAGE,
) -> Iterator[LineageEdge]:
    """Yield the edges from `children`, in their order, to parents that are `within` a lineage."""
    # Works have few parents, if many children: edges are found from the child.
    edges = reader.lineage_edges(children, LineageDirection.ANCESTORS, filter)
    return (edge for own in edges.values() for edge in own if edge.parent in within)


def _edges_of_page(
    reader: Reader,
    root: str,
    earlier: Collection[str],
    page: Collection[str],
    filter: LineageFilter,
) -> tuple[LineageEdge, ...]:
    """Return the edges among the works of a page, and between them and those before them."""
    new = set(page)
    if not new:
        return ()
    # Works on earlier pages may build on a work of this one as well.
    parents = reader.neighbours(earlier, LineageDirection.ANCESTORS, filter) if earlier else {}
    children = {root, *new, *(id_ for id_, ends in parents.items() if not new.isdisjoint(ends))}
    edges = edges_within(reader, sorted(children), {root, *earlier, *new}, filter)
    return tuple(edge for edge in edges if edge.child in new or edge.parent in new)


def _place(id_: str, depth: int, date: PartialDate | None) -> Place:
    return (depth, date.sort_key if date else UNDATED, id_)


def _cursor(place: Place) -> str:
    depth, date, id_ = place
    return f"{depth}:{'-'.join(map(str, date))}:{id_}"


def _read_cursor(text: str) -> Place:
    try:
        depth, date, id_ = text.split(":", 2)
        year, month, day = map(int, date.split("-"))
        return (int(depth), (year, month, day), id_)
    except ValueError:
        raise BadCursorError(text) from None
