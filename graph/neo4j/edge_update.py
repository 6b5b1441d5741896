"""Updates of the materialised lineage: what several papers say of one edge is kept on it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.lineage_edge import Support, confidence, confidences
from stemma.schema import LINEAGE_RELATIONS, RelationType
from stemma.schema.identifier import ENTITY

Saying = tuple[str, str, str, str, float]
"""Subject (who says so), child, parent, relation, confidence."""
_Ends = tuple[str, str]

# Works have few parents, if many children: edges are sought from the child, to whatever has the
# parent's id. With a label there the server would now and then begin at the parent.
_HELD = """
UNWIND $rows AS row
MATCH (c:{label} {{id: row[0]}})
WITH c, row MATCH (c)-[d:DERIVES_FROM]->(p)
WHERE p.id = row[1] AND d.relations IS NOT NULL
RETURN row[0] AS child, row[1] AS parent, d.statement_subject AS subjects,
  d.statement_relation AS relations, d.statement_confidence AS confidences
"""
_CREATE = """
UNWIND $rows AS row MATCH (c:{label} {{id: row[0]}}) MATCH (p:Entity {{id: row[1]}})
CREATE (c)-[d:DERIVES_FROM]->(p) SET d = row[2]
"""
_CHANGE = """
UNWIND $rows AS row
MATCH (c:{label} {{id: row[0]}})
WITH c, row MATCH (c)-[d:DERIVES_FROM]->(p)
WHERE p.id = row[1] AND d.relations IS NOT NULL SET d += row[2]
"""
_DELETE = """
UNWIND $rows AS row
MATCH (c:{label} {{id: row[0]}})
WITH c, row MATCH (c)-[d:DERIVES_FROM]->(p)
WHERE p.id = row[1] AND d.relations IS NOT NULL DELETE d
"""


class EdgeUpdate:
    """What is no longer said of edges, and what is said of them now."""

    def __init__(self) -> None:
        self._gone: dict[_Ends, set[tuple[str, str]]] = defaultdict(set)
        self._said: dict[_Ends, dict[tuple[str, str], float]] = defaultdict(dict)

    def unsay(self, sayings: Iterable[Saying]) -> None:
        """Take back what was said before."""
        for subject, child, parent, relation, _ in sayings:
            self._gone[child, parent].add((subject, relation))

    def say(self, sayings: Iterable[Saying]) -> None:
        """Say this, in place of what the same subject has said of an edge before."""
        for subject, child, parent, relation, sureness in sayings:
            self._said[child, parent][subject, relation] = sureness

    def write(self, transaction: ManagedTransaction) -> None:
        """Write the edges that come of it, and no others."""
        ends_by_label: dict[str, list[_Ends]] = defaultdict(list)
        for ends in sorted(self._gone.keys() | self._said.keys()):
            ends_by_label["Entity" if ends[0].startswith(ENTITY) else "Paper"].append(ends)
        for label, all_ends in ends_by_label.items():
            self._write(transaction, label, all_ends)

    def _write(self, transaction: ManagedTransaction, label: str, all_ends: list[_Ends]) -> None:
        def run(cypher: str, rows: list[list[Any]]) -> None:
            if rows:
                transaction.run(cypher.format(label=label), rows=rows)

        held: dict[_Ends, dict[tuple[str, str], float]] = {}
        asked = _HELD.format(label=label)
        for row in transaction.run(asked, rows=[list(ends) for ends in all_ends]):
            held[row["child"], row["parent"]] = {
                (subject, relation): sureness
                for subject, relation, sureness in zip(
                    row["subjects"], row["relations"], row["confidences"], strict=True
                )
            }
        create, change, delete = list[list[Any]](), list[list[Any]](), list[list[Any]]()
        for ends in all_ends:
            before = held.get(ends, {})
            gone = self._gone.get(ends, set())
            after = {key: sureness for key, sureness in before.items() if key not in gone}
            after |= self._said.get(ends, {})
            if after and ends not in held:
                create.append([*ends, edge_properties(after)])
            elif after and after != before:
                change.append([*ends, edge_properties(after)])
            elif not after and ends in held:
                delete.append([*ends])
        run(_DELETE, delete)
        run(_CHANGE, change)
        run(_CREATE, create)


def edge_properties(said: dict[tuple[str, str], float]) -> dict[str, Any]:
    """Return the properties of an edge, of what is said of it by subject and relation.

    A relation that nothing says has None.
    """
    ordered = sorted(said.items())
    edge = [
        Support(subject, RelationType(relation), sureness, subject.startswith(ENTITY))
        for (subject, relation), sureness in ordered
    ]
    sure = confidences(edge)
    return {
        "relations": [each.value for each in sure],
        "confidence": confidence(edge),
        **{relation.value.lower(): sure.get(relation) for relation in LINEAGE_RELATIONS},
        "statement_subject": [each.subject for each in edge],
        "statement_relation": [each.relation.value for each in edge],
        "statement_confidence": [each.confidence for each in edge],
    }
