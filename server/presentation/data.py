"""Answers as JSON-ready data, in the words of the GraphQL schema."""

from collections.abc import Mapping
from typing import Any

from stemma.graph import Lineage, LineageEdge, Reader, Statistics, Work
from stemma.schema import Paper, Statement
from stemma.schema.comparison import to_json
from stemma.schema.interchange import paper_to_json


def works_of(reader: Reader, lineage: Lineage) -> dict[str, Work]:
    """Return all works that a lineage speaks of, its evidence's papers among them."""
    ids = {each for edge in lineage.edges for each in (edge.child, edge.parent)}
    ids |= {statement.subject for edge in lineage.edges for statement in edge.statements}
    return {**reader.works(ids), **{node.work.id: node.work for node in lineage.nodes}}


def work_json(work: Work) -> dict[str, Any]:
    """Return a work with all that it carries itself."""
    if isinstance(work, Paper):
        return {"type": "paper", "name": work.name, **paper_to_json(work)}
    return {
        "type": "entity",
        "id": work.id,
        "name": work.name,
        "kind": work.kind.value,
        "aliases": list(work.aliases),
        "broader": list(work.broader),
    }


def statement_json(statement: Statement, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a statement with its evidence."""
    comparison = {"comparison": to_json(statement.comparison)} if statement.comparison else {}
    return {
        "subject": _reference(statement.subject, works),
        "relation": statement.relation.value,
        "entity": _reference(statement.entity, works),
        "confidence": statement.confidence,
        "origin": statement.origin,
        **({"confirmed": True} if statement.confirmed else {}),
        **comparison,
        "evidence": [
            {
                "text": each.text,
                "field": each.field.value,
                "start": each.start,
                "end": each.end,
            }
            for each in statement.evidence
        ],
    }


def lineage_json(lineage: Lineage, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a lineage as GraphQL would."""
    return {
        "root": _reference(lineage.root.id, {lineage.root.id: lineage.root}),
        "direction": lineage.direction.value,
        "nodes": [
            {
                "work": _reference(node.work.id, works),
                "depth": node.depth,
                "published": str(node.published) if node.published else None,
            }
            for node in lineage.nodes
        ],
        "edges": [_edge_json(edge, works) for edge in lineage.edges],
        "truncated": lineage.truncated,
        "endCursor": lineage.end_cursor,
    }


def statistics_json(statistics: Statistics) -> dict[str, Any]:
    """Return the size of a graph."""
    return {
        "papers": statistics.papers,
        "entities": statistics.entities,
        "statements": statistics.statements,
        "lineage_edges": statistics.lineage_edges,
        "decisions": statistics.decisions,
        "generation": statistics.generation,
        "entities_by_kind": {kind.value: n for kind, n in statistics.by_kind.items()},
        "statements_by_relation": {
            relation.value: n for relation, n in statistics.by_relation.items()
        },
    }


def _edge_json(edge: LineageEdge, works: Mapping[str, Work]) -> dict[str, Any]:
    return {
        "child": edge.child,
        "parent": edge.parent,
        "relations": [relation.value for relation in edge.relations],
        "confidence": edge.confidence,
        "anachronism": edge.anachronism,
        "statements": [statement_json(each, works) for each in edge.statements],
    }


def _reference(work: str, works: Mapping[str, Work]) -> dict[str, str]:
    return {"id": work, "name": works[work].name if work in works else work}
