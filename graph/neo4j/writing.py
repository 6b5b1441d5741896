"""Writing of nodes and relationships, some at a time, so that what is there already stays; and the
removal of those that are no longer in the graph."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

import neo4j

from stemma.graph.neo4j.connection import Connection
from stemma.graph.property_graph import (
    BASELINE,
    KIND_LABELS,
    LABELS,
    NODES,
    RELATIONSHIPS,
    Node,
    Relationship,
)
from stemma.schema.name import label_of

_KINDS = ":".join((*KIND_LABELS.values(), BASELINE))
_OURS = "(r.origin IS NOT NULL OR r.relations IS NOT NULL OR r.place IS NOT NULL)"
"""Whether a relationship of our types is ours, and not somebody's who uses the same: it has what
all of ours have."""
_RESTORE = """
UNWIND $ids AS id MATCH (n:Retired {{id: id}})
OPTIONAL MATCH (n)-[m:MERGED_INTO]->() DELETE m
REMOVE n:Retired, n.merged_into SET n:{label}, n.added_in = $number
"""
_CREATE = "UNWIND $rows AS row CREATE (n:{labels}) SET n = row, n.added_in = $number"
_MERGE = """
UNWIND $rows AS row MERGE (n:{label} {{id: row.id}}) ON CREATE SET n.added_in = $number
{relabel} SET n += row
"""
_HELD = """
UNWIND $ids AS id MATCH (n:{label} {{id: id}})-[r:{types}]->(end) WHERE {ours}
RETURN type(r) AS type, id AS start, end.id AS end, elementId(r) AS element, properties(r) AS own
"""
_HELD_WROTE = f"""
UNWIND $ids AS id MATCH (:Paper {{id: id}})<-[r:WROTE]-(a) WHERE {_OURS}
RETURN 'WROTE' AS type, a.id AS start, id AS end, elementId(r) AS element, properties(r) AS own
"""
_DELETE = "UNWIND $rows AS row MATCH ()-[r]->() WHERE elementId(r) = row DELETE r"
_CHANGE = "UNWIND $rows AS row MATCH ()-[r]->() WHERE elementId(r) = row[0] SET r += row[1]"
_RELATE = """
UNWIND $rows AS row MATCH (a:{start} {{id: row[0]}}) MATCH (b:{end} {{id: row[1]}})
CREATE (a)-[r:{type}]->(b) SET r = row[2]
"""
_KEPT_PROPERTIES = ("id", "name", "title")
_UNRELATE = f"""
UNWIND $ids AS id MATCH (n:{{label}} {{{{id: id}}}})-[r:{"|".join(RELATIONSHIPS)}]-() WHERE {_OURS}
WITH DISTINCT r DELETE r
"""
_FOLLOW = """
UNWIND $ids AS id MATCH (n:Retired)-[m:MERGED_INTO]->(:{label} {{id: id}}) DELETE m
RETURN n.id AS id, id AS before
"""
_RETIRE = """
UNWIND $ids AS id MATCH (n:{label} {{id: id}})
WHERE EXISTS {{ (n)--() }} OR any(each IN labels(n) WHERE NOT each IN $labels)
  OR any(each IN keys(n) WHERE NOT each IN $keys)
