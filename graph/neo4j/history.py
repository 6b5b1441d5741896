"""The history of a graph in Neo4j: a note with what the latest builds changed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.history import (
    MOST_LISTED,
    Build,
    Difference,
    Recorder,
    Sample,
    dump,
    load,
    sample,
)
from stemma.graph.neo4j import note

_Rows = Callable[..., Sequence[Any]]
_READ = f"MATCH (h:_StemmaNote {{name: '{note.HISTORY}'}}) RETURN h.text AS text"
_WRITE = f"MERGE (h:_StemmaNote {{name: '{note.HISTORY}'}}) SET h.text = $text"
_EDGES = """
MATCH (c)-[d:DERIVES_FROM]->(p) WHERE d.relations IS NOT NULL
RETURN c.id AS child, p.id AS parent
"""
_TITLES = "UNWIND $ids AS id MATCH (p:Paper {id: id}) RETURN id, p.title AS title"


def builds(read: _Rows) -> list[Build]:
    """Return what the latest builds changed, the oldest first; `read` answers a query."""
    return [build for row in read(_READ) for build in load(row["text"])]


class History:
    """What the graph held when a build began, of which the record of this build is made.

    What a build wrote that was killed counts as held by the graph before the next.
    """

    def __init__(
        self, read: _Rows, papers: Collection[str], entities: Mapping[str, str], initial: bool
    ) -> None:
        self._recorder = Recorder(builds(read), initial)
        self._papers, self._entities = frozenset(papers), dict(entities)
        self._edges = _edges(read)
        self._titles: dict[str, str] = {}
        self._updated: set[str] = set()

    def note_changes(self, read: _Rows, updated: Collection[str], removed: Collection[str]) -> None:
        """Note which papers the next commit updates and removes, while the graph has them."""
        self._updated |= self._papers.intersection(updated)
        self._titles |= _titles(read, removed)

    def write(
        self,
        transaction: ManagedTransaction,
        papers: Collection[str],
        entities: Mapping[str, str],
        generation: str,
    ) -> None:
        """Write the record, with what the graph holds now; entities are ids with names."""

        def read(query: str, **parameters: Any) -> Sequence[Any]:
            return list(transaction.run(query, **parameters))

        edges = _edges(read)
        added = sorted(frozenset(papers) - self._papers)
        removed = sorted(self._papers.difference(papers))
        titles = self._titles | _titles(read, added[:MOST_LISTED])
        of_papers = Difference(_named(added, titles), _named(removed, titles))
        of_entities = Difference(
            _named(sorted(entities.keys() - self._entities.keys()), entities),
            _named(sorted(self._entities.keys() - entities.keys()), self._entities),
        )
        of_edges = Difference(
            sample(sorted(edges - self._edges)), sample(sorted(self._edges - edges))
        )
        records = self._recorder.records(
            of_papers, of_entities, of_edges, len(self._updated), generation
        )
        transaction.run(_WRITE, text=dump(records))


def _edges(read: _Rows) -> frozenset[tuple[str, str]]:
    return frozenset((row["child"], row["parent"]) for row in read(_EDGES))


def _titles(read: _Rows, ids: Collection[str]) -> dict[str, str]:
    return {row["id"]: row["title"] for row in read(_TITLES, ids=list(ids))} if ids else {}


def _named(ids: Sequence[str], names: Mapping[str, str]) -> Sample:
    some = tuple((id_, names.get(id_, id_)) for id_ in ids[:MOST_LISTED])
    return Sample(len(ids), some)
