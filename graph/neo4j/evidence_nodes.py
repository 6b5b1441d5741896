"""Evidence nodes: each sentence that supports a statement as a node of its own, if requested.

``(:Paper)-[:HAS_EVIDENCE]->(:Evidence)-[:SUPPORTS {relation, confidence}]->(:Entity)``. They hold
what the relationships of statements hold in lists, so that sentences can be searched and shown.
"""

from collections.abc import Sequence
from functools import partial

from neo4j import ManagedTransaction

from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.selection import any_of
from stemma.graph.store import StoreError
from stemma.schema import RelationType

_AT_ONCE = 1000
_FILLING, _KEPT = "filling", "kept"
_LAYOUT = (
    "CREATE CONSTRAINT stemma_evidence_id IF NOT EXISTS FOR (v:Evidence) REQUIRE v.id IS UNIQUE",
    "CREATE FULLTEXT INDEX stemma_evidence IF NOT EXISTS FOR (v:Evidence) ON EACH [v.text]",
)
_DROP_LAYOUT = (
    "DROP INDEX stemma_evidence IF EXISTS",
    "DROP CONSTRAINT stemma_evidence_id IF EXISTS",
)
_UNSUPPORT = """
UNWIND $ids AS id
MATCH (:Paper {id: id})-[:HAS_EVIDENCE]->(:Evidence)-[s:SUPPORTS]->(:Entity)
WHERE s.relation IS NOT NULL DELETE s
"""
_SUPPORT = f"""
UNWIND $ids AS id MATCH (p:Paper {{id: id}})-[r:{any_of(RelationType)}]->(e:Entity)
WHERE r.origin IS NOT NULL
UNWIND range(0, size(r.evidence_text) - 1) AS i
WITH p, r, e, r.evidence_text[i] AS text, r.evidence_field[i] AS field,
  r.evidence_start[i] AS start, r.evidence_end[i] AS end
MERGE (v:Evidence {{id: p.id + '#' + field + '-' + toString(start) + '-' + toString(end)}})
SET v += {{text: text, field: field, start: start, end: end, paper: p.id}}
MERGE (p)-[:HAS_EVIDENCE]->(v)
CREATE (v)-[:SUPPORTS {{relation: type(r), confidence: r.confidence}}]->(e)
"""
_REMOVE = """
UNWIND $ids AS id MATCH (:Paper {id: id})-[:HAS_EVIDENCE]->(v:Evidence)
WHERE NOT EXISTS { (v)-[s:SUPPORTS]->(:Entity) WHERE s.relation IS NOT NULL } DETACH DELETE v
"""
_REMOVE_ALL = """
MATCH (v:Evidence) WHERE v.paper IS NOT NULL
CALL (v) { DETACH DELETE v } IN TRANSACTIONS OF 10000 ROWS
"""
_FOREIGN = "MATCH (v:Evidence) WHERE v.paper IS NULL RETURN 1 LIMIT 1"
_STATE = f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) RETURN g.evidence_nodes AS state"
_SET_STATE = f"MERGE (g:_StemmaNote {{name: '{note.GRAPH}'}}) SET g.evidence_nodes = $state"


def has_evidence_nodes(connection: Connection) -> bool:
    """Return whether writers keep evidence nodes in a database."""
    rows = connection.read(_STATE)
    return bool(rows) and rows[0]["state"] is not None


def write_evidence(
    transaction: ManagedTransaction, ids: Sequence[str], removed: Sequence[str] = ()
) -> None:
    """Rewrite the evidence of papers, and remove that of papers which are removed.

    Nodes that still are evidence stay, with what others added to them.
    """
    transaction.run(_UNSUPPORT, ids=[*ids, *removed])
    transaction.run(_SUPPORT, ids=ids)
    transaction.run(_REMOVE, ids=[*ids, *removed])


def switch(connection: Connection, *, on: bool) -> None:
    """Begin to keep evidence nodes, or remove them. The caller holds the writer's lock.

    Raises StoreError where the database has `:Evidence` nodes that are not Stemma's.
    """
    rows = connection.read(_STATE)
    state = rows[0]["state"] if rows else None
    if on and state != _KEPT:
        if connection.read(_FOREIGN):
            raise StoreError(
                f"{connection.address} holds :Evidence nodes that are not Stemma's. Use another "
                "database, or leave out --evidence-nodes."
            )
        connection.run(*_LAYOUT)
        _set_state(connection, _FILLING)
        ids = [
            row["id"] for row in connection.read("MATCH (n:_StemmaReading) RETURN n.paper AS id")
        ]
        for start in range(0, len(ids), _AT_ONCE):
            batch = ids[start : start + _AT_ONCE]
            connection.write(partial(write_evidence, ids=batch))
        _set_state(connection, _KEPT)
    elif not on and state is not None:
        connection.run(_REMOVE_ALL, *_DROP_LAYOUT)
        _set_state(connection, None)


def _set_state(connection: Connection, state: str | None) -> None:
    connection.put(_SET_STATE, state=state)
