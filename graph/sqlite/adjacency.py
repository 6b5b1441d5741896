"""Adjacency: the edges of lineage around works, read as they are asked for."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from stemma.graph.cache import Cache
from stemma.graph.filters import LineageFilter, Published
from stemma.graph.lineage_edge import Support
from stemma.graph.selection import LineageDirection
from stemma.schema import RelationType
from stemma.schema.identifier import ENTITY

Ask = Callable[[str, Iterable[str]], Iterable[Sequence[Any]]]
"""Queries the index for many ids: see `SqliteReader.rows_in`."""
_Ends = dict[str, list[Support]]
"""The support of each edge of a work, by its far end."""
_AROUND = """
    SELECT near.id, far.id, s.id, relation, confidence FROM work near
    JOIN {derivations} JOIN work far ON far.no = d.{far} JOIN work s ON s.no = d.subject
    WHERE near.id IN ({{}}) ORDER BY near.id, far.id, s.id, relation
"""
_BESIDE = """
    SELECT DISTINCT near.id, far.id FROM work near
    JOIN {derivations} JOIN work far ON far.no = d.{far}
    WHERE near.id IN ({{}}) ORDER BY near.id, far.id
"""
_DERIVATIONS = {
    LineageDirection.DESCENDANTS: "derivation d ON d.parent = near.no",
    # Derivations are in the order of their parents: edges lead to them.
    LineageDirection.ANCESTORS: "edge ON edge.child = near.no "
    "JOIN derivation d ON d.parent = edge.parent AND d.child = edge.child",
}


def ends_of(direction: LineageDirection) -> tuple[str, str]:
    """Return the columns with the near and the far end of an edge, seen from a work."""
    return ("parent", "child") if direction is LineageDirection.DESCENDANTS else ("child", "parent")


_SUPPORTS, _ENDS = (
    {
        each: query.format(derivations=_DERIVATIONS[each], far=ends_of(each)[1])
        for each in LineageDirection
    }
    for query in (_AROUND, _BESIDE)
)


class Adjacency:
    """Reads which edges works have, and remembers those that it read."""

    def __init__(self) -> None:
        self._supports = {each: Cache[str, _Ends](32768) for each in LineageDirection}
        self._ends = {each: Cache[str, tuple[str, ...]](32768) for each in LineageDirection}

    def beside(
        self, ask: Ask, ids: Collection[str], direction: LineageDirection
    ) -> dict[str, list[str]]:
        """Return, of each work, the far ends of all its edges in order."""

        def read(missing: list[str]) -> dict[str, tuple[str, ...]]:
            found: dict[str, list[str]] = {id_: [] for id_ in missing}
            for id_, end in ask(_ENDS[direction], missing):
                found[id_].append(end)
            return {id_: tuple(ends) for id_, ends in found.items()}

        ends = self._ends[direction].get_many(ids, read)
        return {id_: list(ends[id_]) for id_ in ids}

    def around(
        self,
        ask: Ask,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter,
        published: Published,
    ) -> dict[str, _Ends]:
        """Return, of each work, the far ends of its edges in order, with the edge's support.

        That is what `filter` lets pass, for which `published` returns dates.
        """

        def read(missing: list[str]) -> dict[str, _Ends]:
            found: dict[str, _Ends] = {id_: {} for id_ in missing}
            for id_, end, *row in ask(_SUPPORTS[direction], missing):
                found[id_].setdefault(end, []).append(_support(*row))
            return found

        ends = self._supports[direction].get_many(ids, read)
        return {id_: dict(_passing(ends[id_], filter, published)) for id_ in ids}


def _support(subject: str, relation: str, confidence: float) -> Support:
    return Support(subject, RelationType(relation), confidence, subject.startswith(ENTITY))


def _passing(
    ends: _Ends, filter: LineageFilter, published: Published
) -> Iterable[tuple[str, list[Support]]]:
    for end, edge in ends.items():
        if support := filter.passing(edge, published):
            yield end, support
