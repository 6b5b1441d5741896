"""Elements: the nodes and relationships of a graph in Neo4j, for its exports and for Spark."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stemma.graph.linking.people import Person
from stemma.graph.neo4j import note
from stemma.graph.neo4j.edge_update import EdgeSupport, edge_properties
from stemma.graph.neo4j.paper_batch import PaperRow
from stemma.graph.neo4j.record import (
    KIND_LABELS,
    entity_properties,
    person_properties,
    statement_properties,
)
from stemma.graph.neo4j.record_update import FROM_REFERENCES
from stemma.schema import CATALOGUE_ORIGIN, Entity, PartialDate, RelationType, Statement

Properties = dict[str, Any]
KEYS = {
    "Paper": "id",
    "Entity": "id",
    "Author": "id",
    "_StemmaReading": "paper",
    "_StemmaFile": "key",
    "_StemmaNote": "name",
}
"""The property that identifies nodes, by their first label."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node; the first of its labels says what it is."""

    labels: tuple[str, ...]
    properties: Properties


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship between two works, by their ids."""

    type: str
    start: str
    end: str
    properties: Properties


def paper_nodes(row: PaperRow) -> tuple[Node, Node]:
    """Return a paper, and what Stemma notes of its reading."""
    return (
        Node(("Paper",), known({"id": row.id, **row.properties})),
        Node(("_StemmaReading",), known({"paper": row.id, **row.note})),
    )


def statements(row: PaperRow) -> Iterator[Relationship]:
    """Yield what a paper states."""
    for (type_, entity), properties in sorted(row.statements.items()):
        yield Relationship(type_, row.id, entity, known(properties))


def entity_node(entity: Entity, papers: int, published: str | None, is_baseline: bool) -> Node:
    """Return an entity; baselines are labelled so."""
    own = {
        "id": entity.id,
        **entity_properties(entity),
        "papers": papers,
        "published": published,
        "year": PartialDate.parse(published).year if published else None,
    }
    labels = ("Entity", KIND_LABELS[entity.kind])
    return Node((*labels, "Baseline") if is_baseline else labels, known(own))


def person_node(person: Person) -> Node:
    """Return an author of papers."""
    return Node(("Author",), known({"id": person.id, **person_properties(person)}))


def wrote(author: str, paper: str, place: int) -> Relationship:
    """Return that an author wrote a paper, with the place among its authors."""
    return Relationship("WROTE", author, paper, {"place": place})


def cites(citing: str, cited: str) -> Relationship:
    """Return that a paper cites another."""
    return Relationship("CITES", citing, cited, {"origin": FROM_REFERENCES})


def has_broader(narrower: str, broader: str) -> Relationship:
    """Return that an entity has a broader one, as the catalogue says."""
    return Relationship("BROADER", narrower, broader, {"origin": CATALOGUE_ORIGIN})


def fact(subject: str, relation: RelationType, entity: str, confidence: float) -> Relationship:
    """Return a fact of the catalogue."""
    stated = Statement(subject, relation, entity, confidence, (), CATALOGUE_ORIGIN)
    return Relationship(relation.value, subject, entity, statement_properties(stated))


def edge(child: str, parent: str, support: EdgeSupport) -> Relationship:
    """Return an edge of the lineage with its support: see `edge_properties`."""
    return Relationship("DERIVES_FROM", child, parent, known(edge_properties(support)))


def graph_note(
    statistics: Mapping[str, Any],
    decision_file: str,
    catalogue: str,
    decisions: int = 0,
    former: str = "{}",
    unapplied: str = "{}",
) -> Node:
    """Return the note on the graph as a whole, without its generation."""
    own = {
        "name": note.GRAPH,
        "format": note.FORMAT,
        "statistics": json.dumps(statistics),
        "former": former,
        "unapplied": unapplied,
        "decision_file": decision_file,
        "decisions": decisions,
        "catalogue": catalogue,
    }
    return Node(("_StemmaNote",), own)


def known(properties: Properties) -> Properties:
    """Leave out what is not known: a property has no null."""
    return {name: value for name, value in properties.items() if value is not None}
