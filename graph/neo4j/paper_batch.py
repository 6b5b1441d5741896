"""Batches: papers that are written, or taken out, in one transaction, each of them whole."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.derivation import derivations, main_contribution
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import PaperNames
from stemma.graph.neo4j import note
from stemma.graph.neo4j.counting import Difference
from stemma.graph.neo4j.edge_update import EdgeUpdate, SupportRow, first_sentence
from stemma.graph.neo4j.record import (
    STATEMENT_PROPERTIES,
    Properties,
    paper_properties,
    statement_properties,
)
from stemma.graph.neo4j.removal import remove_nodes, restore_nodes
from stemma.graph.neo4j.selection import any_of
from stemma.graph.neo4j.ties import write_ties
from stemma.schema import Paper, RelationType

_ANY = any_of(RelationType)
_HELD = f"""
UNWIND $ids AS id MATCH (n:_StemmaReading {{paper: id}})
RETURN id, n.lineage AS lineage,
  COLLECT {{ MATCH (:Paper {{id: id}})-[r:{_ANY}]->(e:Entity) WHERE r.origin IS NOT NULL
             RETURN [type(r), e.id] }} AS statements
"""
_PUT = """
UNWIND $rows AS row MERGE (p:Paper {id: row[0]}) SET p += row[1]
"""
_NOTE = """
UNWIND $rows AS row MERGE (n:_StemmaReading {paper: row[0]}) SET n += row[1]
"""
_UNLINK = """
UNWIND $ids AS id MATCH (:Paper {id: id})-[r:WROTE|CITES]-()
WHERE r.place IS NOT NULL OR r.origin IS NOT NULL DELETE r
"""
_FORGET = "UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) DELETE n"
_SAY = """
UNWIND $rows AS row MATCH (p:Paper {{id: row[0]}}) MATCH (e:Entity {{id: row[1]}})
CREATE (p)-[r:{type}]->(e) SET r = row[2]
"""
# A paper has few statements, an entity may have many: they are matched from the paper, without
# the label by which the server could begin at the entity.
_SAY_ANEW = """
UNWIND $rows AS row MATCH (p:Paper {{id: row[0]}})
WITH p, row MATCH (p)-[r:{type}]->(e)
WHERE e.id = row[1] AND r.origin IS NOT NULL SET r += row[2]
"""
_UNSAY = """
UNWIND $rows AS row MATCH (p:Paper {{id: row[0]}})
WITH p, row MATCH (p)-[r:{type}]->(e)
WHERE e.id = row[1] AND r.origin IS NOT NULL DELETE r
"""
_NO_STATEMENT: Properties = dict.fromkeys(STATEMENT_PROPERTIES)
_Rows = dict[str, list[list[Any]]]


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper, ready to be written: all that the database will hold of it."""

    id: str
    properties: Properties
    note: Properties
    statements: dict[tuple[str, str], Properties]
    lineage: tuple[SupportRow, ...]


def paper_row(reading: LinkedExtraction, names: PaperNames, digest: bytes) -> PaperRow:
    """Make the row of what was read in a paper."""
    extraction, decided, ids = reading.extraction, reading.decided, reading.ids
    main = main_contribution(decided)
    main_id = ids[main.name] if main else None
    statements = {(each.relation, each.entity): each for each in reading.statements()}
    lineage = tuple(
        (
            extraction.paper.id,
            each.child,
            each.parent,
            each.relation.value,
            each.confidence,
            first_sentence(statements[each.relation, each.parent]),
        )
        for each in derivations(decided, ids)
    )
    return PaperRow(
        extraction.paper.id,
        paper_properties(extraction.paper),
        {
            "extractor": reading.extractor,
            "digest": digest.hex(),
            "names": note.dump_names(names, ids),
            "found": note.dump_found(extraction),
            "verdicts": note.dump_verdicts(reading.verdicts),
            "lineage": json.dumps([row[1:5] for row in lineage]),
        },
        {
            (each.relation.value, each.entity): statement_properties(
                each, each.relation is RelationType.INTRODUCES and each.entity == main_id
            )
            for each in statements.values()
        },
        lineage,
    )


class PaperBatch:
    """Papers to write, of which some may be there, and ids of papers to take out.

    `records` are the same papers.
    """

    def __init__(
        self,
        rows: Sequence[PaperRow],
        records: Sequence[Paper],
        removed: Sequence[str],
    ) -> None:
        self._rows, self._records, self._removed = rows, records, removed

    def write(self, transaction: ManagedTransaction) -> Difference:
        """Write all of it, and return what that comes to."""
        ids = [row.id for row in self._rows]
        held: dict[str, set[tuple[str, str]]] = {}
        edges = EdgeUpdate()
        for known in transaction.run(_HELD, ids=[*ids, *self._removed]):
            held[known["id"]] = {(type_, entity) for type_, entity in known["statements"]}
            for child, parent, relation, _ in json.loads(known["lineage"]):
                edges.remove(known["id"], child, parent, relation)
        edges.add(each for row in self._rows for each in row.lineage)
        restore_nodes(transaction, "Paper", ids)
        transaction.run(_PUT, rows=[[row.id, row.properties] for row in self._rows])
        transaction.run(_NOTE, rows=[[row.id, row.note] for row in self._rows])
        self._write_statements(transaction, held)
        more = edges.write(transaction)
        write_ties(transaction, self._records, self._removed)
        if self._removed:
            transaction.run(_FORGET, ids=self._removed)
            transaction.run(_UNLINK, ids=self._removed)
            remove_nodes(transaction, "Paper", self._removed)
        difference = Difference(edges=more)
        for row in self._rows:
            difference.papers.update({entity for _, entity in row.statements})
            difference.statements.update(relation for relation, _ in row.statements)
        for before in held.values():
            difference.papers.subtract({entity for _, entity in before})
            difference.statements.subtract(relation for relation, _ in before)
        return difference

    def _write_statements(
        self, transaction: ManagedTransaction, held: dict[str, set[tuple[str, str]]]
    ) -> None:
        new: _Rows = defaultdict(list)
        changed: _Rows = defaultdict(list)
        gone: _Rows = defaultdict(list)
        for row in self._rows:
            before = held.get(row.id, set())
            for (type_, entity), properties in row.statements.items():
                if (type_, entity) in before:
                    changed[type_].append([row.id, entity, _NO_STATEMENT | properties])
                else:
                    new[type_].append([row.id, entity, properties])
            for type_, entity in before - row.statements.keys():
                gone[type_].append([row.id, entity])
        for id_ in self._removed:
            for type_, entity in held.get(id_, ()):
                gone[type_].append([id_, entity])
        for cypher, rows_by_type in ((_UNSAY, gone), (_SAY_ANEW, changed), (_SAY, new)):
            _run_by_type(transaction, cypher, rows_by_type)


def _run_by_type(transaction: ManagedTransaction, cypher: str, rows_by_type: _Rows) -> None:
    """Run a query for each type of relationship: types are no parameters in Cypher."""
    for type_ in _types(rows_by_type):
        transaction.run(cypher.format(type=type_), rows=rows_by_type[type_])


def _types(found: Iterable[str]) -> list[str]:
    return [RelationType(type_).value for type_ in sorted(found)]
