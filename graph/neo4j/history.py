"""The history of a graph in Neo4j: a note with what the latest builds changed."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

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
from stemma.graph.neo4j.connection import Read
from stemma.graph.neo4j.edge_update import Ends
from stemma.graph.store import Changes
from stemma.schema import Entity

T = TypeVar("T", str, Ends)
_READ = f"MATCH (h:_StemmaNote {{name: '{note.HISTORY}'}}) RETURN h.text AS text"
_WRITE = f"MERGE (h:_StemmaNote {{name: '{note.HISTORY}'}}) SET h.text = $text"
_TITLES = "UNWIND $ids AS id MATCH (p:Paper {id: id}) RETURN id, p.title AS title"


def builds(read: Read) -> list[Build]:
    """Return what the latest builds changed, the oldest first; `read` answers a query."""
    return [build for row in read(_READ) for build in load(row["text"])]


class History:
    """What a build changed until now, of which its record is made.

    What a build wrote that was killed counts as held by the graph before the next.
    """

    def __init__(self, read: Read, initial: bool) -> None:
        self._recorder = Recorder(builds(read), initial)
        # How many more there are than before the build: one, or one less.
        self._papers, self._entities, self._edges = Counter[str](), Counter[str](), Counter[Ends]()
        self._names_before: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._updated: set[str] = set()

    def note_removed(self, read: Read, papers: Collection[str]) -> None:
        """Note which papers a commit is to take out, while the graph has them."""
        self._names_before = _titles(read, papers) | self._names_before

    def note_entities(
        self, before: Mapping[str, Entity], after: Iterable[Entity], gone: Collection[str]
    ) -> None:
        """Note which entities a commit has written, and which it takes out."""
        self._names_before = {id_: each.name for id_, each in before.items()} | self._names_before
        self._names |= {each.id: each.name for each in after}
        self._entities.update(each.id for each in after if each.id not in before)
        self._entities.subtract(gone)

    def note_edges(self, more: Mapping[Ends, int]) -> None:
        """Note which edges come and go."""
        self._edges.update(more)

    def note_papers(self, changes: Changes) -> None:
        """Note which papers a commit has changed."""
        self._papers, self._updated = self._with(changes)

    def _with(self, changes: Changes) -> tuple[Counter[str], set[str]]:
        updated = self._updated.union(id_ for id_ in changes.updated if self._papers[id_] == 0)
        papers = Counter(self._papers)
        papers.update(changes.added)
        papers.subtract(changes.removed)
        return papers, updated

    def write(self, transaction: ManagedTransaction, changes: Changes, generation: str) -> None:
        """Write the record of what is noted, and of the commit that this ends."""

        def read(query: str, **parameters: Any) -> Sequence[Any]:
            return list(transaction.run(query, **parameters))

        papers, updated = self._with(changes)
        added = sorted((+papers).keys())
        titles = _titles(read, added[:MOST_LISTED])
        records = self._recorder.records(
            Difference(_named(added, titles), _named(_less(papers), self._names_before)),
            Difference(
                _named(sorted((+self._entities).keys()), self._names),
                _named(_less(self._entities), self._names_before),
            ),
            Difference(sample(sorted((+self._edges).keys())), sample(_less(self._edges))),
            len(updated),
            generation,
        )
        transaction.run(_WRITE, text=dump(records))


def _less(more: Counter[T]) -> list[T]:
    return sorted((-more).keys())


def _titles(read: Read, ids: Collection[str]) -> dict[str, str]:
    return {row["id"]: row["title"] for row in read(_TITLES, ids=list(ids))} if ids else {}


def _named(ids: Sequence[str], names: Mapping[str, str]) -> Sample:
    some = tuple((id_, names.get(id_, id_)) for id_ in ids[:MOST_LISTED])
    return Sample(len(ids), some)
