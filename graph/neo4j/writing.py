"""Writing of nodes and relationships, some at a time, so that what is there already stays; and the
removal of those that are no longer in the graph."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from stemma.graph.neo4j.connection import Run
from stemma.graph.property_graph import (
    BASELINE,
    KIND_LABELS,
    LABELS,
    NODES,
    RELATIONSHIPS,
    Node,
    Properties,
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
UNWIND $rows AS row MERGE (n:{label} {{id: row.id}})
{relabel} SET n += row, n.added_in = coalesce(n.added_in, $number)
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

    `number` is that of the commit that adds nodes, and in a `new` graph there are none yet.
    """

    def __init__(self, number: int, new: bool) -> None:
        self._number, self._new = number, new

    def put_nodes(self, run: Run, nodes: Collection[Node]) -> int:
        """Write nodes with their properties, and return their number."""
        by_labels: dict[tuple[str, ...], list[Properties]] = defaultdict(list)
        for node in nodes:
            by_labels[node.labels].append(node.properties)
        for labels, rows in by_labels.items():
            label = labels[0]
            if self._new:
                run(_CREATE.format(labels=":".join(labels)), rows=rows, number=self._number)
                continue
            ids = [row["id"] for row in rows]
            run(_RESTORE.format(label=label), ids=ids, number=self._number)
            blank = dict.fromkeys(NODES[label].keys() - {"added_in"})
            relabel = f"REMOVE n:{_KINDS} SET n:{':'.join(labels)}" if label == "Entity" else ""
            merge = _MERGE.format(label=label, relabel=relabel)
            run(merge, rows=[blank | row for row in rows], number=self._number)
        return len(nodes)

    def put_relationships(
        self,
        run: Run,
        owners: Sequence[str],
        types: Collection[str],
        relationships: Iterable[Relationship],
    ) -> int:
        """Make the relationships of some types that works have be these; return how many changed.

        Only what differs is written.
        """
        wanted = {
            _key(new.type, new.start, new.end, new.properties): new.properties
            for new in relationships
        }
        held = {} if self._new or not types else _held(run, owners, types)
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
            run(_DELETE, rows=gone)
        if changed:
            run(_CHANGE, rows=changed)
        for (type_, start, end), new in rows.items():
            run(_RELATE.format(start=start, end=end, type=type_), rows=new)
        return len(gone) + len(changed) + sum(map(len, rows.values()))


def _held(
    run: Run, owners: Sequence[str], types: Collection[str]
) -> dict[_Key, tuple[str, Properties]]:
    leaving = "|".join(each for each in types if each != "WROTE")
    queries = [_HELD.format(label=label_of(owners[0]), types=leaving, ours=_OURS)]
    if "WROTE" in types:
        queries.append(_HELD_WROTE)
    return {
        _key(type_, start, end, own): (element, own)
        for query in queries
        for type_, start, end, element, own in run(query, ids=owners)
    }


def _key(type_: str, start: str, end: str, own: Properties) -> _Key:
    # One person may be two authors of a paper.
    return type_, start, end, own.get("place")


def remove(
    prefix: str, label: str, successors: Mapping[str, str | None], run: Run
) -> tuple[int, list[str]]:
    """Remove nodes of a label, and return how many, and those (ids) that stay since somebody added
    data to them.

    `successors` are their ids, with what took their place; `prefix` is before all labels. One with
    labels, properties or relationships that are not ours becomes ``:Retired``, with a relationship
    to its successor.
    """
    ids = list(successors)
    labels = LABELS if label == "Entity" else (label,)
    run(_UNRELATE.format(label=label), ids=ids)
    following = {row["id"]: row["before"] for row in run(_FOLLOW.format(label=label), ids=ids)}
    retired = run(
        _RETIRE.format(label=label, labels=":".join(labels)),
        ids=ids,
        labels=[f"{prefix}{each}" for each in labels],
        keys=list(NODES[label]),
        nothing=dict.fromkeys(NODES[label].keys() - set(_KEPT_PROPERTIES)),
    )
    kept = [row["id"] for row in retired]
    followed = defaultdict(list)
    for id_ in (*kept, *following):
        if successor := successors[following.get(id_, id_)]:
            followed[label_of(successor)].append([id_, successor])
    for end, rows in followed.items():
        run(_SUCCEED.format(label=end), rows=rows)
    ((deleted,),) = run(_DELETE_NODES.format(label=label), ids=ids)
    return deleted, kept
