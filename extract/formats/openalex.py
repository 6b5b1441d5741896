"""OpenAlex: works, as lines of its snapshot or answers of its API."""

import re
from typing import Any

from stemma.extract.formats.json_reader import fields, items, string
from stemma.extract.formats.json_records import RecordReader
from stemma.extract.formats.link import as_arxiv_id

_WORK = "https://openalex.org/"
_MOST_WORDS = 100_000


class OpenAlexReader(RecordReader):
    """Reads works, whose abstracts are inverted indexes."""

    name = "openalex"
    description = "OpenAlex works"
    fields = "identifiers, authors with ORCID and institutions, venue, referenced works"
    endings = ()
    marks = re.compile(
        r'"(?:id|openalex)"\s*:\s*"https://openalex\.org/[WI]|"abstract_inverted_index"'
    )

    def as_record(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a work in the names of fields that records have."""
        places = [
            fields(record.get("primary_location")),
            *map(fields, items(record.get("locations"))),
        ]
        addresses = [
            string(place.get(key)) for place in places for key in ("landing_page_url", "pdf_url")
        ]
        sources = [fields(place.get("source")) for place in places]
        proper = [each for each in sources if each.get("type") != "repository"]
        return {
            "title": string(record.get("title")) or string(record.get("display_name")),
            "abstract": _abstract(fields(record.get("abstract_inverted_index"))),
            "published": record.get("publication_date") or record.get("publication_year"),
            "authors": list(map(_author, items(record.get("authorships")))),
            "venue": next((each.get("display_name") for each in (*proper, *sources) if each), ""),
            "doi": record.get("doi"),
            "arxiv_id": next(filter(as_arxiv_id, addresses), None),
            "links": [string(record.get("id")), *addresses],
            "references": [
                f"openalex:{string(each).removeprefix(_WORK)}"
                for each in items(record.get("referenced_works"))
            ],
        }


def _abstract(index: dict[str, Any]) -> str:
    """Put the words of an inverted index in their places."""
    words = {
        place: word
        for word, places in index.items()
        for place in items(places)
        if type(place) is int and 0 <= place < _MOST_WORDS
    }
    return " ".join(words[place] for place in sorted(words))


def _author(value: object) -> dict[str, Any]:
    authorship = fields(value)
    person = fields(authorship.get("author"))
    institutions = map(fields, items(authorship.get("institutions")))
    places = [string(each.get("display_name")) for each in institutions]
    return {
        "name": string(person.get("display_name")) or string(authorship.get("raw_author_name")),
        "orcid": string(person.get("orcid")),
        "affiliation": "; ".join(filter(None, places)),
        "id": string(person.get("id")).replace(_WORK, "openalex:"),
    }
