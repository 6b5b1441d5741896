"""Counting: the size of the graph, as it is noted."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.neo4j.edge_update import Ends
from stemma.schema import RelationType


@dataclass(frozen=True, slots=True)
class Difference:
    """How many more there are of what: papers that name each entity, of those about which
    statements were written; statements of each relation; edges, by their ends."""

    papers: Counter[str] = field(default_factory=Counter)
    statements: Counter[str] = field(default_factory=Counter)
    edges: Counter[Ends] = field(default_factory=Counter)

    def update(self, more: "Difference") -> None:
        """Add another difference."""
        self.papers.update(more.papers)
        self.statements.update(more.statements)
        self.edges.update(more.edges)


def counted(transaction: ManagedTransaction) -> dict[str, Any]:
    """Count what the graph holds."""

    def count(cypher: str) -> int:
        record = transaction.run(f"{cypher} AS count").single(strict=True)
        return int(record["count"])

    by_relation = {
        relation.value: count(
            f"MATCH ()-[r:{relation.value}]->(:Entity) WHERE r.origin IS NOT NULL RETURN count(r)"
        )
        for relation in RelationType
    }
    kinds = transaction.run(
        "MATCH (e:Entity) WHERE e._order IS NOT NULL RETURN e.kind AS kind, count(e) AS count"
    )
    by_kind = {row["kind"]: row["count"] for row in kinds}
    return {
        "papers": count("MATCH (n:_StemmaReading) RETURN count(n)"),
        "entities": sum(by_kind.values()),
        "statements": sum(by_relation.values()),
        "lineage_edges": count(
            "MATCH ()-[d:DERIVES_FROM]->() WHERE d.relations IS NOT NULL RETURN count(d)"
        ),
        "by_kind": by_kind,
        "by_relation": by_relation,
    }


def with_more(
    counts: Mapping[str, Any], papers: int, kinds: Mapping[str, int], more: Difference
) -> dict[str, Any]:
    """Return counts with `papers` and entities of some `kinds` more, and what was written more."""
    by_kind, by_relation = Counter(counts["by_kind"]), Counter(counts["by_relation"])
    by_kind.update(kinds)
    by_relation.update(more.statements)
    return {
        "papers": counts["papers"] + papers,
        "entities": by_kind.total(),
        "statements": by_relation.total(),
        "lineage_edges": counts["lineage_edges"] + more.edges.total(),
        "by_kind": dict(+by_kind),
        "by_relation": dict(by_relation),
    }
