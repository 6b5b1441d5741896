"""The property graph: the public graph as nodes and relationships, as Neo4j has it.

It is made of what the `Reader` of a local store answers, some works at a time, and read back from
the properties of nodes and relationships. A property has no null, and no list is empty: what is not
known is left out.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from stemma.graph.edge import LineageEdge
from stemma.graph.identity import TITLE, keys_of
from stemma.graph.linking.people import Person, keys_of_person
from stemma.graph.reader import Reader, WorkType
from stemma.graph.selection import PROVENANCE, LineageDirection, Selection, provenance_of
from stemma.schema import (
    CATALOGUE_ORIGIN,
    LINEAGE_RELATIONS,
    Comparison,
    Entity,
    EntityKind,
    Evidence,
    Field,
    Paper,
    PartialDate,
    RelationType,
    Source,
    Statement,
)
from stemma.schema import comparison as comparisons
from stemma.schema.batches import batched
from stemma.schema.name import AUTHOR, ENTITY, PAPER, match_key
from stemma.schema.paper import Author, FullText, Reference

Properties = dict[str, Any]
KIND_LABELS = {kind: kind.value.capitalize() for kind in EntityKind}
"""The label of each kind of entities, in addition to ``Entity``."""
BASELINE = "Baseline"
LABELS = ("Paper", "Entity", "Author", BASELINE, *KIND_LABELS.values())
FROM_REFERENCES = "references"
"""The origin of citations."""
UNKNOWN_YEAR = 10_000
"""Comes after all years."""


def _columns_of(*columns: str) -> dict[str, str]:
    """Read names with types, as the headers of Neo4j's importer have them."""
    return dict(column.split(":") for listed in columns for column in listed.split())


