"""Removal: nodes of works and people that are no longer in the graph."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any

import neo4j

from stemma.graph.neo4j.connection import Connection
from stemma.graph.property_graph import LABELS, NODES, RELATIONSHIPS
from stemma.schema.identifier import label_of

_KEPT_PROPERTIES = ("id", "name", "title")
# A relationship of our types is ours if it has what all of ours have.
_UNRELATE = f"""
UNWIND $ids AS id MATCH (n:{{label}} {{{{id: id}}}})-[r:{"|".join(RELATIONSHIPS)}]-()
WHERE r.origin IS NOT NULL OR r.relations IS NOT NULL OR r.place IS NOT NULL
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
_DELETE = "UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DELETE n RETURN count(n) AS deleted"
_SUCCEED = """
UNWIND $rows AS row MATCH (n:Retired {{id: row[0]}}) SET n.merged_into = row[1]
WITH n, row MATCH (s:{label} {{id: row[1]}}) MERGE (n)-[:MERGED_INTO]->(s)
"""


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
    ((deleted,),) = run(_DELETE.format(label=label), ids=ids)
    return deleted, kept
