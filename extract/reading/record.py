"""Records: one paper as a JSON object, by whatever names its fields go in common data sets."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from stemma.extract.reading.document import Document
from stemma.extract.reading.lines import storable
from stemma.extract.reading.link import arxiv_links, doi_links, links_in
from stemma.schema.identifier import paper_id
from stemma.schema.paper import Paper
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem

_DATES = ("published", "publication_date", "date", "update_date", "year")
_LINKS: dict[str, Callable[[str], tuple[str, ...]]] = {
    **dict.fromkeys(("url", "link", "links", "pdf_url"), links_in),
    **dict.fromkeys(("arxiv_id", "arxiv", "id"), arxiv_links),
    "doi": doi_links,
}
"""The fields that hold addresses, or else what makes addresses of their texts."""
_MOST_AUTHORS = 1_000_000
_LINE_END = re.compile(r"[^\S\n]*\n\s*")
_TIME = re.compile(r"(?<=\d\d)(?:T|\s).*", re.S)
_NAMES = re.compile(r",|\band\b")


def read_record(
    record: dict[str, Any], line: int, document: Document, year: int | None = None
) -> Iterator[Paper | Problem]:
    """Read the object that begins at `line`; fields that are not known are passed over.

    It needs a `title`. What is wrong with another field is a problem, and the rest is read.
    """
    title, abstract = _text(record.get("title")), _text(record.get("abstract"))
    if not title:
        reason = "no title: a paper needs a string under 'title'"
        yield Problem(document.name, line, reason, skipped=True)
        return
    if not abstract:
        reason = "no string under 'abstract': only the title was read"
        yield Problem(document.name, line, reason)
    if "\ufffd" in title + abstract and _has_unstorable(record):
        reason = "invalid characters are replaced by U+FFFD"
        yield Problem(document.name, line, reason)
    published = None
    try:
        published = _date(record)
    except ValueError as error:
        yield Problem(document.name, line, f"{error}; the paper was read without a date")
    yield Paper(
        id=paper_id(title),
        title=title,
        abstract=abstract,
        author_count=_author_count(record),
        organization=_text(record.get("organization")) or None,
        links=_links(record, abstract),
        sources=(document.source(line, published, year),),
    )


def _text(value: object) -> str:
    """Return a text without outer whitespace, its paragraphs on a line each, not wrapped."""
    if not isinstance(value, str):
        return ""
    text = storable(value).strip()
    return _LINE_END.sub(_paragraph_end, text) if "\n" in text else text


def _paragraph_end(line_end: re.Match[str]) -> str:
    return "\n" if line_end[0].count("\n") > 1 else " "


def _has_unstorable(record: dict[str, Any]) -> bool:
    texts = [record[name] for name in ("title", "abstract") if isinstance(record.get(name), str)]
    return any(storable(text) != text for text in texts)


def _date(record: dict[str, Any]) -> PartialDate | None:
    for name in _DATES:
        value = record.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        text = f"{value:04}" if type(value) is int else str(value).strip()
        return PartialDate.parse(_TIME.sub("", text.replace("/", "-")))
    return None


def _author_count(record: dict[str, Any]) -> int | None:
    count, authors = record.get("author_count"), record.get("authors")
    if type(count) is int and 0 < count <= _MOST_AUTHORS:
        return count
    if isinstance(authors, list):
        return len(authors) or None
    if not isinstance(authors, str) or not authors.strip():
        return None
    names = authors.split(";") if ";" in authors else _NAMES.split(authors)
    return sum(bool(name.strip()) for name in names)


def _links(record: dict[str, Any], abstract: str) -> tuple[str, ...]:
    links = {*links_in(abstract)}
    for name in _LINKS.keys() & record.keys():
        values = record[name] if isinstance(record[name], list) else [record[name]]
        for value in values:
            if isinstance(value, str):
                links.update(links_in(value) or _LINKS[name](value))
    return tuple(sorted(links))
