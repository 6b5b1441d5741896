"""Timelines: a lineage by year."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from stemma.graph.filters import ALL_YEARS, WHOLE_LINEAGE, FilterField, LineageFilter, Years
from stemma.graph.lineage import (
    LineageNode,
    edges_within,
    fields_that_empty,
    lineage_page,
    nodes_at,
    root_of,
)
from stemma.graph.lineage_edge import LineageEdge
from stemma.graph.selection import LineageDirection, Selection
from stemma.graph.store import Reader
from stemma.schema import EntityKind
from stemma.schema.partial_date import UNDATED

MOST_WORKS = 2000
"""Works of a lineage that are looked at."""


@dataclass(frozen=True, slots=True)
class TimelineYear:
    """The works of a year, by date and id; those whose year is not known have None."""

    year: int | None
    nodes: tuple[LineageNode, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The descendants of `root` (or its ancestors), by year; the undated are last.

    `root` has depth 0 and is not in any year. `edges` are those among the root and the works of
    all years. `truncated` means that there is more. `total` counts the works that pass the filters,
    shown or not, `by_year` those of each year. Where no work is found, `emptied_by` are the fields
    of filters that left out what there is.
    """

    root: LineageNode
    direction: LineageDirection
    years: tuple[TimelineYear, ...]
    edges: tuple[LineageEdge, ...]
    truncated: bool
    total: int
    by_year: Mapping[int | None, int]
    emptied_by: tuple[FilterField, ...] = ()

    @property
    def nodes(self) -> tuple[LineageNode, ...]:
        """The works of all years, in their order."""
        return tuple(node for year in self.years for node in year.nodes)


def draw_timeline(
    reader: Reader,
    root_id: str,
    direction: LineageDirection = LineageDirection.DESCENDANTS,
    max_depth: int = 3,
    filter: LineageFilter = WHOLE_LINEAGE,
    kinds: Collection[EntityKind] = (),
    years: Years = ALL_YEARS,
    first: int = 100,
    skip: int = 0,
    newest_first: bool = False,
) -> Timeline:
    """Follow the lineage of a work, and put its works into their years.

    `kinds` and `years` choose what is shown, not which works the lineage leads through. `first`
    works are returned, the oldest or the newest, after `skip` others. Raises what `trace` does.
    """
    if first < 0 or skip < 0:
        raise ValueError("the number of works cannot be negative")
    root = root_of(reader, root_id)
    page = lineage_page(reader, root.id, direction, max_depth, filter, MOST_WORKS)
    nodes = nodes_at(reader, page.places)
    show = Selection(kinds=tuple(kinds), since=years.first, until=years.last)
    chosen = sorted((node for node in nodes if show.shows(node)), key=_date)
    if newest_first:
        dated = [node for node in chosen if node.published and node.published.year]
        chosen = [*reversed(dated), *chosen[len(dated) :]]
    shown = chosen[skip : skip + first]
    within = {root.id, *(node.work.id for node in shown)}
    # Of the edges, with their sentences, no more are read than are shown.
    edges = edges_within(reader, sorted(within), within, filter)
    return Timeline(
        LineageNode(root, 0, reader.published([root.id]).get(root.id)),
        direction,
        _by_year(shown),
        tuple(edges),
        page.total > MOST_WORKS or len(chosen) > skip + first,
        len(chosen),
        Counter(node.published.year if node.published else None for node in chosen),
        show.emptied_by(nodes) if nodes else fields_that_empty(reader, root.id, direction, filter),
    )


def _by_year(nodes: Collection[LineageNode]) -> tuple[TimelineYear, ...]:
    years: dict[int | None, list[LineageNode]] = defaultdict(list)
    for node in nodes:
        years[node.published.year if node.published else None].append(node)
    return tuple(TimelineYear(year, tuple(own)) for year, own in years.items())


def _date(node: LineageNode) -> tuple[int, int, int, str]:
    year, month, day = node.published.sort_key if node.published else UNDATED
    return (year, month, day, node.work.id)


def edges_towards(
    reader: Reader, timeline: Timeline, max_depth: int, filter: LineageFilter = WHOLE_LINEAGE
) -> dict[str, list[LineageEdge]]:
    """Return, for each work of a timeline (an id), the edges by which its lineage leads to it.

    Their other ends are one step nearer to the root, and need not be among the works shown.
    """
    root, direction = timeline.root.work.id, timeline.direction
    # A work that is nearer than one that is shown comes before it.
    page = lineage_page(reader, root, direction, max_depth, filter, MOST_WORKS)
    depths = {root: 0} | {id_: depth for depth, _, id_ in page.places}
    shown = [node.work.id for node in timeline.nodes]
    down = direction is LineageDirection.DESCENDANTS
    if down:
        children = set(shown)
    else:
        near = reader.neighbours(shown, LineageDirection.DESCENDANTS, filter)
        children = {each for ends in near.values() for each in ends if each in depths}
    found: dict[str, list[LineageEdge]] = {each: [] for each in shown}
    for edge in edges_within(reader, sorted(children), depths, filter):
        here, there = (edge.child, edge.parent) if down else (edge.parent, edge.child)
        if here in found and depths[there] == depths[here] - 1:
            found[here].append(edge)
    return found
