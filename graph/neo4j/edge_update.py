"""Updates of the materialised lineage: an edge holds the support that several papers give it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.lineage_edge import Support, confidence_by_relation, edge_confidence
from stemma.schema import LINEAGE_RELATIONS, RelationType, Statement
from stemma.schema.identifier import ENTITY

SupportRow = tuple[str, str, str, str, float, str]
"""Subject (the paper that states it), child, parent, relation, confidence, and the strongest
sentence: none, "", of a fact of the catalogue."""
EdgeSupport = dict[tuple[str, str], tuple[float, str]]
"""What supports an edge: subject and relation -> confidence and sentence."""
Ends = tuple[str, str]
"""Child and parent of an edge."""

# Works have few parents, if many children: edges are sought from the child, to whatever has the
# parent's id. With a label there the server would now and then begin at the parent.
_HELD = """
UNWIND $rows AS row
MATCH (c:{label} {{id: row[0]}})
WITH c, row MATCH (c)-[d:DERIVES_FROM]->(p)
WHERE p.id = row[1] AND d.relations IS NOT NULL
RETURN row[0] AS child, row[1] AS parent, d.statement_subject AS subjects,
  d.statement_relation AS relations, d.statement_confidence AS confidences,
  coalesce(d.statement_sentence, [each IN d.statement_subject | ""]) AS sentences
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
        self._removed: dict[Ends, set[tuple[str, str]]] = defaultdict(set)
        self._added: dict[Ends, EdgeSupport] = defaultdict(dict)

    def remove(self, subject: str, child: str, parent: str, relation: str) -> None:
        """Remove support that an edge had."""
        self._removed[child, parent].add((subject, relation))

    def add(self, rows: Iterable[SupportRow]) -> None:
        """Add support, in place of what an edge had from the same subject by the same relation."""
        for subject, child, parent, relation, confidence_, sentence in rows:
            self._added[child, parent][subject, relation] = confidence_, sentence

    def write(self, transaction: ManagedTransaction) -> Counter[Ends]:
        """Write the edges that change, and no others.

        Return how many more there are between which works: one, or one less.
        """
        ends_by_label: dict[str, list[Ends]] = defaultdict(list)
        for ends in sorted(self._removed.keys() | self._added.keys()):
            ends_by_label["Entity" if ends[0].startswith(ENTITY) else "Paper"].append(ends)
        more = Counter[Ends]()
        for label, all_ends in ends_by_label.items():
            more.update(self._write(transaction, label, all_ends))
        return more

    def _write(
        self, transaction: ManagedTransaction, label: str, all_ends: list[Ends]
    ) -> dict[Ends, int]:
        def run(cypher: str, rows: list[list[Any]]) -> None:
            if rows:
                transaction.run(cypher.format(label=label), rows=rows)

        held: dict[Ends, EdgeSupport] = {}
        asked = _HELD.format(label=label)
        for row in transaction.run(asked, rows=[list(ends) for ends in all_ends]):
            held[row["child"], row["parent"]] = {
                (subject, relation): (confidence_, sentence)
                for subject, relation, confidence_, sentence in zip(
                    row["subjects"],
                    row["relations"],
                    row["confidences"],
                    row["sentences"],
                    strict=True,
                )
            }
        create, change, delete = list[list[Any]](), list[list[Any]](), list[list[Any]]()
        for ends in all_ends:
            before = held.get(ends, {})
            removed = self._removed.get(ends, set())
            after = {key: each for key, each in before.items() if key not in removed}
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
        created = {(child, parent): 1 for child, parent, _ in create}
        return created | dict.fromkeys(((child, parent) for child, parent in delete), -1)


def first_sentence(statement: Statement) -> str:
    """Return the strongest sentence of a statement; "" of a fact of the catalogue."""
    return statement.evidence[0].text if statement.evidence else ""


def edge_properties(support: EdgeSupport) -> dict[str, Any]:
    """Return the properties of an edge with this support.

    `paper` and `sentence` are those of the surest statement that has a sentence; they, and a
    relation without support, are None where there is none.
    """
    ordered = sorted(support.items())
    edge = [
        Support(subject, RelationType(relation), confidence_, subject.startswith(ENTITY))
        for (subject, relation), (confidence_, _) in ordered
    ]
    sentences = [sentence for _, (_, sentence) in ordered]
    sure = confidence_by_relation(edge)
    quoted = max(
        (pair for pair in zip(edge, sentences, strict=True) if pair[1]),
        key=lambda pair: pair[0].confidence,
        default=None,
    )
    return {
        "relations": [each.value for each in sure],
        "confidence": edge_confidence(edge),
        **{relation.value.lower(): sure.get(relation) for relation in LINEAGE_RELATIONS},
        "paper": quoted and quoted[0].subject,
        "sentence": quoted and quoted[1],
        "statement_subject": [each.subject for each in edge],
        "statement_relation": [each.relation.value for each in edge],
        "statement_confidence": [each.confidence for each in edge],
        "statement_sentence": sentences,
    }
