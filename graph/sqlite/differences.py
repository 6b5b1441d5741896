"""Differences: what a build added to a generation, and what it removed."""

from collections.abc import Collection, Mapping

from stemma.graph.history import Difference, Sample, sample
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.store import WorkType

_Edge = tuple[str, str]
_Named = Mapping[str, tuple[str, str]]
"""Type and name of works, by their ids."""


def of_new(now: SqliteReader) -> dict[str, Difference]:
    """Count the papers, entities and edges of a graph that a build began."""
    counted = now.statistics()
    return {
        "papers": Difference(Sample(counted.papers)),
        "entities": Difference(Sample(counted.entities)),
        "edges": Difference(Sample(counted.lineage_edges)),
    }


def differences(
    base: SqliteReader, now: SqliteReader, works: Collection[str], edges: Collection[_Edge]
) -> dict[str, Difference]:
    """Return how papers, entities and edges differ.

    `works` (ids) and `edges` (the ids of child and parent) are those that may.
    """
    before, after = _named(base, works), _named(now, works)
    old, new = _existing(base, edges), _existing(now, edges)
    return {
        "papers": _difference(before, after, WorkType.PAPER),
        "entities": _difference(before, after, WorkType.ENTITY),
        "edges": Difference(sample(sorted(new - old)), sample(sorted(old - new))),
    }


def _named(reader: SqliteReader, works: Collection[str]) -> _Named:
    rows = reader.rows_in("SELECT id, type, name FROM work WHERE id IN ({})", works)
    return {id_: (type_, name) for id_, type_, name in rows}


def _existing(reader: SqliteReader, edges: Collection[_Edge]) -> set[_Edge]:
    query = (
        "SELECT 1 FROM edge WHERE child = (SELECT no FROM work WHERE id = ?) "
        "AND parent = (SELECT no FROM work WHERE id = ?)"
    )
    return {edge for edge in edges if reader.rows(query, edge)}


def _difference(before: _Named, after: _Named, type_: WorkType) -> Difference:
    added = sorted(
        (id_, name) for id_, (own, name) in after.items() if own == type_ and id_ not in before
    )
    removed = sorted(
        (id_, name) for id_, (own, name) in before.items() if own == type_ and id_ not in after
    )
    return Difference(sample(added), sample(removed))
