"""Records: papers, entities and statements as properties of nodes and relationships, and back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from stemma.graph.linking.people import Person, keys_of_person
from stemma.graph.provenance import ProvenanceRole, provenance_of
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Comparison,
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
from stemma.schema.name import match_key
from stemma.schema.paper import Author, Reference

KIND_LABELS = {kind: kind.value.capitalize() for kind in EntityKind}
"""The label of each kind of entities, in addition to ``Entity``."""
_COMPARISON = tuple(each.name for each in fields(Comparison))
_AUTHORS = ("authors", "author_orcids", "author_affiliations", "author_ids")
_PLACES = ("evidence_text", "evidence_field", "evidence_start", "evidence_end")
STATEMENT_PROPERTIES = ("confidence", "origin", "confirmed", "main", *_PLACES, *_COMPARISON)
"""All that a relationship may have from us."""
_LONGEST_ORDER = 1000
"""Characters by which names are sorted: an index holds no longer ones."""
UNKNOWN_YEAR = 10_000

Properties = dict[str, Any]


def paper_properties(paper: Paper) -> Properties:
    """Return the properties of a ``:Paper``; those that it lacks are None."""
    published, sources = paper.published, paper.sources
    provenance: dict[ProvenanceRole, list[str]] = {role: [] for role in ProvenanceRole}
    for role, words in provenance_of(paper):
        provenance[role].append(words)
    return {
        "title": paper.title,
        "abstract": paper.abstract,
        "published": str(published) if published else None,
        "year": published.year if published else None,
        "author_count": paper.author_count,
        "organization": paper.organization,
        "links": list(paper.links),
        "authors": [each.name for each in paper.authors],
        "author_orcids": [each.orcid or "" for each in paper.authors],
        "author_affiliations": [each.affiliation or "" for each in paper.authors],
        "author_ids": [each.id or "" for each in paper.authors],
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "references": [str(each) for each in paper.references],
        "full_text": (
            json.dumps(full_text.to_json(paper.full_text), ensure_ascii=False)
            if paper.full_text
            else None
        ),
        "source_file": [each.file for each in sources],
        "source_sha256": [each.sha256 for each in sources],
        "source_position": [each.position for each in sources],
        # Lists hold no nulls.
        "source_published": [each.published or "" for each in sources],
        "source_assumed_year": [each.assumed_year or 0 for each in sources],
        "_order": _order(paper.title),
        "_keys": keys([paper.title]),
        "_organizations": provenance[ProvenanceRole.ORGANIZATION],
        "_venues": provenance[ProvenanceRole.VENUE],
    }


def paper(own: Mapping[str, Any]) -> Paper:
    """Read a paper from its properties."""
    return Paper(
        own["id"],
        own["title"],
        own.get("abstract", ""),
        own.get("author_count"),
        own.get("organization"),
        tuple(own.get("links", ())),
        tuple(
            Source(file, sha256, position, published or None, year or None)
            for file, sha256, position, published, year in zip(
                own["source_file"],
                own["source_sha256"],
                own["source_position"],
                own["source_published"],
                own["source_assumed_year"],
                strict=True,
            )
        ),
        tuple(authors(*(own.get(each) or () for each in _AUTHORS))),
        own.get("venue"),
        own.get("doi"),
        own.get("arxiv_id"),
        tuple(map(Reference.parse, own.get("references") or ())),
        full_text.from_json(json.loads(own["full_text"])) if own.get("full_text") else None,
    )


def authors(
    names: Iterable[str], orcids: Iterable[str], affiliations: Iterable[str], ids: Iterable[str]
) -> Iterator[Author]:
    """Read the authors of a paper from the lists that its node has."""
    for name, orcid, affiliation, id_ in zip(names, orcids, affiliations, ids, strict=True):
        yield Author(name, orcid or None, affiliation or None, id_ or None)


def person_properties(person: Person) -> Properties:
    """Return the properties of an ``:Author``; those that it lacks are None."""
    return {
        "name": person.name,
        "other_names": list(person.other_names),
        "orcid": person.orcid,
        "ids": list(person.ids),
        "affiliations": list(person.affiliations),
        "papers": person.papers,
        "_keys": "".join(f"\n{each}" for each in keys_of_person(person)) + "\n",
    }


def person(own: Mapping[str, Any]) -> Person:
    """Read a person from the properties of an ``:Author``."""
    return Person(
        own["id"],
        own["name"],
        tuple(own["other_names"]),
        own.get("orcid"),
        tuple(own["ids"]),
        tuple(own["affiliations"]),
        own["papers"],
    )


def entity_properties(entity: Entity) -> Properties:
    """Return the properties of an ``:Entity`` that linking alone decides."""
    return {
        "name": entity.name,
        "kind": entity.kind.value,
        "general": entity.general,
        "aliases": list(entity.aliases),
        "_year": entity.year,
        "_order": _order(entity.name),
        "_keys": keys([entity.name, *entity.aliases]),
    }


def entity(own: Mapping[str, Any], broader: Iterable[str]) -> Entity:
    """Read an entity from its properties; `broader` are ids."""
    return Entity(
        own["id"],
        own["name"],
        EntityKind(own["kind"]),
        tuple(own.get("aliases") or ()),
        tuple(sorted(broader)),
        bool(own.get("general")),
        own.get("_year"),
    )


def statement_properties(statement: Statement, main: bool = False) -> Properties:
    """Return the properties of a statement's relationship, all of them lists or values.

    `main` means that it introduces the paper's main contribution.
    """
    properties: Properties = {"confidence": statement.confidence, "origin": statement.origin}
    if statement.origin != CATALOGUE_ORIGIN:
        evidence = statement.evidence
        properties["evidence_text"] = [each.text for each in evidence]
        properties["evidence_field"] = [each.field.value for each in evidence]
        properties["evidence_start"] = [each.start for each in evidence]
        properties["evidence_end"] = [each.end for each in evidence]
    if statement.confirmed:
        properties["confirmed"] = True
    if main:
        properties["main"] = True
    if statement.comparison:
        properties |= {
            name: value.value if name in ("bound", "direction") else value
            for name, value in comparisons.to_json(statement.comparison).items()
        }
    return properties


def statement(subject: str, relation: str, entity: str, own: Mapping[str, Any]) -> Statement:
    """Read a statement from the properties of its relationship."""
    compared = {name: own[name] for name in _COMPARISON if own.get(name) is not None}
    return Statement(
        subject,
        RelationType(relation),
        entity,
        own["confidence"],
        tuple(
            Evidence(text, Field(field), start, end)
            for text, field, start, end in zip(
                *(own.get(name, ()) for name in _PLACES), strict=True
            )
        ),
        own["origin"],
        comparisons.from_json(compared) if compared else None,
        confirmed=bool(own.get("confirmed")),
    )


def key(name: str) -> str:
    """Return the key that all spellings of a name share, on one line."""
    return on_one_line(match_key(name))


def on_one_line(key: str) -> str:
    """Return a key as it stands among others."""
    return key.replace("\n", " ")


def keys(names: Iterable[str]) -> str:
    """Return the keys of names, each on a line of its own, in their order."""
    return "".join(f"\n{key(name)}" for name in names) + "\n"


def _order(name: str) -> str:
    return name.casefold()[:_LONGEST_ORDER]
