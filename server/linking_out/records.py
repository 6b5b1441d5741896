"""Records of other knowledge bases, read from the dumps that they publish."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import fields, items, string, values
from stemma.extract.kind import PHRASE_END, kind_of_phrase
from stemma.schema import EntityKind, Problem
from stemma.schema.text_line import MAX_RECORD_SIZE
from stemma.server.requested_papers import as_identifier

_WIKIDATA = "http://www.wikidata.org/entity/"
_OPENALEX = "https://openalex.org/"
_PAPERS_WITH_CODE = "https://paperswithcode.com/"
_ITEM = re.compile(r"Q[1-9]\d*")
_ENGLISH = ("en", "mul", "en-us", "en-gb", "en-ca")
"""Languages of Wikidata in which names of machine learning are written as papers write them."""
_ARXIV_ID, _DOI = "P818", "P356"
_PROCESSING_UNIT = re.compile(r"\bprocessing units?$", re.I)
_METHODS = frozenset({EntityKind.TECHNIQUE, EntityKind.MODEL})
_NOT_IN_IRI = re.compile(r"[\s<>\"{}|\\^`\x00-\x1f]")
_OTHER = "not a record of Wikidata, OpenAlex or Papers with Code"


@dataclass(frozen=True, slots=True)
class Record:
    """A thing or a paper in another knowledge base; the first of its `names` is its label.

    `kinds` are those that it may have, empty if it is described as something else than ours, None
    if nothing describes it. `identifiers` (``arxiv:…``, ``doi:…``) are its own if it is a
    paper; else those of the paper that introduced it, whose title is `paper`.
    """

    iri: str
    names: tuple[str, ...]
    kinds: frozenset[EntityKind] | None = None
    identifiers: frozenset[str] = frozenset()
    is_paper: bool = False
    paper: str = ""


class _ForeignError(ValueError):
    """A value is a record of none of them."""


def records(document: Document) -> Iterator[Record | Problem]:
    """Read a dump: JSON lines or an array, compressed or not, a record in memory at a time.

    Raises OSError where it cannot be read.
    """
    for each in values(document, MAX_RECORD_SIZE):
        if isinstance(each, Problem):
            yield each
            continue
        line, value = each
        listed = items(fields(value).get("results")) or [value]
        for one in listed:
            try:
                record = _record(fields(one))
            except _ForeignError:
                yield Problem(document.name, line, _OTHER, skipped=True)
                continue
            if record and record.names:
                yield record


def _record(value: dict[str, Any]) -> Record | None:
    """Return the record that `value` is, None if it is no thing. Raises _ForeignError."""
    id_ = string(value.get("id"))
    if isinstance(value.get("labels"), dict | list):
        return _of_wikidata(id_, value)
    if id_.startswith(_OPENALEX) and not _NOT_IN_IRI.search(id_):
        return _of_openalex(id_, value)
    address = string(value.get("paper_url")) or string(value.get("url"))
    address = address.replace("http://", "https://", 1)
    if address.startswith(_PAPERS_WITH_CODE) and not _NOT_IN_IRI.search(address):
        return _of_papers_with_code(address, value)
    raise _ForeignError


def _of_wikidata(id_: str, value: dict[str, Any]) -> Record | None:
    labels, aliases = fields(value.get("labels")), fields(value.get("aliases"))
    descriptions, claims = fields(value.get("descriptions")), fields(value.get("claims"))
    named = [string(fields(labels.get(each)).get("value")) for each in _ENGLISH]
    also = chain.from_iterable(items(aliases.get(each)) for each in _ENGLISH)
    names = _names(chain(named, (string(fields(each).get("value")) for each in also)))
    if not _ITEM.fullmatch(id_):
        return None
    found = {f"arxiv:{each}" for each in _texts(claims.get(_ARXIV_ID))}
    found |= {f"doi:{each}" for each in _texts(claims.get(_DOI))}
    described = (string(fields(descriptions.get(each)).get("value")) for each in _ENGLISH)
    return Record(
        _WIKIDATA + id_,
        names,
        _kinds(next(filter(None, described), "")),
        _identifiers(found),
        is_paper=bool(found),
    )


def _texts(claims: object) -> list[str]:
    """Return the texts that claims of one property have as values."""
    snaks = (fields(fields(each).get("mainsnak")) for each in items(claims))
    found = (string(fields(each.get("datavalue")).get("value")) for each in snaks)
    return [each for each in found if each]


def _of_openalex(id_: str, value: dict[str, Any]) -> Record:
    names = _names([string(value.get("display_name")), string(value.get("title"))])
    if id_.startswith(_OPENALEX + "W"):
        places = [
            fields(value.get("primary_location")),
            *map(fields, items(value.get("locations"))),
        ]
        addresses = (string(each.get("landing_page_url")) for each in places)
        own = [string(value.get("doi")), *addresses]
        return Record(id_, names, None, _identifiers(own), is_paper=True)
    return Record(id_, names, _kinds(string(value.get("description"))))


def _of_papers_with_code(address: str, value: dict[str, Any]) -> Record:
    if value.get("paper_url") or "/paper/" in address:
        names = _names([string(value.get("title")), string(value.get("paper_title"))])
        own = [f"arxiv:{string(value.get('arxiv_id'))}", string(value.get("url_abs"))]
        own.append(f"arxiv:{string(value.get('paper_arxiv_id'))}")
        return Record(address, names, None, _identifiers(own), is_paper=True)
    names = _names([string(value.get("name")), string(value.get("full_name"))])
    paper = fields(value.get("paper"))
    is_dataset = "/dataset/" in address
    return Record(
        address,
        names,
        frozenset({EntityKind.DATASET}) if is_dataset else _METHODS,
        _identifiers([string(value.get("source_url")), string(paper.get("url"))]),
        paper=string(value.get("source_title")) or string(paper.get("title")),
    )


def _names(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in found if each.strip()))


def _identifiers(found: Iterable[str]) -> frozenset[str]:
    return frozenset(own for each in found if each and (own := as_identifier(each)))


def _kinds(description: str) -> frozenset[EntityKind] | None:
    """Return the kinds that a description mentions, in the words that papers use for them."""
    if not description.strip():
        return None
    phrase = PHRASE_END.split(description, maxsplit=1)[0].strip()
    if _PROCESSING_UNIT.search(phrase):
        return frozenset({EntityKind.HARDWARE})
    kind = kind_of_phrase(phrase)
    if kind is None:
        return frozenset()
    return _METHODS if kind in _METHODS else frozenset({kind})
