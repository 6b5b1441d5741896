"""Interchange: extractions as JSON lines, the step between extraction and loading.

The format is defined by ``interchange.schema.json`` next to this file.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from typing import Any

from stemma.schema import comparison
from stemma.schema.model import (
    VECTOR_SIZE,
    EntityKind,
    Evidence,
    Extraction,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
    Span,
)
from stemma.schema.name import ENTITY, paper_id
from stemma.schema.paper import (
    LONGEST_TEXT,
    Author,
    Field,
    Paper,
    Reference,
    Source,
    expect_storable,
    full_text_from_json,
    full_text_to_json,
)
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem, reason_of
from stemma.schema.text_line import MAX_RECORD_SIZE, split_lines, too_long, whole_lines

VERSION = 1
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
LONGEST_NAME = 1000
"""Characters of an entity's name: longer ones are not names, and do not fit into indexes."""
_LARGEST_NUMBER = 2**31 - 1
_CONCEPT = re.compile(rf"{ENTITY}(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{{2}})+")
"""The ids of concepts: what may end an IRI."""


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
    } | ({"vector": b64encode(extraction.vector).decode()} if extraction.vector else {})


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
    data = {
        "id": paper.id,
        "title": paper.title,
        "abstract": paper.abstract,
        "published": str(paper.published) if paper.published else None,
        "author_count": paper.author_count,
        "organization": paper.organization or None,
        "links": list(paper.links) or None,
        "authors": list(map(_known, paper.authors)) or None,
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "references": list(map(_known, paper.references)) or None,
        "full_text": full_text_to_json(paper.full_text) if paper.full_text else None,
        "sources": list(map(_known, paper.sources)),
    }
    return {name: value for name, value in data.items() if value is not None}


def _known(of: Author | Reference | Source) -> dict[str, Any]:
    """Return the fields that are known."""
    return {name: value for name in of.__match_args__ if (value := getattr(of, name)) is not None}


def read(
    chunks: Iterable[bytes], file: str, sha256: str, max_record_size: int = MAX_RECORD_SIZE
) -> Iterator[Extraction | Problem]:
    """Read the lines of a file; one that is not a record is reported as a problem and skipped.

    `file` and `sha256` name the source of papers that bring none of their own. Lines over
    `max_record_size` bytes are not held whole.
    """
    for line in whole_lines(split_lines(chunks, b"\n", max_record_size), max_record_size):
        if not line.is_last:
            yield Problem(file, line.number, too_long(max_record_size), skipped=True)
        elif line.text.strip():
            entry = _read_line(line.text, Source(file, sha256, line.number))
            yield (
                Problem(file, line.number, entry, skipped=True) if isinstance(entry, str) else entry
            )


def _read_line(line: bytes, source: Source) -> Extraction | str:
    """Return the record in a line, or what is wrong with it."""
    try:
        data = json.loads(line)
    except UnicodeDecodeError as error:
        return f"not UTF-8 text: {error.reason}"
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno}); other formats: `stemma build`"
    except RecursionError:
        return "JSON that is nested too deeply"
    try:
        return from_json(data, source)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        return f"not an interchange record: {reason_of(error)}"


def from_json(data: dict[str, Any], source: Source) -> Extraction:
    """Read one record. Raises KeyError, TypeError or ValueError where it is not one."""
    if not isinstance(data, dict):
        raise TypeError("expected a JSON object")
    if data.get("stemma") != VERSION:
        version = data.get("stemma", "none: for other formats, `stemma build`")
        raise ValueError(f'expected "stemma": {VERSION}, found {version}')
    paper = paper_from_json(data["paper"], source)
    entities = tuple(_entity(entity, paper) for entity in data["entities"])
    names = {entity.name for entity in entities}
    if len(names) < len(entities):
        raise ValueError("two entities have the same name")
    relations = tuple(_relation(relation, names, paper) for relation in data["relations"])
    vector = b64decode(data.get("vector") or "", validate=True)
    if len(vector) not in (0, VECTOR_SIZE):
        raise ValueError(f"the vector should have {VECTOR_SIZE} bytes, not {len(vector)}")
    extractor = _text(data.get("extractor") or "", "extractor")
    return Extraction(paper, entities, relations, extractor, vector)


def paper_from_json(data: dict[str, Any], source: Source) -> Paper:
    """Read the paper of a record. Raises KeyError, TypeError or ValueError where it is not one."""
    title = _text(data["title"], "title")
    if not title.strip():
        raise ValueError("the title is empty")
    sources = tuple(map(_source, data.get("sources") or ()))
    published = data.get("published")
    if published is not None:
        PartialDate.parse(published)
    if not sources:
        sources = (Source(source.file, source.sha256, source.position, published),)
    for stated in sources:
        _ = stated.date  # Raises where there is no such day.
    paper = Paper(
        id=paper_id(title),
        title=title,
        abstract=_text(data.get("abstract") or "", "abstract"),
        author_count=_optional_number(data, "author_count"),
        organization=_optional_text(data, "organization"),
        links=tuple(sorted(_text(link, "link") for link in data.get("links") or ())),
        sources=sources,
        authors=tuple(map(_author, data.get("authors") or ())),
        venue=_optional_text(data, "venue"),
        doi=_optional_text(data, "doi"),
        arxiv_id=_optional_text(data, "arxiv_id"),
        references=tuple(
            Reference(_optional_text(cited, "id"), _optional_text(cited, "title"))
            for cited in data.get("references") or ()
        ),
        full_text=full_text_from_json(data["full_text"]) if data.get("full_text") else None,
    )
    expect_storable(paper)
    return paper


def _source(data: dict[str, Any]) -> Source:
    return Source(
        _text(data["file"], "file"),
        _text(data["sha256"], "sha256"),
        _number(data["position"], "position"),
        data.get("published"),
        _optional_number(data, "assumed_year"),
    )


def _author(data: dict[str, Any]) -> Author:
    others = (_optional_text(data, name) for name in ("orcid", "affiliation", "id"))
    return Author(_text(data["name"], "name"), *others)


def _entity(data: dict[str, Any], paper: Paper) -> FoundEntity:
    concept = data.get("concept")
    if concept is not None and not _CONCEPT.fullmatch(str(concept)):
        raise ValueError(f"not the id of a concept: {concept!r}")
    mentions = tuple(Mention(*_span(mention, paper)) for mention in data["mentions"])
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
    evidence = tuple(Evidence(*_span(sentence, paper)) for sentence in data["evidence"])
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
        raise ValueError(f"{text!r} is not at {start}-{end} of the {field.value}")
    return text, field, start, end


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} should be a string, not {value!r:.100}")
    if len(value) > LONGEST_TEXT:
        raise ValueError(f"{what} should have {LONGEST_TEXT:,} characters at most")
    return value


def _optional_text(data: dict[str, Any], name: str) -> str | None:
    value = data.get(name)
    return None if value is None else _text(value, name) or None


def _number(value: Any, what: str) -> int:
    number = int(value)
    if not 0 <= number <= _LARGEST_NUMBER:
        raise ValueError(f"{what} should be between 0 and {_LARGEST_NUMBER}, not {number}")
    return number


def _optional_number(data: dict[str, Any], name: str) -> int | None:
    value = data.get(name)
    return None if value is None else _number(value, name)


def _span_to_json(span: Span) -> dict[str, Any]:
    return {"text": span.text, "field": span.field.value, "start": span.start, "end": span.end}
