"""CSL-JSON, which Zotero and others export; Crossref's works are almost the same."""

import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.markup import without_markup
from stemma.schema.paper import Author, Reference

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
        number = string(record.get("number")) or string(record.get("note"))
        yield Draft(
            line,
            title=without_markup(_first(record.get("title"))),
            abstract=without_markup(string(record.get("abstract"))),
            published=next(
                filter(None, (_date(fields(record.get(each))) for each in _DATES)), None
            ),
            authors=[found for each in items(record.get("author")) if (found := _author(each))],
            venue=without_markup(_first(record.get("container-title"))),
            doi=string(record.get("DOI")),
            arxiv_id=number if number.casefold().startswith("arxiv:") else links[0],
            links=links,
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


def _author(value: object) -> Author | None:
    own = fields(value)
    parts = (own.get(each) for each in ("given", "non-dropping-particle", "dropping-particle"))
    name = " ".join(filter(None, (*map(string, parts), string(own.get("family")))))
    name = " ".join(filter(None, (name, string(own.get("suffix")))))
    name = name or string(own.get("literal")) or string(own.get("name"))
    places = [string(fields(each).get("name")) for each in items(own.get("affiliation"))]
    orcid = string(own.get("ORCID"))
    return author(name, orcid, "; ".join(filter(None, places))) if name.strip() else None


def _reference(value: dict[str, Any]) -> Reference:
    title = string(value.get("article-title")) or string(value.get("volume-title"))
    return reference(title, string(value.get("DOI")))
