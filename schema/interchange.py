"""Interchange: extractions as JSON lines, the step between extraction and loading.

The format is defined by ``interchange.schema.json`` next to this file. Its objects are those of the
model, so that a record is read by their types.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import msgspec
from msgspec import to_builtins

from stemma.schema import comparison
from stemma.schema.model import VECTOR_SIZE, Extraction, FoundEntity, FoundRelation, Span
from stemma.schema.name import ENTITY, paper_id
from stemma.schema.paper import (
    SECTIONS,
    Author,
    Paper,
    Reference,
    Section,
    Source,
    expect_short,
    expect_storable,
)
from stemma.schema.problem import Problem
from stemma.schema.text_line import MAX_RECORD_SIZE, split_lines, too_long, whole_lines

VERSION = 2
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
LONGEST_NAME = 1000
"""Characters of an entity's name: longer ones are not names, and do not fit into indexes."""
_LARGEST_NUMBER = 2**31 - 1
_CONCEPT = re.compile(rf"{ENTITY}(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{{2}})+")
"""The ids of concepts: what may end an IRI."""
_COMPARED = frozenset(field.name for field in fields(comparison.Comparison))
_OPTIONAL_TEXTS = frozenset(
    ("organization", "venue", "doi", "arxiv_id", "orcid", "affiliation", "id", "title")
)


def dump(extraction: Extraction) -> str:
    """Return `extraction` as one line of JSON, without the line's end."""
    return _ENCODER.encode(to_json(extraction))


def to_json(extraction: Extraction) -> dict[str, Any]:
    """Return `extraction` as JSON-ready data, in the shape of the schema."""
    return {
        "stemma": VERSION,
        "extractor": extraction.extractor,
        "paper": paper_to_json(extraction.paper),
        "entities": to_builtins(extraction.entities),
        "relations": list(map(_relation_to_json, extraction.relations)),
    } | ({"vector": to_builtins(extraction.vector)} if extraction.vector else {})


def _relation_to_json(relation: FoundRelation) -> dict[str, Any]:
    data: dict[str, Any] = to_builtins(relation)
    del data["comparison"]
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
        "full_text": to_builtins(paper.full_text) if paper.full_text else None,
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
        # Half of a character (a lone surrogate) in one text costs no record: unlike msgspec, `json`
        # reads it.
        data = json.loads(line, object_hook=_given)
    except UnicodeDecodeError as error:
        return f"not UTF-8 text: {error.reason}"
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno}); other formats: `stemma build`"
    except RecursionError:
        return "JSON that is nested too deeply"
    except ValueError as error:
        return f"not JSON: {error}"
    try:
        return from_json(data, source)
    except ValueError as error:
        return f"not an interchange record: {error}"


def _given(data: dict[str, Any]) -> dict[str, Any]:
    """Leave out what others write for what is not known: nulls, and empty texts."""
    return {
        name: value
        for name, value in data.items()
        if value is not None and (value != "" or name not in _OPTIONAL_TEXTS)
    }


def from_json(data: object, source: Source) -> Extraction:
    """Read one record; `source` is that of a paper without one. Raises ValueError with a reason."""
    if not isinstance(data, dict) or data.get("stemma") != VERSION:
        version = data.get("stemma", "none") if isinstance(data, dict) else "no object"
        raise ValueError(
            f'expected "stemma": {VERSION}, found {version}: extract the papers again; for other '
            "formats, `stemma build`"
        )
    given = data.get("paper")
    if not isinstance(given, dict):
        raise ValueError("'paper' is missing, or no object")
    entities = [{"concept": None, **entity} for entity in _objects(data, "entities")]
    for relation in _objects(data, "relations"):
        compared = relation.get("comparison")
        unknown = compared.keys() - _COMPARED if isinstance(compared, dict) else ()
        if unknown:
            raise ValueError(f"unknown fields of a comparison: {', '.join(sorted(unknown))}")
    paper = {
        **given,
        "id": paper_id(str(given.get("title"))),
        "sources": given.get("sources")
        or [{**_known(source), "published": given.get("published")}],
    }
    extraction = msgspec.convert({**data, "paper": paper, "entities": entities}, Extraction)
    _expect_consistent(extraction)
    return extraction


def _objects(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of JSON objects. Raises ValueError where it is missing, or something else."""
    objects = data.get(name)
    if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
        raise ValueError(f"{name!r} is missing, or no list of objects")
    return objects


def _expect_consistent(extraction: Extraction) -> None:
    """Raise ValueError where a record of the right types contradicts itself."""
    paper = extraction.paper
    if not paper.title.strip():
        raise ValueError("the title is empty")
    expect_storable(paper)
    for text in (extraction.extractor, *(relation.origin for relation in extraction.relations)):
        expect_short(text)
    for source in paper.sources:
        _expect_number(source.position, "position")
        _expect_number(source.assumed_year or 0, "assumed_year")
        _ = source.date  # Raises where there is no such day.
    _expect_number(paper.author_count or 0, "author_count")
    for section in paper.full_text.sections if paper.full_text else ():
        _expect_whole(section)
    names = {entity.name for entity in extraction.entities}
    if len(names) < len(extraction.entities):
        raise ValueError("two entities have the same name")
    for entity in extraction.entities:
        _expect_entity(entity, paper)
    for relation in extraction.relations:
        _expect_relation(relation, names, paper)
    if len(extraction.vector) not in (0, VECTOR_SIZE):
        size = len(extraction.vector)
        raise ValueError(f"the vector should have {VECTOR_SIZE} bytes, not {size}")


def _expect_number(number: int, field: str) -> None:
    if not 0 <= number <= _LARGEST_NUMBER:
        raise ValueError(f"{field} should be between 0 and {_LARGEST_NUMBER}, not {number}")


def _expect_whole(section: Section) -> None:
    if section.kind not in SECTIONS:
        raise ValueError(f"not a kind of section: {section.kind.value}")
    for cited in section.citations:
        if not 0 <= cited.start <= cited.end <= len(section.text):
            offsets = f"{cited.start}-{cited.end}"
            raise ValueError(f"citation offsets {offsets} are outside the text of the section")


def _expect_entity(entity: FoundEntity, paper: Paper) -> None:
    if entity.concept is not None and not _CONCEPT.fullmatch(entity.concept):
        raise ValueError(f"not the id of a concept: {entity.concept!r}")
    if not entity.name.strip():
        raise ValueError("an entity's name is empty")
    if len(entity.name) > LONGEST_NAME:
        raise ValueError(f"an entity's name is longer than {LONGEST_NAME} characters")
    for mention in entity.mentions:
        _expect_span(mention, paper)


def _expect_relation(relation: FoundRelation, names: set[str], paper: Paper) -> None:
    if relation.entity not in names:
        raise ValueError(f"a relation to {relation.entity!r}, which is not among the entities")
    if not 0 <= relation.confidence <= 1:
        raise ValueError(f"a confidence outside 0 to 1: {relation.confidence}")
    for sentence in relation.evidence:
        _expect_span(sentence, paper)


def _expect_span(span: Span, paper: Paper) -> None:
    if paper.text(span.field)[span.start : span.end] != span.text or span.start < 0:
        offsets = f"{span.start}-{span.end}"
        raise ValueError(f"{span.text!r} is not at {offsets} of the {span.field.value}")