_DATES = "published:date published_edtf:string year:long"
_SEARCHED = "sort_name:string search_keys:string"
NODES: dict[str, dict[str, str]] = {
    "Paper": _columns_of(
        f"id:ID(work) title:string abstract:string {_DATES} author_count:long organization:string",
        "links:string[] authors:string[] author_orcids:string[] author_affiliations:string[]",
        "author_ids:string[] venue:string doi:string doi_as_given:string arxiv_id:string",
        "arxiv:string identifiers:string[] references:string[] full_text:string",
        "source_file:string[] source_sha256:string[] source_position:long[]",
        "source_published:string[] source_assumed_year:long[]",
        f"search_organizations:string[] search_venues:string[] {_SEARCHED} added_in:long",
    ),
    "Entity": _columns_of(
        "id:ID(work) name:string kind:string general:boolean aliases:string[] papers:long",
        f"{_DATES} catalogue_year:long {_SEARCHED} added_in:long",
    ),
    "Author": _columns_of(
        "id:ID(work) name:string other_names:string[] orcid:string ids:string[]",
        "affiliations:string[] papers:long search_keys:string added_in:long",
    ),
}
"""The properties of nodes, and their types as Neo4j's importer names them, by first label."""
COMPARISON = tuple(field.name for field in fields(Comparison))
_STATEMENT = _columns_of(
    "confidence:double origin:string confirmed:boolean main:boolean evidence_text:string[]",
    "evidence_field:string[] evidence_start:long[] evidence_end:long[] factor:double",
    "difference:double unit:string low:double high:double bound:string metric:string",
    "direction:string condition:string",
)
RELATIONSHIPS: dict[str, dict[str, str]] = {
    **{relation.value: _STATEMENT for relation in RelationType},
    "BROADER": _columns_of("origin:string"),
    "WROTE": _columns_of("place:long"),
    "CITES": _columns_of("origin:string"),
    "DERIVES_FROM": _columns_of(
        "relations:string[] confidence:double",
        *(f"{relation.value.lower()}:double" for relation in LINEAGE_RELATIONS),
        "paper:string sentence:string statement_subject:string[] statement_relation:string[]",
        "statement_confidence:double[] statement_sentence:string[]",
    ),
}
_BATCH = 500
_LONGEST_ORDER = 1000
"""Characters by which names are sorted: an index holds no longer ones."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node; the first of its labels says what it is."""

    labels: tuple[str, ...]
    properties: Properties


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship between two works, or a person and a paper, by their ids."""

    type: str
    start: str
    end: str
    properties: Properties


PHASES = {
    "people": AUTHOR,
    "entities": ENTITY,
    "papers": PAPER,
    "lineage": ENTITY,
    "citations": PAPER,
}
"""How a graph is written, so that the ends of relationships come before these; by how the ids
begin of what each phase is about."""
_STATED = (*(relation.value for relation in RelationType), "DERIVES_FROM")


class Part(NamedTuple):
    """What a phase writes of some works or people (ids): nodes, and all their relationships of some
    types; and how far it then is, in ids of all phases."""

    phase: str
    ids: list[str]
    nodes: list[Node]
    types: tuple[str, ...] = ()
    relationships: Sequence[Relationship] = ()
    done: int = 0
    total: int = 0


class PropertyGraph:
    """The nodes and relationships of the graph that `reader` reads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._with_papers = set[str]()

    def parts(
        self,
        size: int = _BATCH,
        changed: Collection[str] | None = None,
        phase: str = "people",
        after: str = "",
    ) -> Iterator[Part]:
        """Yield the graph, so many works at a time; of `changed` works and people alone, if given.

        It begins in a phase, with what comes after the work with the id `after`. Authors come with
        their papers, unless what `changed` is given.
        """
        phases = list(PHASES)
        left = {name: self._ids(PHASES[name], changed) for name in phases[phases.index(phase) :]}
        if after:
            left[phase] = left[phase][left[phase].index(after) + 1 :]
        done, total = 0, sum(map(len, left.values()))
        for name, ids in left.items():
            for some in batched(ids, size):
                done += len(some)
                yield self._part(name, some, changed is None)._replace(done=done, total=total)

    def _ids(self, prefix: str, changed: Collection[str] | None) -> list[str]:
        if changed is not None:
            return sorted(id_ for id_ in changed if id_.startswith(prefix))
        if prefix == AUTHOR:
            return []
        type_ = WorkType.PAPER if prefix == PAPER else WorkType.ENTITY
        return self._reader.ids(type_, Selection(first=sys.maxsize))

    def _part(self, phase: str, ids: list[str], with_people: bool) -> Part:
        match phase:
            case "people":
                return Part(phase, ids, self._people(ids))
            case "entities":
                return Part(phase, ids, self._entities(ids))
            case "lineage":
                relationships = [*self._broader(ids), *self._lineage(ids)]
                return Part(phase, ids, [], (*_STATED, "BROADER"), relationships)
            case "citations":
                return Part(phase, ids, [], ("CITES",), self._citations(ids))
        nodes, relationships = self._papers(ids)
        wrote = self._authorships(ids)
        if with_people:
            new = {relationship.start for relationship in wrote} - self._with_papers
            self._with_papers |= new
            nodes += self._people(sorted(new))
        relationships += [*wrote, *self._lineage(ids)]
        return Part(phase, ids, nodes, (*_STATED, "WROTE"), relationships)

    def _papers(self, ids: Collection[str]) -> tuple[list[Node], list[Relationship]]:
        """Return the nodes of papers, and what they state."""
        nodes, relationships = list[Node](), list[Relationship]()
        main = self._reader.contributions(ids)
        for linked in self._reader.linked_extractions(ids):
            paper = linked.extraction.paper
            nodes.append(_paper(paper))
            relationships += [
                _statement(statement, main.get(paper.id) == statement.entity)
                for statement in linked.statements()
            ]
        return nodes, relationships

    def _entities(self, ids: Collection[str]) -> list[Node]:
        works, dates = self._reader.works(ids), self._reader.published(ids)
        naming = self._reader.papers_naming(ids)
        compared = self._reader.papers_naming(ids, [RelationType.COMPARES_WITH])
        return [
            _entity(work, dates.get(id_), len(naming[id_]), bool(compared[id_]))
            for id_, work in works.items()
            if isinstance(work, Entity)
        ]

    def _people(self, ids: Collection[str]) -> list[Node]:
        return [_person(person) for person in self._reader.people(ids).values()]

    def _authorships(self, papers: Collection[str]) -> list[Relationship]:
        return [
            Relationship("WROTE", author, paper, {"place": place})
            for paper, authors in self._reader.authors(papers).items()
            for place, author in enumerate(authors, 1)
        ]

    def _lineage(self, works: Collection[str]) -> list[Relationship]:
        """Return the edges from works to their parents, and the facts behind them."""
        by_child = self._reader.lineage_edges(works, LineageDirection.ANCESTORS)
        edges = [edge for parents in by_child.values() for edge in parents]
        facts = (statement for edge in edges for statement in edge.statements)
        return [
            *map(_derives_from, edges),
            *(_statement(fact) for fact in facts if fact.origin == CATALOGUE_ORIGIN),
        ]

    def _broader(self, entities: Collection[str]) -> list[Relationship]:
        works = self._reader.works(entities).values()
        pairs = [(work.id, wide) for work in works for wide in getattr(work, "broader", ())]
        there = self._reader.works({wide for _, wide in pairs})
        return [
            Relationship("BROADER", id_, wide, {"origin": CATALOGUE_ORIGIN})
            for id_, wide in pairs
            if wide in there
        ]

    def _citations(self, papers: Collection[str]) -> list[Relationship]:
        return [
            Relationship("CITES", paper, cited, {"origin": FROM_REFERENCES})
            for paper, all_cited in self._reader.cites(papers).items()
            for cited in all_cited
        ]


