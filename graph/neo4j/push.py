"""Pushing: the graph of a local store is written to Neo4j, or what changed since the last push.

Works are written in batches, each in one transaction that also notes how far the push is. One that
was killed goes on there with the next push; until then the graph has some works as they were, and
some as they are now. Nodes ``:StemmaPush`` are all that is there besides the graph: the one named
``graph`` notes its state, and one for each push says when it was.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any
from uuid import uuid4

from stemma.graph.history import ChangesSince
from stemma.graph.neo4j.connection import Address, Connection, Run
from stemma.graph.neo4j.layout import FORMAT, lay_out, number_of, push_note
from stemma.graph.neo4j.writing import BatchWriter, remove
from stemma.graph.property_graph import Part, PropertyGraph
from stemma.graph.reader import Reader
from stemma.graph.store import StoreError
from stemma.schema.batches import batched
from stemma.schema.name import label_of

_BATCH = 1000
_NOTE = "MATCH (g:StemmaPush {name: 'graph'}) RETURN properties(g) AS own"
_BEGIN = """
MERGE (g:StemmaPush {name: 'graph'})
SET g.format = $format, g.run = $run, g.target = $target, g.done = $done
MERGE (p:StemmaPush {number: $number}) ON CREATE SET p.at = datetime()
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


def push(
    reader: Reader,
    connection: Connection,
    full: bool = False,
    tick: Tick = lambda done, total: None,
) -> Pushed:
    """Bring the graph in Neo4j to the state of a local store, and return what was written.

    With `full`, all of it is compared, in place of what changed since the last push alone.
    `tick` is called with how much of what was left is written: works and people, once for their
    nodes and once for relationships. Raises StoreError.
    """
    lay_out(connection)
    notes = connection.read(_NOTE)
    note: dict[str, Any] = notes[0]["own"] if notes else {}
    is_known = note.get("format") == FORMAT
    change = reader.changed_since(None if full or not is_known else note.get("state"))
    pushed = Pushed(everything=change.changed is None)
    if not full and is_known and note.get("state") == change.now and "run" not in note:
        return pushed
    # What was written so far says nothing about the other way of pushing.
    target = f"{change.now} {'whole' if pushed.everything else 'changes'}"
    goes_on = is_known and note.get("target") == target
    done = note["done"].split(" ", 1) if goes_on and note.get("done") else []
    run_id = uuid4().hex
    number = number_of(change.now)
    begun = {"run": run_id, "target": target, "done": " ".join(done), "number": number}
    connection.write(_BEGIN, format=FORMAT, **begun)
    writer = BatchWriter(number, new=not note)
    with ThreadPoolExecutor(1) as thread:
        # While the server writes works, the next are prepared.
        parts = PropertyGraph(reader).parts(_BATCH, change.changed, *done)
        waiting = thread.submit(next, parts, None)
        while part := waiting.result():
            waiting = thread.submit(next, parts, None)
            nodes, relationships = connection.transact(
                partial(_write, connection.address, run_id, writer, part)
            )
            pushed.nodes += nodes
            pushed.relationships += relationships
            tick(part.done, part.total)
    if note:
        _remove(reader, connection, change, pushed)
    connection.write(_END, run=run_id, own=push_note(reader, change.now))
    return pushed


def _write(
    address: Address, run_id: str, writer: BatchWriter, part: Part, run: Run
) -> tuple[int, int]:
    ((pushes,),) = run(_ADVANCE, run=run_id, done=f"{part.phase} {part.ids[-1]}")
    if not pushes:
        raise StoreError(f"Another push to {address} has taken over from this.")
    nodes = writer.put_nodes(run, part.nodes)
    return nodes, writer.put_relationships(run, part.ids, part.types, part.relationships)


def _remove(reader: Reader, connection: Connection, change: ChangesSince, pushed: Pushed) -> None:
    gone = sorted(change.gone) if change.changed is not None else _held_but_gone(reader, connection)
    former = reader.former
    for label, ids in groupby(gone, key=label_of):
        for some in batched(ids, _BATCH):
            successors = {id_: former.get(id_) for id_ in some}
            removed, kept = connection.transact(
                partial(remove, connection.prefix, label, successors)
            )
            pushed.removed += removed
            pushed.retired |= {id_: successors[id_] for id_ in kept}


def _held_but_gone(reader: Reader, connection: Connection) -> Iterator[str]:
    """Yield the ids of nodes that the store does not have."""
    for label in ("Author", "Entity", "Paper"):
        after, query = "", _HELD_IDS.format(label=label)
        while rows := connection.read(query, after=after, first=_BATCH):
            held = [row["id"] for row in rows]
            there = reader.people(held) if label == "Author" else reader.works(held)
            yield from (id_ for id_ in held if id_ not in there)
            after = held[-1]
