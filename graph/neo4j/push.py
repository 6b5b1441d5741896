"""Pushing: the graph of a local store is written to Neo4j, or what changed since the last push.

Works are written in batches, each in one transaction that also notes how far the push is. One that
was killed goes on there with the next push; until then the graph has some works as they were, and
some as they are now. The node ``:StemmaPush`` is all that is there besides the graph.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple
from uuid import uuid4

from stemma.graph.history import ChangesSince
from stemma.graph.neo4j.connection import Connection, Run
from stemma.graph.neo4j.layout import FORMAT, lay_out, push_note
from stemma.graph.neo4j.writing import BatchWriter, remove
from stemma.graph.property_graph import Node, PropertyGraph, Relationship
from stemma.graph.store import Reader, StoreError, WorkType
from stemma.schema import RelationType
from stemma.schema.batches import batched
from stemma.schema.name import AUTHOR, ENTITY, PAPER, label_of

_BATCH = 1000
_PHASES = ("people", "entities", "papers", "lineage", "citations")
"""The parts of a push, in an order in which the ends of relationships come before these."""
_STATED = (*(relation.value for relation in RelationType), "DERIVES_FROM")
_NOTE = "MATCH (g:StemmaPush {name: 'graph'}) RETURN properties(g) AS own"
_BEGIN = """
MERGE (g:StemmaPush {name: 'graph'})
SET g.format = $format, g.run = $run, g.target = $target, g.done = $done
"""
_ADVANCE = """
MATCH (g:StemmaPush {name: 'graph', run: $run}) SET g.done = $done RETURN count(g) AS pushes
"""
_END = """
MATCH (g:StemmaPush {name: 'graph', run: $run}) SET g += $own REMOVE g.run, g.target, g.done
"""
_HELD_IDS = """
MATCH (n:{label}) WHERE n.added_in IS NOT NULL AND n.id > $after
RETURN n.id AS id ORDER BY id LIMIT $first
"""

Tick = Callable[[int, int], None]


@dataclass(slots=True)
class Pushed:
    """What a push wrote: how many works and authors, and relationships, how many nodes it removed.

    `everything` is true where the whole graph was compared or written, not what changed alone.
    `retired` are nodes (ids) that are no longer in the graph and stay, since somebody added data to
    them, with their successors.
    """

    everything: bool
    nodes: int = 0
    relationships: int = 0
    removed: int = 0
    retired: dict[str, str | None] = field(default_factory=dict)


class _Step(NamedTuple):
    """What one transaction writes of some works or people (ids): nodes, and their relationships of
    some types."""

    phase: str
    ids: list[str]
    nodes: list[Node]
    types: tuple[str, ...] = ()
    relationships: Sequence[Relationship] = ()


def push(
    reader: Reader,
    connection: Connection,
    full: bool = False,
    tick: Tick = lambda done, total: None,
) -> Pushed:
    """Bring the graph in Neo4j to the state of a local store, and return what was written.

    With `full`, all of it is compared, in place of what changed since the last push alone.
    `tick` is called with the number of works written, and of all. Raises StoreError.
    """
    lay_out(connection)
    return _Push(reader, connection, tick).run(full)


class _Push:
    def __init__(self, reader: Reader, connection: Connection, tick: Tick) -> None:
        self._reader, self._connection, self._tick = reader, connection, tick
        self._graph = PropertyGraph(reader)
        self._run = uuid4().hex
        self._people = set[str]()

    def run(self, full: bool) -> Pushed:
        notes = self._connection.read(_NOTE)
        note: dict[str, Any] = notes[0]["own"] if notes else {}
        is_known = note.get("format") == FORMAT
        change = self._reader.changed_since(None if full or not is_known else note.get("state"))
        pushed = Pushed(everything=change.changed is None)
        if not full and is_known and note.get("state") == change.now and "run" not in note:
            return pushed
        goes_on = is_known and note.get("target") == change.now
        done = (note.get("done") or "") if goes_on else ""
        begin = {"format": FORMAT, "run": self._run, "target": change.now, "done": done}
        self._connection.write(_BEGIN, **begin)
        writer = BatchWriter(int(change.now.partition("-")[0]), new=not note)
        written, total = 0, self._total(change)
        with ThreadPoolExecutor(1) as thread:
            # While the server writes works, the next are prepared.
            steps = self._steps(change, *done.split(" ", 1))
            waiting = thread.submit(next, steps, None)
            while step := waiting.result():
                waiting = thread.submit(next, steps, None)
                nodes, relationships = self._connection.transact(partial(self._write, writer, step))
                pushed.nodes += nodes
                pushed.relationships += relationships
                written += len(step.ids) if step.phase in ("entities", "papers") else 0
                self._tick(min(written, total), total)
        if note:
            self._remove(change, pushed)
        self._connection.write(_END, run=self._run, own=push_note(self._reader, change.now))
        return pushed

    def _total(self, change: ChangesSince) -> int:
        if change.changed is not None:
            return sum(not each.startswith(AUTHOR) for each in change.changed)
        counted = self._reader.statistics()
        return counted.papers + counted.entities

    def _write(self, writer: BatchWriter, step: _Step, run: Run) -> tuple[int, int]:
        ((pushes,),) = run(_ADVANCE, run=self._run, done=f"{step.phase} {step.ids[-1]}")
        if not pushes:
            raise StoreError(
                f"Another push to {self._connection.address} has taken over from this."
            )
        nodes = writer.put_nodes(run, step.nodes)
        return nodes, writer.put_relationships(run, step.ids, step.types, step.relationships)

    # What is written.

    def _steps(self, change: ChangesSince, phase: str = "", last: str = "") -> Iterator[_Step]:
        """Yield what is to be written after the work `last` of a phase."""
        for name in _PHASES[_PHASES.index(phase) if phase else 0 :]:
            for ids in filter(None, self._ids(change, name, last if name == phase else "")):
                yield self._step(name, ids, change)

    def _ids(self, change: ChangesSince, phase: str, after: str) -> Iterator[list[str]]:
        papers = phase in ("papers", "citations")
        if change.changed is None and phase == "people":
            return iter(())  # They come with their papers.
        if change.changed is None:
            return self._graph.ids(WorkType.PAPER if papers else WorkType.ENTITY, _BATCH, after)
        prefix = AUTHOR if phase == "people" else PAPER if papers else ENTITY
        ids = sorted(each for each in change.changed if each.startswith(prefix))
        return batched((each for each in ids if each > after), _BATCH)

    def _step(self, phase: str, ids: list[str], change: ChangesSince) -> _Step:
        graph = self._graph
        match phase:
            case "people":
                return _Step(phase, ids, graph.people(ids))
            case "entities":
                return _Step(phase, ids, graph.entities(ids))
            case "lineage":
                found = [*graph.broader(ids), *graph.lineage(ids)]
                return _Step(phase, ids, [], (*_STATED, "BROADER"), found)
            case "citations":
                return _Step(phase, ids, [], ("CITES",), graph.citations(ids))
        nodes, found = graph.papers(ids)
        found += [*graph.authorships(ids), *graph.lineage(ids)]
        if change.changed is None:
            wrote = {each.start for each in found if each.type == "WROTE"}
            nodes += graph.people(sorted(wrote - self._people))
            self._people |= wrote
        return _Step(phase, ids, nodes, (*_STATED, "WROTE"), found)

    # What is no longer there.

    def _remove(self, change: ChangesSince, pushed: Pushed) -> None:
        gone = self._held_but_gone() if change.changed is None else sorted(change.gone)
        former = self._reader.former
        for label, ids in groupby(gone, key=label_of):
            for some in batched(ids, _BATCH):
                successors = {id_: former.get(id_) or change.gone.get(id_) for id_ in some}
                removed, kept = self._connection.transact(
                    partial(remove, self._connection.prefix, label, successors)
                )
                pushed.removed += removed
                pushed.retired |= {id_: successors[id_] for id_ in kept}

    def _held_but_gone(self) -> Iterator[str]:
        """Yield the ids of nodes that the store does not have."""
        reader = self._reader
        for label, there in (
            ("Author", reader.people),
            ("Entity", reader.works),
            ("Paper", reader.works),
        ):
            after, query = "", _HELD_IDS.format(label=label)
            while held := [
                row["id"] for row in self._connection.read(query, after=after, first=_BATCH)
            ]:
                yield from sorted({*held} - there(held).keys())
                after = held[-1]
