"""Records: one paper as a mapping, by whatever names its fields go in common data sets."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from stemma.extract.formats.body import Body
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, in_order, one_line
from stemma.extract.formats.link import arxiv_links, as_arxiv_id, as_doi, doi_links, links_in
from stemma.extract.formats.names import split_names
from stemma.extract.formats.reader import Options
from stemma.schema.paper import AUTHOR_ID, IDENTIFIER, Author, Paper, Reference
from stemma.schema.problem import Problem

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": (
        "title",
        "article_title",
        "paper_title",
        "document_title",
        "ti",
        "display_name",
        "titles",
    ),
    "abstract": (
        *("abstract", "abstract_note", "paper_abstract", "ab", "summary", "abstract_text"),
        *("abstracts", "summaries"),
    ),
    "published": (
        *("published", "publication_date", "date", "update_date", "year", "published_date"),
        *("publication_year", "pub_year", "created", "date_published", "py", "published_at"),
        *("publishedat", "publicationdate", "datepublished", "online_date", "release_date"),
    ),
    "authors": ("author_full_names", "authors", "author", "author_names", "creators", "au"),
    "author_count": ("author_count",),
    "organization": ("organization",),
    "venue": (
        *("venue", "journal", "journal_ref", "source_title", "publication_title", "journal_name"),
        *("container_title", "booktitle", "conference"),
    ),
    "doi": ("doi",),
    "arxiv_id": ("arxiv_id", "arxiv", "eprint", "id"),
    "links": ("url", "link", "links", "pdf_url", "urls"),
    "references": ("references", "bibliography", "cited_works"),
}
"""The names that fields go by, in any case, with spaces or hyphens too; the first counts."""
_MOST_AUTHORS = 1_000_000
_AUTHOR_NUMBER = re.compile(r" ?\(\d{6,}\)(?=\s*(?:;|$))")
"""That of Scopus, after a name."""
_NO_NAME = re.compile(r"[^a-z0-9]+")


def read_record(
    record: Mapping[str, Any],
    line: int,
    document: Document,
    options: Options,
    body: Body | None = None,
) -> Iterator[Paper | Problem]:
    """Read the record that begins at `line`; unknown fields are ignored.

    It needs a title. What is wrong with another field is a problem, and the rest is read.
    """
    found = _fields(record, options.columns)
    title, abstract = _string(found, "title"), _string(found, "abstract")
    if title.strip() and not abstract.strip():
        reason = "no string under 'abstract': only the title was read"
        yield Problem(document.name, line, reason)
    authors = _authors(found.get("authors"))
    yield from Draft(
        line,
        title=title,
        abstract=abstract,
        published=_date(found.get("published")),
        authors=authors,
        author_count=_count(found),
        organization=_string(found, "organization"),
        venue=_string(found, "venue"),
        doi=_string(found, "doi"),
        arxiv_id=_string(found, "arxiv_id"),
        links=_links(found),
        references=[*_references(found), *(body.references.values() if body else ())],
        untitled="no title: a paper needs a string under 'title'",
        body=body,
    ).read(document, options.year)


def field_of(name: str) -> str | None:
    """Return the field that a column of this name holds, if it is known."""
    plain = _plain(name)
    return next((field for field, names in COLUMNS.items() if plain in names), None)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return _NO_NAME.sub("_", name.casefold()).strip("_")


def _fields(record: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, list[Any]]:
    """Return the values of each field, the likeliest first."""
    plain = {_plain(name): value for name, value in record.items() if _says_something(value)}
    found = {
        field: values
        for field, names in COLUMNS.items()
        if (values := [plain[name] for name in names if name in plain])
    }
    for field, column in columns.items():
        found[field] = [record[column]] if _says_something(record.get(column)) else []
    return found


def _says_something(value: object) -> bool:
    return value is not None and value != ""


def _string(found: Mapping[str, list[Any]], field: str) -> str:
    for value in found.get(field, ()):
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            return str(value["name"])
    return ""


def _date(values: list[Any] | None) -> str | None:
    if not values:
        return None
    value = values[0]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:04}" if type(value) is int else str(value)


def _count(found: Mapping[str, list[Any]]) -> int | None:
    count = next(iter(found.get("author_count", ())), None)
    return count if type(count) is int and 0 < count <= _MOST_AUTHORS else None


def _authors(values: list[Any] | None) -> list[Author]:
    if not values:
        return []
    value = values[0]
    if isinstance(value, str):
        value = _AUTHOR_NUMBER.sub("", value)
        parted = ";" in value
        return [author(in_order(each) if parted else each) for each in split_names(value)]
    if not isinstance(value, list):
        return []
    return [found for each in value if (found := _author(each))]


def _author(value: object) -> Author | None:
    if isinstance(value, str):
        return author(in_order(value)) if value.strip() else None
    if not isinstance(value, dict):
        return None
    names = {_plain(str(key)): each for key, each in value.items() if isinstance(each, str)}
    first = names.get("first") or names.get("given") or names.get("firstname") or ""
    last = names.get("last") or names.get("family") or names.get("lastname") or ""
    name = names.get("name") or names.get("display_name") or one_line(f"{first} {last}")
    affiliation = names.get("affiliation") or names.get("institution")
    id_ = names.get("id", "")
    known = id_ if AUTHOR_ID.fullmatch(id_) else None
    return author(name, names.get("orcid"), affiliation, known) if name.strip() else None


def _references(found: Mapping[str, list[Any]]) -> list[Reference]:
    """Return the works that a list names: by DOI, arXiv id, id of a registry, or title."""
    listed = next((each for each in found.get("references", ()) if isinstance(each, list)), [])
    return [made for each in listed if (made := _reference(each))]


def _reference(value: object) -> Reference | None:
    if isinstance(value, str):
        id_ = _registered(value)
        return Reference(id_) if id_ else Reference(None, value)
    if not isinstance(value, dict):
        return None
    names = {_plain(str(key)): each for key, each in value.items() if isinstance(each, str)}
    given = (names[key] for key in ("doi", "arxiv_id", "arxiv", "id") if key in names)
    return Reference(next(filter(None, map(_registered, given)), None), names.get("title"))


def _registered(text: str) -> str | None:
    """Return the id that a text is, with the name of its registry."""
    if doi := as_doi(text):
        return f"doi:{doi}"
    if arxiv := as_arxiv_id(text):
        return f"arxiv:{arxiv}"
    return text if IDENTIFIER.fullmatch(text) else None


def _links(found: Mapping[str, list[Any]]) -> list[str]:
    """Return addresses; a field of identifiers may hold several, or addresses."""
    links: list[str] = []
    for field, values in found.items():
        if field not in ("links", "arxiv_id", "doi"):
            continue
        for value in values:
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str):
                    as_links = arxiv_links if field == "arxiv_id" else doi_links
                    links += links_in(each) or (as_links(each) if field != "links" else ())
    return links