SET n += $nothing REMOVE n:{labels} SET n:Retired
RETURN n.id AS id
"""
_DELETE_NODES = """
UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DELETE n RETURN count(n) AS deleted
"""
_SUCCEED = """
UNWIND $rows AS row MATCH (n:Retired {{id: row[0]}}) SET n.merged_into = row[1]
WITH n, row MATCH (s:{label} {{id: row[1]}}) MERGE (n)-[:MERGED_INTO]->(s)
"""

_Key = tuple[str, str, str, Any]


class BatchWriter:
    """Writes nodes and relationships, within transactions.

    `labelled` puts the prefix before labels in Cypher, `number` is that of the commit that adds
    nodes, and in a `new` graph there are none yet.
    """

    def __init__(self, labelled: Callable[[str], str], number: int, new: bool) -> None:
        self._labelled, self._number, self._new = labelled, number, new

    def put_nodes(self, transaction: neo4j.ManagedTransaction, nodes: Iterable[Node]) -> int:
        """Write nodes with their properties, and return their number."""
        rows: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
        for node in nodes:
            rows[node.labels].append(node.properties)
        for labels, own in rows.items():
            label = labels[0]
            if self._new:
                self._run(
                    transaction, _CREATE.format(labels=":".join(labels)), own, number=self._number
                )
                continue
            ids = [row["id"] for row in own]
            self._run(transaction, _RESTORE.format(label=label), ids=ids, number=self._number)
            blank = dict.fromkeys(NODES[label].keys() - {"added_in"})
            relabel = f"REMOVE n:{_KINDS} SET n:{':'.join(labels)}" if label == "Entity" else ""
            self._run(
                transaction,
                _MERGE.format(label=label, relabel=relabel),
                [blank | row for row in own],
                number=self._number,
            )
        return sum(map(len, rows.values()))

    def put_relationships(
        self,
        transaction: neo4j.ManagedTransaction,
        owners: Collection[str],
        types: Collection[str],
        relationships: Iterable[Relationship],
    ) -> int:
        """Make the relationships of some types that works have be these; return how many changed.

        Only what differs is written.
        """
        wanted = {_key(each.type, each.start, each.end, each.properties): each.properties
                  for each in relationships}  # fmt: skip
        held = {} if self._new else self._held(transaction, owners, types)
        gone = [element for key, (element, _) in held.items() if key not in wanted]
        changed, rows = [], defaultdict[tuple[str, str, str], list[Any]](list)
        for key, own in wanted.items():
            type_, start, end, _ = key
            if key not in held:
                rows[type_, label_of(start), label_of(end)].append([start, end, own])
                continue
            element, before = held[key]
            full = dict.fromkeys(RELATIONSHIPS[type_]) | own
            if any(before.get(name) != value for name, value in full.items()):
                changed.append([element, full])
        if gone:
            self._run(transaction, _DELETE, gone)
        if changed:
            self._run(transaction, _CHANGE, changed)
        for (type_, start, end), new in rows.items():
            self._run(transaction, _RELATE.format(start=start, end=end, type=type_), new)
        return len(gone) + len(changed) + sum(map(len, rows.values()))

    def _held(
        self, transaction: neo4j.ManagedTransaction, owners: Collection[str], types: Collection[str]
    ) -> dict[_Key, tuple[str, dict[str, Any]]]:
        if not owners:
            return {}
        label = label_of(next(iter(owners)))
        leaving = "|".join(each for each in types if each != "WROTE")
        queries = [_HELD.format(label=label, types=leaving, ours=_OURS)]
        if "WROTE" in types:
            queries.append(_HELD_WROTE)
        held = {}
        for query in queries:
            for type_, start, end, element, own in transaction.run(
                self._labelled(query), ids=list(owners)
            ):
                held[_key(type_, start, end, own)] = element, own
        return held

    def _run(
        self, transaction: neo4j.ManagedTransaction, cypher: str, rows: Any = (), **more: Any
    ) -> None:
        transaction.run(self._labelled(cypher), rows=rows, **more).consume()


def _key(type_: str, start: str, end: str, own: dict[str, Any]) -> _Key:
    # One person may be two authors of a paper.
    return type_, start, end, own.get("place")


def remove(
    connection: Connection, successors: Mapping[str, str | None]
) -> tuple[int, dict[str, str | None]]:
    """Remove nodes, and return how many, and those that stay since somebody added data to them.

    `successors` are their ids, with what took their place. One with labels, properties or
    relationships that are not ours becomes ``:Retired``, with a relationship to its successor.
    """
    by_label: dict[str, list[str]] = defaultdict(list)
    for id_ in successors:
        by_label[label_of(id_)].append(id_)
    removed, retired = 0, dict[str, str | None]()
    for label, ids in by_label.items():
        deleted, kept = connection.write(
            partial(_remove, connection=connection, label=label, ids=ids, successors=successors)
        )
        removed += deleted
        retired |= {id_: successors[id_] for id_ in kept}
    return removed, retired


def _remove(
    transaction: neo4j.ManagedTransaction,
    connection: Connection,
    label: str,
    ids: list[str],
    successors: Mapping[str, str | None],
) -> tuple[int, list[str]]:
    def run(cypher: str, **parameters: Any) -> list[neo4j.Record]:
        return list(transaction.run(connection.labelled(cypher), parameters))

    labels = LABELS if label == "Entity" else (label,)
    run(_UNRELATE.format(label=label), ids=ids)
    following = {row["id"]: row["before"] for row in run(_FOLLOW.format(label=label), ids=ids)}
    kept = [
        row["id"]
        for row in run(
            _RETIRE.format(label=label, labels=":".join(labels)),
            ids=ids,
            labels=[f"{connection.prefix}{each}" for each in labels],
            keys=list(NODES[label]),
            nothing=dict.fromkeys(NODES[label].keys() - set(_KEPT_PROPERTIES)),
        )
    ]
    followed = defaultdict(list)
    for id_ in (*kept, *following):
        if successor := successors[following.get(id_, id_)]:
            followed[label_of(successor)].append([id_, successor])
    for each, rows in followed.items():
        run(_SUCCEED.format(label=each), rows=rows)
    ((deleted,),) = run(_DELETE_NODES.format(label=label), ids=ids)
    return deleted, kept
