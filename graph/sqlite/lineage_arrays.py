"""Lineage in arrays: all edges of a generation at once, for lineages of thousands of works."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stemma.graph.filters import LineageFilter
from stemma.graph.lineage_page import FamilyPage, LineagePage, Place, date_of, number_of
from stemma.graph.selection import LineageDirection
from stemma.graph.sqlite.adjacency import ends_of
from stemma.graph.sqlite.cache import Cache

Ask = Callable[..., Iterable[tuple[Any, ...]]]
"""Queries the index."""
AskOfMany = Callable[[str, Iterable[int]], Iterable[tuple[Any, ...]]]
"""Queries the index for many numbers: see `SqliteReader.rows_in`."""
_Numbers = NDArray[np.int64]
_SORTED = 4
"""Filters and directions whose edges are kept sorted."""
_AT_ONCE = 2**18
"""Works whose edges are read by one query, during which other threads have to wait."""
# As text, which takes a tenth of the time of rows.
_ALL_EDGES = """
    SELECT group_concat(child << 32 | parent) FROM edge WHERE child >= ? AND child < ?
"""
_SOME_EDGES = """
    SELECT group_concat(child << 32 | parent) FROM derivation WHERE parent >= ? AND parent < ?
"""
# What an entity derives from by its own account is a fact of the catalogue.
_NO_FACT = " AND (subject <> child OR (SELECT type FROM work WHERE no = subject) = 'paper')"
_DATED = "SELECT no, CAST(replace(date_order, '-', '') AS INTEGER) FROM work WHERE no IN ({})"
_DATES = 10**9
"""More than any date as a number, such as 20210415; what is undated has 100001332."""


class LineageArrays:
    """The edges of a generation as arrays, for each filter that is asked for, and the dates of the
    works that were listed. At 1 million papers with 2 derivations each they take some 50 MB."""

    def __init__(self, ask: Ask, ask_of_many: AskOfMany) -> None:
        self._ask, self._ask_of_many = ask, ask_of_many
        ((last,),) = ask("SELECT COALESCE(MAX(no), 0) FROM work")
        self._size = int(last) + 1
        self._dates = np.full(self._size, -1, np.int64)
        self._near = Cache[tuple[LineageDirection, LineageFilter], tuple[_Numbers, _Numbers]](
            _SORTED
        )
        self._reading = Lock()

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
        depths, _ = self._depths(root, direction, max_depth, filter, include_general)
        earlier, places = self._ordered(depths, after, first)
        total = int(np.count_nonzero(depths > 0))
        return LineagePage(earlier, [place for place, _ in places], total)

    def family(
        self,
        root: int,
        directions: Sequence[LineageDirection],
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
        first: int,
    ) -> FamilyPage:
        """Return the first works of several lineages of a work."""
        nearest, of = np.zeros((2, self._size), np.int64)
        reached, new, left_out = list[int](), list[int](), np.zeros(self._size, bool)
        for number, direction in enumerate(directions):
            depths, general = self._depths(root, direction, max_depth, filter, include_general)
            is_new = (depths > 0) & (nearest == 0)
            nearest[is_new], of[is_new] = depths[is_new], number
            reached.append(int(np.count_nonzero(depths > 0)))
            new.append(int(np.count_nonzero(is_new)))
            left_out |= general
        _, places = self._ordered(nearest, None, first)
        return FamilyPage(
            [place for place, _ in places],
            [int(of[number]) for _, number in places],
            reached,
            new,
            set(self._ids(np.flatnonzero(left_out).tolist()).values()),
        )

    def _ordered(
        self, depths: _Numbers, after: Place | None, first: int
    ) -> tuple[list[str], list[tuple[Place, int]]]:
        """Return the works before a place (ids), and places that follow it, with their works."""
        reached = np.flatnonzero(depths > 0)
        # Only works of the steps that the page is of are put in order.
        until = np.cumsum(np.bincount(depths[reached], minlength=1))
        begun = until[min(max(after[0], 0), len(until) - 1)] if after else 0
        deepest = np.searchsorted(until, min(int(begun) + first, len(reached)))
        reached = reached[depths[reached] <= deepest]
        keys = depths[reached] * _DATES + self._dates_of(reached)
        order = np.argsort(keys, kind="stable")
        reached, keys = reached[order], keys[order]
        start = 0
        if after is not None:
            depth, date, id_ = after
            key = depth * _DATES + number_of(date)
            start, end = (int(np.searchsorted(keys, key, side)) for side in ("left", "right"))
            start += sum(each <= id_ for each in self._ids(reached[start:end].tolist()).values())
        last = min(start + first, len(keys))
        # Where several works have one date, their ids decide which are before the last place.
        end = int(np.searchsorted(keys, keys[last - 1], "right")) if last else 0
        numbers = reached[:end].tolist()
        ids = self._ids(numbers)
        ordered = sorted(
            zip(keys[:end].tolist(), map(ids.__getitem__, numbers), numbers, strict=True)
        )
        return (
            [id_ for _, id_, _ in ordered[:start]],
            [(_place(key, id_), number) for key, id_, number in ordered[start:last]],
        )

    def _ids(self, numbers: Iterable[int]) -> dict[int, str]:
        return dict(self._ask_of_many("SELECT no, id FROM work WHERE no IN ({})", numbers))

    def _dates_of(self, works: _Numbers) -> _Numbers:
        """Return the dates of works as numbers; each is read once."""
        for number, date in self._ask_of_many(_DATED, works[self._dates[works] < 0].tolist()):
            self._dates[number] = date
        return self._dates[works]

    @cached_property
    def _general(self) -> NDArray[np.bool_]:
        """Whether works are general terms, by their numbers."""
        general = np.zeros(self._size, bool)
        for (number,) in self._ask("SELECT no FROM work WHERE type = 'entity' AND general"):
            general[number] = True
        return general

    def _depths(
        self,
        root: int,
        direction: LineageDirection,
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
    ) -> tuple[_Numbers, NDArray[np.bool_]]:
        """Return the steps from the root to each work by its number, -1 where there is no way, and
        which works are general terms that were left out."""
        starts, far = self._neighbours(direction, filter)
        depths = np.full(self._size, -1, np.int64)
        depths[root] = 0
        edge, left_out = np.array([root]), np.zeros(self._size, bool)
        for depth in range(1, max_depth + 1):
            counts = starts[edge + 1] - starts[edge]
            before = np.cumsum(counts) - counts
            places = np.arange(counts.sum()) + np.repeat(starts[edge] - before, counts)
            is_found = np.zeros(self._size, bool)
            is_found[far[places]] = True
            is_found &= depths < 0
            if not include_general:
                left_out |= is_found & self._general
                is_found &= ~self._general
            edge = np.flatnonzero(is_found)
            depths[edge] = depth
            if not len(edge):
                break
        return depths, left_out

    def _neighbours(
        self, direction: LineageDirection, filter: LineageFilter
    ) -> tuple[_Numbers, _Numbers]:
        """Return the far ends of what a filter lets pass, and where those of each work start."""
        if known := self._near.get((direction, filter)):
            return known
        with self._reading:  # Whoever needs the same waits for it.
            if known := self._near.get((direction, filter)):
                return known
            edges = self._passing(filter)
            ends = {"child": edges >> 32, "parent": edges & 2**32 - 1}
            near, far = (ends[each] for each in ends_of(direction))
            order = np.argsort(near, kind="stable")
            counts = np.bincount(near, minlength=self._size)
            starts = np.concatenate([[0], np.cumsum(counts)])
            known = self._near[direction, filter] = (starts, far[order])
            return known

    def _passing(self, filter: LineageFilter) -> _Numbers:
        """Return which edges pass, as the numbers of child and parent in one."""
        query, values = _ALL_EDGES, list[Any]()
        if filter.active:
            query = f"{_SOME_EDGES} AND confidence >= ?"
            values.append(filter.min_confidence)
            if filter.relations:
                query += f" AND relation IN ({','.join('?' * len(filter.relations))})"
                values += filter.relations
            if not filter.include_catalogue:
                query += _NO_FACT
        parts = [
            np.fromstring(text, np.int64, sep=",")
            for start in range(0, self._size, _AT_ONCE)
            for (text,) in self._ask(query, [start, start + _AT_ONCE, *values])
            if text
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _place(key: int, id_: str) -> Place:
    depth, date = divmod(key, _DATES)
    return (depth, date_of(date), id_)