# Works as properties, and back.

_PAPER = ("id", "title", "author_count", "organization", "links", "venue", "arxiv_id")
_ENTITY = ("id", "name", "general", "aliases")
_PERSON = tuple(field.name for field in fields(Person))
"""The fields that are properties of the same names."""
_AUTHORS = {
    "authors": "name",
    "author_orcids": "orcid",
    "author_affiliations": "affiliation",
    "author_ids": "id",
}
_SOURCES = {f"source_{name}": name for name in ("file", "sha256", "position", "published")}
_EVIDENCE = {f"evidence_{name}": name for name in ("text", "field", "start", "end")}
_SUPPORT = {f"statement_{name}": name for name in ("subject", "relation", "confidence")}
"""The fields of several items, by the properties that list them."""


def _properties(item: Paper | Entity | Person, names: Iterable[str]) -> Properties:
    """Return fields as properties: tuples are lists there."""
    values = ((name, getattr(item, name)) for name in names)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _fields(node: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return those of some fields that a node has as properties."""
    values = ((name, node[name]) for name in names if name in node)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values}


def _lists(items: Collection[Any], names: Mapping[str, str]) -> Properties:
    """Return fields of several items as a list each; what is not known is an empty text there."""
    return {
        listed: [_plain(getattr(item, name)) for item in items] for listed, name in names.items()
    }


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, StrEnum) else "" if value is None else value


def _rows(node: Mapping[str, Any], first: str, *others: str) -> Iterable[tuple[Any, ...]]:
    """Return the rows of lists that belong together; a list that is not there has nothing."""
    length = len(node.get(first, ()))
    return zip(*(node.get(name) or [None] * length for name in (first, *others)), strict=True)


def _paper(paper: Paper) -> Node:
    provenance = list(provenance_of(paper))
    identifiers = [key for key in keys_of(paper) if not key.startswith(TITLE)]
    arxiv = next((key for key in identifiers if key.startswith("arxiv:")), None)
    assumed = [source.assumed_year or 0 for source in paper.sources]
    doi, full_text = paper.doi and paper.doi.casefold(), paper.full_text
    properties = {
        **_properties(paper, _PAPER),
        "abstract": paper.abstract or None,
        **_dates(paper.published),
        **_lists(paper.authors, _AUTHORS),
        "doi": doi,
        "doi_as_given": paper.doi if paper.doi != doi else None,
        "arxiv": arxiv and arxiv.partition(":")[2],
        "identifiers": identifiers,
        "references": list(map(str, paper.references)),
        "full_text": full_text and msgspec.json.encode(full_text).decode(),
        **_lists(paper.sources, _SOURCES),
        "source_assumed_year": assumed if any(assumed) else None,
        **{
            f"search_{role}s": [words for of, words in provenance if of == role]
            for role in PROVENANCE
        },
        **_searched(paper.title),
    }
    return Node(("Paper",), known(properties))


def paper(node: Mapping[str, Any]) -> Paper:
    """Read a paper from the properties of its node."""
    sources, authors = _rows(node, *_SOURCES, "source_assumed_year"), _rows(node, *_AUTHORS)
    full_text = node.get("full_text")
    return Paper(
        **_fields(node, (*_PAPER, "abstract")),
        sources=tuple(
            Source(file, sha256, position, published or None, year or None)
            for file, sha256, position, published, year in sources
        ),
        authors=tuple(Author(name, *(value or None for value in more)) for name, *more in authors),
        doi=node.get("doi_as_given", node.get("doi")),
        references=tuple(map(Reference.parse, node.get("references", ()))),
        full_text=msgspec.json.decode(full_text, type=FullText) if full_text else None,
    )


def _entity(entity: Entity, published: PartialDate | None, papers: int, is_baseline: bool) -> Node:
    labels = ("Entity", KIND_LABELS[entity.kind], *([BASELINE] if is_baseline else []))
    properties = {
        **_properties(entity, _ENTITY),
        "kind": entity.kind.value,
        "papers": papers,
        **_dates(published),
        "catalogue_year": entity.year,
        **_searched(entity.name, *entity.aliases),
    }
    return Node(labels, known(properties))


def entity(node: Mapping[str, Any], broader: Iterable[str]) -> Entity:
    """Read an entity from the properties of its node; `broader` are ids."""
    return Entity(
        **_fields(node, _ENTITY),
        kind=EntityKind(node["kind"]),
        broader=tuple(sorted(broader)),
        year=node.get("catalogue_year"),
    )


def _person(person: Person) -> Node:
    keys = _lines(keys_of_person(person))
    return Node(("Author",), known({**_properties(person, _PERSON), "search_keys": keys}))


def person(node: Mapping[str, Any]) -> Person:
    """Read a person from the properties of the node of an author."""
    return Person(**_fields(node, _PERSON))


def _statement(statement: Statement, main: bool = False) -> Relationship:
    properties = {
        "confidence": statement.confidence,
        "origin": statement.origin,
        "confirmed": statement.confirmed or None,
        "main": (main and statement.relation is RelationType.INTRODUCES) or None,
        **_lists(statement.evidence, _EVIDENCE),
    }
    if statement.comparison:
        outcome = comparisons.to_json(statement.comparison)
        properties |= {name: _plain(value) for name, value in outcome.items()}
    return Relationship(
        statement.relation.value, statement.subject, statement.entity, known(properties)
    )


def statement(subject: str, relation: str, entity: str, properties: Mapping[str, Any]) -> Statement:
    """Read a statement from the properties of its relationship."""
    compared = {name: properties[name] for name in properties.keys() & COMPARISON}
    return Statement(
        subject,
        RelationType(relation),
        entity,
        properties["confidence"],
        tuple(
            Evidence(text, Field(field), start, end)
            for text, field, start, end in _rows(properties, *_EVIDENCE)
        ),
        properties["origin"],
        msgspec.convert(compared, Comparison) if compared else None,
        confirmed=bool(properties.get("confirmed")),
    )


def _derives_from(edge: LineageEdge) -> Relationship:
    statements = sorted(edge.statements, key=lambda stated: (stated.subject, stated.relation))
    properties = {
        **edge.attributes,
        "relations": [relation.value for relation in edge.relations],
        **_lists(statements, _SUPPORT),
        "statement_sentence": [
            stated.evidence[0].text if stated.evidence else "" for stated in statements
        ],
    }
    return Relationship("DERIVES_FROM", edge.child, edge.parent, known(properties))


def _dates(published: PartialDate | None) -> Properties:
    """Return a date as one that Neo4j sorts (the first day that it may be), and as it is given."""
    if published is None:
        return {}
    year = published.year
    first = year and date(year, published.month or 1, published.day or 1)
    return {"published": first, "published_edtf": str(published), "year": year}


def _searched(*names: str) -> Properties:
    """Return what works are sorted and found by: names without case, and the keys of spellings."""
    # As SQLite sorts without case: of bytes, ASCII letters alone have a case.
    sort_name = names[0][:_LONGEST_ORDER].encode().lower().decode()
    return {"sort_name": sort_name, "search_keys": _lines(map(name_key, names))}


def name_key(name: str) -> str:
    """Return the key that all spellings of a name share, on one line."""
    return match_key(name).replace("\n", " ")


def _lines(keys: Collection[str] | Iterator[str]) -> str:
    return "".join(f"\n{key}" for key in keys) + "\n"


def known(properties: Properties) -> Properties:
    """Leave out what is not known: nulls, empty lists, and lists of empty texts alone."""
    return {
        name: value
        for name, value in properties.items()
        if value is not None and not (isinstance(value, list) and not any(x != "" for x in value))
    }
