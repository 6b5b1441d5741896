"""Lineage in arrays: all edges of a generation at once, for lineages of thousands of works."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stemma.graph.filters import LineageFilter
from stemma.graph.lineage_page import LineagePage, Place
from stemma.graph.sqlite.adjacency import ends_of
from stemma.graph.sqlite.cache import Cache
from stemma.graph.store import LineageDirection
from stemma.schema import RelationType

Ask = Callable[[str], Iterable[tuple[Any, ...]]]
"""Queries the index."""
Ids = Callable[[Sequence[int]], dict[int, str]]
"""Returns the ids of works by their numbers."""
_Numbers = NDArray[np.int64]
_SORTED = 4
"""Filters and directions whose edges are kept sorted."""
_EDGES = f"""
    SELECT child, parent, confidence, relation = '{RelationType.IMPROVES_ON}', subject = child
    FROM derivation
"""
_EDGE = np.dtype(
    [("child", "i4"), ("parent", "i4"), ("sure", "f8"), ("improves", "?"), ("own", "?")]
)
_WORKS = """
    SELECT no, CAST(replace(date_order, '-', '') AS INTEGER), COALESCE(general, 0), type = 'entity'
    FROM work
"""
_WORK = np.dtype([("no", "i4"), ("date", "i4"), ("general", "?"), ("entity", "?")])
_DATES = 10**9
"""More than any date as a number, such as 20210415; what is undated has 100001332."""


class LineageArrays:
    """The derivations of a generation as arrays, and of each work its date and whether it is a
    general term. At 1 million papers with 2 derivations each they take some 100 MB."""

    def __init__(self, ask: Ask, ids: Ids) -> None:
        self._ids = ids
        self._edges = np.fromiter(ask(_EDGES), _EDGE)
        works = np.fromiter(ask(_WORKS), _WORK)
        size = int(works["no"].max(initial=0)) + 1
        self._dates, self._general, entity = np.zeros(size, np.int64), *np.zeros((2, size), bool)
        self._dates[works["no"]] = works["date"]
        self._general[works["no"]] = works["general"]
        entity[works["no"]] = works["entity"]
        # What an entity derives from by its own account is a fact of the catalogue.
        self._facts = self._edges["own"] & entity[self._edges["child"]]
        self._near = Cache[tuple[LineageDirection, LineageFilter], tuple[_Numbers, _Numbers]](
            _SORTED
        )

    def page(
        self,
        root: int,
        direction: LineageDirection,
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
        after: Place | None,
        first: int,
    ) -> LineagePage:
        """Return the works of a lineage that follow a place, `first` at most."""
        depths = self._depths(root, direction, max_depth, filter, include_general)
        reached = np.flatnonzero(depths > 0)
        keys = depths[reached] * _DATES + self._dates[reached]
        order = np.argsort(keys, kind="stable")
        reached, keys = reached[order], keys[order]
        start = 0
        if after is not None:
            depth, (year, month, day), id_ = after
            key = depth * _DATES + year * 10_000 + month * 100 + day
            start, end = (int(np.searchsorted(keys, key, side)) for side in ("left", "right"))
            start += sum(each <= id_ for each in self._ids(reached[start:end].tolist()).values())
        last = min(start + first, len(keys))
        # Where several works have one date, their ids decide which are before the last place.
        end = int(np.searchsorted(keys, keys[last - 1], "right")) if last else 0
        numbers = reached[:end].tolist()
        ids = self._ids(numbers)
        ordered = sorted(zip(keys[:end].tolist(), map(ids.__getitem__, numbers), strict=True))
        return LineagePage(
            [id_ for _, id_ in ordered[:start]],
            [_place(key, id_) for key, id_ in ordered[start:last]],
            len(keys),
        )

    def _depths(
        self,
        root: int,
        direction: LineageDirection,
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
    ) -> _Numbers:
        """Return the steps from the root to each work by its number, -1 where there is no way."""
        starts, far = self._neighbours(direction, filter)
        depths = np.full(len(self._dates), -1, np.int64)
        depths[root] = 0
        edge = np.array([root])
        for depth in range(1, max_depth + 1):
            counts = starts[edge + 1] - starts[edge]
            before = np.cumsum(counts) - counts
            places = np.arange(counts.sum()) + np.repeat(starts[edge] - before, counts)
            found = np.unique(far[places])
            found = found[depths[found] < 0]
            edge = found if include_general else found[~self._general[found]]
            depths[edge] = depth
            if not len(edge):
                break
        return depths

    def _neighbours(
        self, direction: LineageDirection, filter: LineageFilter
    ) -> tuple[_Numbers, _Numbers]:
        """Return the far ends of what a filter lets pass, and where those of each work start."""
        known = self._near.get((direction, filter))
        if known is None:
            near, far = ends_of(direction)
            edges = self._edges[self._passing(filter)]
            edges = edges[np.argsort(edges[near], kind="stable")]
            starts = np.searchsorted(edges[near], np.arange(len(self._dates) + 1))
            known = self._near[direction, filter] = (starts, edges[far].astype(np.int64))
        return known

    def _passing(self, filter: LineageFilter) -> NDArray[np.bool_]:
        """Return which edges pass."""
        passes: NDArray[np.bool_] = self._edges["sure"] >= filter.min_confidence
        if len(set(filter.relations)) == 1:
            passes &= self._edges["improves"] == (RelationType.IMPROVES_ON in filter.relations)
        if not filter.include_catalogue:
            passes &= ~self._facts
        return passes


def _place(key: int, id_: str) -> Place:
    depth, date = divmod(key, _DATES)
    return (depth, (date // 10_000, date // 100 % 100, date % 100), id_)
