"""Updates of the materialised lineage: an edge holds the support that several papers give it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.lineage_edge import Support, confidence, confidences
from stemma.schema import LINEAGE_RELATIONS, RelationType
from stemma.schema.identifier import ENTITY

SupportRow = tuple[str, str, str, str, float]
"""Subject (the paper that states it), child, parent, relation, confidence."""
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
    """The support that edges lose, and what they gain."""

    def __init__(self) -> None:
        self._removed: dict[_Ends, set[tuple[str, str]]] = defaultdict(set)
        self._added: dict[_Ends, dict[tuple[str, str], float]] = defaultdict(dict)

    def remove(self, rows: Iterable[SupportRow]) -> None:
        """Remove support that edges had."""
        for subject, child, parent, relation, _ in rows:
            self._removed[child, parent].add((subject, relation))

    def add(self, rows: Iterable[SupportRow]) -> None:
        """Add support, in place of what an edge had from the same subject by the same relation."""
        for subject, child, parent, relation, confidence_ in rows:
            self._added[child, parent][subject, relation] = confidence_

    def write(self, transaction: ManagedTransaction) -> None:
        """Write the edges that change, and no others."""
        ends_by_label: dict[str, list[_Ends]] = defaultdict(list)
        for ends in sorted(self._removed.keys() | self._added.keys()):
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
                (subject, relation): confidence_
                for subject, relation, confidence_ in zip(
                    row["subjects"], row["relations"], row["confidences"], strict=True
                )
            }
        create, change, delete = list[list[Any]](), list[list[Any]](), list[list[Any]]()
        for ends in all_ends:
            before = held.get(ends, {})
            removed = self._removed.get(ends, set())
            after = {key: confidence_ for key, confidence_ in before.items() if key not in removed}
            after |= self._added.get(ends, {})
            if after and ends not in held:
                create.append([*ends, edge_properties(after)])
            elif after and after != before:
                change.append([*ends, edge_properties(after)])
            elif not after and ends in held:
                delete.append([*ends])
        run(_DELETE, delete)
        run(_CHANGE, change)
        run(_CREATE, create)


def edge_properties(support: dict[tuple[str, str], float]) -> dict[str, Any]:
    """Return the properties of an edge with this support, by subject and relation.

    A relation without support has None.
    """
    ordered = sorted(support.items())
    edge = [
        Support(subject, RelationType(relation), confidence_, subject.startswith(ENTITY))
        for (subject, relation), confidence_ in ordered
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
