"""OpenAlex: works, as lines of its snapshot or answers of its API."""

import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.link import as_arxiv_id
from stemma.extract.formats.markup import without_markup
from stemma.schema.paper import Author, Reference

_WORK = "https://openalex.org/"
_MOST_WORDS = 100_000


class OpenAlexReader(JsonReader):
    """Reads works, whose abstracts are inverted indexes."""

    name = "openalex"
    description = "OpenAlex works"
    fields = "identifiers, authors with ORCID and institutions, venue, referenced works"
    marks = re.compile(
        r'"(?:id|openalex)"\s*:\s*"https://openalex\.org/[WI]|"abstract_inverted_index"'
    )

    def drafts(self, line: int, record: dict[str, Any]) -> Iterator[Draft]:
        """Make a draft of a work; an answer's other objects are none."""
        identifier = string(record.get("id"))
        places = [
            fields(record.get("primary_location")),
            *map(fields, items(record.get("locations"))),
        ]
        addresses = [
            string(place.get(key)) for place in places for key in ("landing_page_url", "pdf_url")
        ]
        yield Draft(
            line,
            title=without_markup(string(record.get("title")) or string(record.get("display_name"))),
            abstract=without_markup(_abstract(fields(record.get("abstract_inverted_index")))),
            published=string(record.get("publication_date")) or _year(record),
            authors=[
                found for each in items(record.get("authorships")) if (found := _author(each))
            ],
            venue=_venue(places),
            doi=string(record.get("doi")),
            arxiv_id=next(filter(as_arxiv_id, addresses), None),
            links=[identifier, *addresses],
            references=[
                Reference(f"openalex:{each.removeprefix(_WORK)}")
                for each in items(record.get("referenced_works"))
                if isinstance(each, str) and re.fullmatch(r"\S+", each)
            ],
        )


def _abstract(index: dict[str, Any]) -> str:
    """Put the words of an inverted index in their places."""
    words = {
        place: word
        for word, places in index.items()
        for place in items(places)
        if type(place) is int and 0 <= place < _MOST_WORDS
    }
    return " ".join(words[place] for place in sorted(words))


def _author(value: object) -> Author | None:
    authorship = fields(value)
    person = fields(authorship.get("author"))
    name = string(person.get("display_name")) or string(authorship.get("raw_author_name"))
    if not name.strip():
        return None
    institutions = [
        string(fields(each).get("display_name")) for each in items(authorship.get("institutions"))
    ]
    number = re.fullmatch(r"https://openalex\.org/(A\d{1,20})", string(person.get("id")))
    return author(
        name,
        string(person.get("orcid")),
        "; ".join(filter(None, institutions)),
        f"openalex:{number[1]}" if number else None,
    )


def _venue(places: list[dict[str, Any]]) -> str:
    """Return the first place that is not a repository, else any."""
    sources = [fields(place.get("source")) for place in places]
    proper = [each for each in sources if each.get("type") != "repository"]
    return next((string(each.get("display_name")) for each in (*proper, *sources) if each), "")


def _year(record: dict[str, Any]) -> str:
    year = record.get("publication_year")
    return f"{year:04}" if type(year) is int else ""
