"""CSL-JSON, which Zotero and others export; Crossref's works are almost the same."""

import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.person_name import listed_names, name_of_parts
from stemma.schema.paper import Author, Reference

_NOTES = ("number", "note", "volume", "archive_location", "container-title")
"""Where an arXiv id may stand, besides the address."""
_DATES = ("published", "issued", "published-online", "published-print", "posted", "created")


class CslReader(JsonReader):
    """Reads items, whose titles are lists in Crossref's works."""

    name = "csl"
    description = "CSL-JSON (Zotero, Crossref)"
    fields = "DOI, authors with ORCID, venue, references"
    endings = ("csljson",)
    marks = re.compile(
        r'"date-parts"\s*:|"container-title(?:-short)?"\s*:|"message-type"\s*:\s*"work'
        r'|"type"\s*:\s*"(?:article-journal|paper-conference)"'
    )

    def drafts(self, line: int, record: dict[str, Any]) -> Iterator[Draft]:
        """Make a draft of an item."""
        links = [string(record.get("URL"))]
        links += [string(fields(each).get("URL")) for each in items(record.get("link"))]
        title, subtitle = (
            without_markup(_first(record.get(each))) for each in ("title", "subtitle")
        )
        if subtitle and subtitle.casefold() not in title.casefold():
            title = f"{title}: {subtitle}"
        yield Draft(
            line,
            title=title,
            abstract=without_markup(string(record.get("abstract"))),
            published=next(
                filter(None, (_date(fields(record.get(each))) for each in _DATES)), None
            ),
            authors=list(map(_author, items(record.get("author")))),
            venue=without_markup(_first(record.get("container-title"))),
            doi=string(record.get("DOI")),
            links=links,
            notes=[links[0], *(_first(record.get(each)) for each in _NOTES)],
            references=[_reference(fields(each)) for each in items(record.get("reference"))],
        )


def _first(value: object) -> str:
    return string(next(iter(value), "")) if isinstance(value, list) else string(value)


def _date(value: dict[str, Any]) -> str | None:
    parts = next(iter(items(value.get("date-parts"))), None)
    try:
        numbers = [int(each) for each in items(parts) if each]
    except (ValueError, TypeError):
        return None
    if numbers:
        return "-".join([f"{numbers[0]:04}", *(f"{each:02}" for each in numbers[1:3])])
    return string(value.get("raw")) or string(value.get("literal")) or None


def _author(value: object) -> Author:
    own = {key: string(each) for key, each in fields(value).items()}
    particles = (own.get(f"{each}-particle", "") for each in ("non-dropping", "dropping"))
    parts = (own.get("given", ""), own.get("family", ""), own.get("suffix", ""))
    name = name_of_parts(*parts, " ".join(filter(None, particles)))
    name = name or " ".join(listed_names([own.get("literal") or own.get("name") or ""])[:1])
    places = [string(fields(each).get("name")) for each in items(fields(value).get("affiliation"))]
    return author(name, own.get("ORCID"), "; ".join(filter(None, places)))


def _reference(value: dict[str, Any]) -> Reference:
    title = string(value.get("article-title")) or string(value.get("volume-title"))
    return reference(title, string(value.get("DOI")))
