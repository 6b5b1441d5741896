"""Interchange: extractions as JSON lines, the seam between extracting and loading.

The format is defined by ``interchange.schema.json`` beside this file.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stemma.schema import comparison
from stemma.schema.evidence import Evidence, Mention, Span
from stemma.schema.extraction import Extraction, FoundEntity, FoundRelation
from stemma.schema.identifier import ENTITY, paper_id
from stemma.schema.kind import EntityKind
from stemma.schema.paper import Field, Paper, Source
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem
from stemma.schema.relation import RelationType

VERSION = 1
JSON_SCHEMA = Path(__file__).with_name("interchange.schema.json")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
LONGEST_NAME = 1000
"""Characters of an entity's name: what is longer is none, and indexes would not hold it."""


def dump(extraction: Extraction) -> str:
    """Return `extraction` as one line of JSON, without the line's end."""
    return _ENCODER.encode(to_json(extraction))


def to_json(extraction: Extraction) -> dict[str, Any]:
    """Return `extraction` as JSON-ready data, in the shape of the schema."""
    return {
        "stemma": VERSION,
        "extractor": extraction.extractor,
        "paper": paper_to_json(extraction.paper),
        "entities": [
            {
                "name": entity.name,
                "kind": entity.kind.value,
                "concept": entity.concept,
                "mentions": [_span_to_json(mention) for mention in entity.mentions],
            }
            for entity in extraction.entities
        ],
        "relations": [_relation_to_json(relation) for relation in extraction.relations],
    }


def _relation_to_json(relation: FoundRelation) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": relation.type.value,
        "entity": relation.entity,
        "confidence": relation.confidence,
        "evidence": [_span_to_json(evidence) for evidence in relation.evidence],
        "origin": relation.origin,
    }
    if relation.comparison:
        data["comparison"] = comparison.to_json(relation.comparison)
    return data


def paper_to_json(paper: Paper) -> dict[str, Any]:
    """Return `paper` as JSON-ready data; what is not known is left out."""
    data: dict[str, Any] = {"id": paper.id, "title": paper.title, "abstract": paper.abstract}
    if published := paper.published:
        data["published"] = str(published)
    if paper.author_count is not None:
        data["author_count"] = paper.author_count
    if paper.organization:
        data["organization"] = paper.organization
    if paper.links:
        data["links"] = list(paper.links)
    data["sources"] = [
        {
            key: value
            for key in ("file", "sha256", "position", "published", "assumed_year")
            if (value := getattr(source, key)) is not None
        }
        for source in paper.sources
    ]
    return data


def read(lines: Iterator[bytes], file: str, sha256: str) -> Iterator[Extraction | Problem]:
    """Read interchange lines; a line that is none is reported as a problem and passed over.

    `file` and `sha256` name the source of papers that bring none of their own.
    """
    for position, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield from_json(json.loads(line), Source(file, sha256, position))
        except UnicodeDecodeError as error:
            yield Problem(file, position, f"not UTF-8 text: {error.reason}")
        except json.JSONDecodeError as error:
            yield Problem(file, position, f"not JSON: {error.msg} at column {error.colno}")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            yield Problem(file, position, f"not an interchange record: {_reason(error)}")


def from_json(data: dict[str, Any], source: Source) -> Extraction:
    """Read one record. Raises KeyError, TypeError or ValueError where it is not one."""
    if not isinstance(data, dict):
        raise TypeError("expected a JSON object")
    if data.get("stemma") != VERSION:
        raise ValueError(f'expected "stemma": {VERSION}, found {data.get("stemma")!r}')
    paper = _paper(data["paper"], source)
    entities = tuple(_entity(each, paper) for each in data["entities"])
    names = {entity.name for entity in entities}
    if len(names) < len(entities):
        raise ValueError("two entities have the same name")
    relations = tuple(_relation(each, names, paper) for each in data["relations"])
    return Extraction(paper, entities, relations, _text(data.get("extractor") or "", "extractor"))


def _paper(data: dict[str, Any], source: Source) -> Paper:
    title = _text(data["title"], "title")
    if not title.strip():
        raise ValueError("the title is empty")
    sources = tuple(
        Source(
            _text(each["file"], "file"),
            _text(each["sha256"], "sha256"),
            int(each["position"]),
            each.get("published"),
            each.get("assumed_year"),
        )
        for each in data.get("sources") or ()
    )
    published = data.get("published")
    if published is not None:
        PartialDate.parse(published)
    if not sources:
        sources = (Source(source.file, source.sha256, source.position, published),)
    for each in sources:
        if each.published is not None:
            PartialDate.parse(each.published)
    count = data.get("author_count")
    return Paper(
        id=paper_id(title),
        title=title,
        abstract=_text(data.get("abstract") or "", "abstract"),
        author_count=None if count is None else int(count),
        organization=data.get("organization"),
        links=tuple(sorted(_text(link, "link") for link in data.get("links") or ())),
        sources=sources,
    )


def _entity(data: dict[str, Any], paper: Paper) -> FoundEntity:
    concept = data.get("concept")
    if concept is not None and not str(concept).startswith(ENTITY):
        raise ValueError(f"not the id of a concept: {concept!r}")
    mentions = tuple(Mention(*_span(each, paper)) for each in data["mentions"])
    name = _text(data["name"], "name")
    if not name.strip():
        raise ValueError("an entity's name is empty")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"an entity's name is longer than {LONGEST_NAME} characters")
    return FoundEntity(name, EntityKind(data["kind"]), concept, mentions)


def _relation(data: dict[str, Any], names: set[str], paper: Paper) -> FoundRelation:
    if data["entity"] not in names:
        raise ValueError(f"a relation to {data['entity']!r}, which is not among the entities")
    confidence = float(data["confidence"])
    if not 0 <= confidence <= 1:
        raise ValueError(f"a confidence outside 0 to 1: {confidence}")
    evidence = tuple(Evidence(*_span(each, paper)) for each in data["evidence"])
    return FoundRelation(
        RelationType(data["type"]),
        data["entity"],
        confidence,
        evidence,
        _text(data["origin"], "origin"),
        comparison.from_json(data["comparison"]) if data.get("comparison") else None,
    )


def _span(data: dict[str, Any], paper: Paper) -> tuple[str, Field, int, int]:
    text, field = _text(data["text"], "text"), Field(data["field"])
    start, end = int(data["start"]), int(data["end"])
    if paper.text(field)[start:end] != text or start < 0:
        raise ValueError(f"{text!r} does not stand at {start}-{end} of the {field.value}")
    return text, field, start, end


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} should be a text, not {value!r}")
    return value


def _span_to_json(span: Span) -> dict[str, Any]:
    return {"text": span.text, "field": span.field.value, "start": span.start, "end": span.end}


def _reason(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
