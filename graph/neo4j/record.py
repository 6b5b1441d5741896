"""Records: papers, entities, people and statements, read from nodes and relationships."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from stemma.graph.linking.people import Person
from stemma.graph.property_graph import COMPARISON
from stemma.schema import (
    Entity,
    EntityKind,
    Evidence,
    Field,
    Paper,
    RelationType,
    Source,
    Statement,
    full_text,
)
from stemma.schema import comparison as comparisons
from stemma.schema.paper import Author, Reference

UNKNOWN_YEAR = 10_000
_PLACES = ("evidence_text", "evidence_field", "evidence_start", "evidence_end")


def _columns(own: Mapping[str, Any], first: str, *others: str) -> Iterable[tuple[Any, ...]]:
    """Return the rows of lists that belong together; a list that is not there has nothing."""
    length = len(own.get(first, ()))
    return zip(*(own.get(name) or [None] * length for name in (first, *others)), strict=True)


def paper(own: Mapping[str, Any]) -> Paper:
    """Read a paper from the properties of its node."""
    sources = _columns(
        own,
        "source_file",
        "source_sha256",
        "source_position",
        "source_published",
        "source_assumed_year",
    )
    people = _columns(own, "authors", "author_orcids", "author_affiliations", "author_ids")
    return Paper(
        own["id"],
        own["title"],
        own.get("abstract", ""),
        own.get("author_count"),
        own.get("organization"),
        tuple(own.get("links", ())),
        tuple(
            Source(file, sha256, position, published or None, year or None)
            for file, sha256, position, published, year in sources
        ),
        tuple(
            Author(name, orcid or None, affiliation or None, id_ or None)
            for name, orcid, affiliation, id_ in people
        ),
        own.get("venue"),
        own.get("doi_as_given", own.get("doi")),
        own.get("arxiv_id"),
        tuple(map(Reference.parse, own.get("references", ()))),
        full_text.from_json(json.loads(own["full_text"])) if own.get("full_text") else None,
    )


def person(own: Mapping[str, Any]) -> Person:
    """Read a person from the properties of an author."""
    lists = (tuple(own.get(name, ())) for name in ("other_names", "ids", "affiliations"))
    other_names, ids, affiliations = lists
    return Person(
        own["id"], own["name"], other_names, own.get("orcid"), ids, affiliations, own["papers"]
    )


def entity(own: Mapping[str, Any], broader: Iterable[str]) -> Entity:
    """Read an entity from the properties of its node; `broader` are ids."""
    return Entity(
        own["id"],
        own["name"],
        EntityKind(own["kind"]),
        tuple(own.get("aliases", ())),
        tuple(sorted(broader)),
        own["general"],
        own.get("catalogue_year"),
    )


def statement(subject: str, relation: str, entity: str, own: Mapping[str, Any]) -> Statement:
    """Read a statement from the properties of its relationship."""
    compared = {name: own[name] for name in COMPARISON if own.get(name) is not None}
    return Statement(
        subject,
        RelationType(relation),
        entity,
        own["confidence"],
        tuple(
            Evidence(text, Field(field), start, end)
            for text, field, start, end in _columns(own, *_PLACES)
        ),
        own["origin"],
        comparisons.from_json(compared) if compared else None,
        confirmed=bool(own.get("confirmed")),
    )
