"""Counting: the size of the graph, as it is noted."""

from typing import Any

from neo4j import ManagedTransaction

from stemma.schema import RelationType


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
