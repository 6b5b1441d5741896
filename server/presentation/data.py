"""Answers as JSON-ready data, in the words of the GraphQL schema."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from stemma.graph import Lineage, LineageEdge, Reader, Statistics, Work
from stemma.graph.searching import FoundPage
from stemma.schema import Paper, RelationType, Statement
from stemma.schema.comparison import to_json
from stemma.schema.identifier import ENTITY
from stemma.schema.interchange import paper_to_json


def works_of(reader: Reader, lineage: Lineage) -> dict[str, Work]:
    """Return all works in a lineage, including the papers of its evidence."""
    works = works_of_edges(reader, lineage.edges)
    return {**works, **{node.work.id: node.work for node in lineage.nodes}}


def introducing(reader: Reader, lineage: Lineage) -> dict[str, Work]:
    """Return the papers that introduce the works of a lineage, its root among them."""
    ids = [lineage.root.id, *(node.work.id for node in lineage.nodes)]
    entities = [each for each in ids if each.startswith(ENTITY)]
    papers = reader.papers_naming(entities, [RelationType.INTRODUCES])
    return reader.works(set(chain.from_iterable(papers.values())))


def works_of_edges(reader: Reader, edges: Iterable[LineageEdge]) -> dict[str, Work]:
    """Return the works at the ends of edges, and the papers that say so."""
    listed = list(edges)
    ids = {each for edge in listed for each in (edge.child, edge.parent)}
    return reader.works(ids | {each.subject for edge in listed for each in edge.statements})


def works_of_statements(reader: Reader, statements: Iterable[Statement]) -> dict[str, Work]:
    """Return the works that statements are about."""
    return reader.works({id_ for each in statements for id_ in (each.subject, each.entity)})


def work_json(work: Work) -> dict[str, Any]:
    """Return a work with all that it carries itself."""
    if isinstance(work, Paper):
        return {"type": "paper", "name": work.name, **paper_to_json(work)}
    return {
        "type": "entity",
        "id": work.id,
        "name": work.name,
        "kind": work.kind.value,
        "general": work.general,
        "aliases": list(work.aliases),
        "broader": list(work.broader),
    }


def found_json(found: FoundPage) -> dict[str, Any]:
    """Return a page of what a search found."""
    return {
        "works": [work_json(work) for work in found.works],
        "totalCount": found.total,
        "endCursor": found.end_cursor,
    }


def statement_json(statement: Statement, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a statement with its evidence."""
    comparison = {"comparison": to_json(statement.comparison)} if statement.comparison else {}
    return {
        "subject": reference(statement.subject, works),
        "relation": statement.relation.value,
        "entity": reference(statement.entity, works),
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
                **({"section": each.section} if each.section else {}),
            }
            for each in statement.evidence
        ],
    }


def lineage_json(lineage: Lineage, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a lineage as GraphQL would."""
    return {
        "root": reference(lineage.root.id, {lineage.root.id: lineage.root}),
        "direction": lineage.direction.value,
        "nodes": [
            {
                "work": reference(node.work.id, works),
                "depth": node.depth,
                "published": str(node.published) if node.published else None,
            }
            for node in lineage.nodes
        ],
        "edges": [edge_json(edge, works) for edge in lineage.edges],
        "truncated": lineage.truncated,
        "endCursor": lineage.end_cursor,
        "emptiedBy": list(lineage.emptied_by),
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


def edge_json(edge: LineageEdge, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return an edge with the statements behind it."""
    return {
        "child": edge.child,
        "parent": edge.parent,
        "relations": [relation.value for relation in edge.relations],
        "confidences": [
            {"relation": relation.value, "confidence": confidence}
            for relation, confidence in edge.confidences.items()
        ],
        "confidence": edge.confidence,
        "anachronism": edge.anachronism,
        "statements": [statement_json(each, works) for each in edge.statements],
    }


def reference(work: str, works: Mapping[str, Work]) -> dict[str, str]:
    """Return a work by id and name."""
    return {"id": work, "name": works[work].name if work in works else work}
