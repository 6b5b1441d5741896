"""Records: objects in JSON, with the names of fields that common data sets use.

Also those of OpenAlex (lines of its snapshot, answers of its API) and of Semantic Scholar (lines of
its data sets, answers of its Graph API), and what `stemma fetch` has fetched of these and others.
"""

import datetime
import json
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.format_reader import Options
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.link import ACL_ANTHOLOGY, PUBMED, as_arxiv_id, as_doi, doi_links
from stemma.extract.formats.person_name import name_of_parts, person_name, person_names
from stemma.extract.formats.record import field_of, record_draft, registered
from stemma.extract.formats.xml_reader import AtomReader
from stemma.schema import Author, Reference
from stemma.schema.paper import canonical_identifier
from stemma.schema.text_line import Line

_LAST_MILLISECOND = 4_102_444_800_000
"""The end of 2099, as a date in JSON."""
_MOST_WORDS = 100_000
_ADDRESSES = {
    "CorpusId": "https://api.semanticscholar.org/CorpusID:",
    "ACL": ACL_ANTHOLOGY,
    "DBLP": "https://dblp.org/rec/",
    "PubMed": PUBMED,
}
_ORCID = re.compile(r"(?<!\d)\d{4}-\d{4}-\d{4}-\d{3}[\dX](?!\d)")
_VERSION = re.compile(r"v[0-9]+")
_REGISTRIES = {"DOI": "doi", "ArXiv": "arxiv", "ACL": "acl", "CorpusId": "corpusid"}
"""By what a reference of Semantic Scholar is named, the first that it has."""


class RecordReader(JsonReader):
    """Reads objects that have a title."""

    name = "json"
    description = "JSON"
    fields = (
        "objects in lines or arrays: `title`, `abstract`, and if known `published`, `authors`, "
        "`venue`, `doi`, `links` …; notes of OpenReview"
    )
    endings: ClassVar[tuple[str, ...]] = ("jsonl", "ndjson", "json")
    marks = re.compile(r'"title"\s*:', re.I)

    def draft(self, line: int, record: dict[str, Any], options: Options) -> Draft:
        """Make a draft of the paper that an object is, or that it has within."""
        paper = fields(record.get("paper"))  # in the answers of Hugging Face
        if string(paper.get("title")):
            record = paper
        elif "title" in fields(record.get("content")) and not any(
            value and field_of(name) == "title" for name, value in record.items()
        ):
            record = _note(record)
        return record_draft(record, line, options.columns)


class CslReader(RecordReader):
    """Reads CSL-JSON, which Zotero and others export; Crossref's works are almost the same."""

    name = "csl"
    description = "CSL-JSON (Zotero, Crossref)"
    fields = "DOI, arXiv id, authors with ORCID, venue, references"
    endings = ("csljson",)
    marks = re.compile(
        r'"date-parts"\s*:|"container-title(?:-short)?"\s*:|"message-type"\s*:\s*"work'
        r'|"type"\s*:\s*"(?:article-journal|paper-conference)"'
    )


def _note(record: dict[str, Any]) -> dict[str, Any]:
    """Return the paper that a note of OpenReview holds, by either version of its API."""
    note = {
        name: value["value"] if isinstance(value, dict) and "value" in value else value
        for name, value in record["content"].items()
    }
    created = record.get("cdate")
    if type(created) is int and 0 < created < _LAST_MILLISECOND:
        day = datetime.datetime.fromtimestamp(created / 1000, datetime.UTC).date()
        note["published"] = day.isoformat()
    if forum := string(record.get("forum")) or string(record.get("id")):
        note["url"] = f"https://openreview.net/forum?id={forum}"
    return note


class ArxivSnapshotReader(JsonReader):
    """Reads the metadata snapshot, an object a line (``arxiv-metadata-oai-snapshot.json``)."""

    name = "arxiv"
    description = "arXiv's metadata snapshot"
    fields = "identifier with version, DOI, authors, date of the first version, journal"
    marks = re.compile(r'"authors_parsed"\s*:|"versions"\s*:\s*\[\s*\{\s*"version"')

    def drafts_of(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Draft]:
        """Read a record, if it is wanted: a few of millions are often taken from this file."""
        if options.wanted is None or not options.wanted.isdisjoint(_identifiers(record)):
            yield self.draft(line, record, options)

    def draft(self, line: int, record: dict[str, Any], options: Options) -> Draft:
        """Make a draft: the first version has the date, and the last is the one described."""
        if "title" not in record:
            record = fields(record.get("metadata"))  # in unarXive, next to the full text
        versions = list(map(fields, items(record.get("versions")))) or [{}]
        last = string(versions[-1].get("version"))
        number = last if _VERSION.fullmatch(last) else ""
        parsed = (_parsed_author(*items(each)) for each in items(record.get("authors_parsed")))
        return Draft(
            line,
            title=string(record.get("title")),
            abstract=string(record.get("abstract")),
            published=string(versions[0].get("created")) or string(record.get("update_date")),
            authors=list(filter(None, parsed))
            or list(map(author, person_names(string(record.get("authors"))))),
            venue=string(record.get("journal-ref")),
            doi=string(record.get("doi")),
            arxiv_id=f"{record.get('id') or ''}{number}",
            links=list(doi_links(string(record.get("doi")))),
        )


def _parsed_author(
    family: object = "", given: object = None, suffix: object = "", *places: object
) -> Author | None:
    if not isinstance(given, str):
        return None
    parts = name_of_parts(given, string(family), string(suffix))
    return author(parts, None, "; ".join(filter(None, map(string, places)))) if parts else None


def _identifiers(record: dict[str, Any]) -> Iterator[str]:
    if arxiv_id := as_arxiv_id(str(record.get("id") or record.get("paper_id") or "")):
        yield canonical_identifier(f"arxiv:{arxiv_id}")
    for each in string(record.get("doi")).split():
        if doi := as_doi(each):
            yield canonical_identifier(f"doi:{doi}")


class OpenAlexReader(JsonReader):
    """Reads works, whose abstracts are inverted indexes."""

    name = "openalex"
    description = "OpenAlex works"
    fields = "identifiers, authors with ORCID and institutions, venue, referenced works"
    marks = re.compile(
        r'"(?:id|openalex)"\s*:\s*"https://openalex\.org/[WI]|"abstract_inverted_index"'
    )

    def draft(self, line: int, record: dict[str, Any], options: Options) -> Draft:
        """Make a draft of a work."""
        places = [
            fields(record.get("primary_location")),
            *map(fields, items(record.get("locations"))),
        ]
        addresses = [
            string(place.get(key)) for place in places for key in ("landing_page_url", "pdf_url")
        ]
        sources = [fields(place.get("source")) for place in places]
        proper = [each for each in sources if each.get("type") != "repository"]
        venues = (string(each.get("display_name")) for each in (*proper, *sources))
        authors = map(_openalex_author, map(fields, items(record.get("authorships"))))
        works = (_short(string(each)) for each in items(record.get("referenced_works")))
        return Draft(
            line,
            title=string(record.get("title")) or string(record.get("display_name")),
            abstract=_in_order(fields(record.get("abstract_inverted_index"))),
            published=str(record.get("publication_date") or record.get("publication_year") or ""),
            authors=[each for each in authors if each.name],
            venue=next(filter(None, venues), ""),
            doi=string(record.get("doi")),
            arxiv_id=next(filter(as_arxiv_id, addresses), None),
            links=[string(record.get("id")), *addresses],
            references=list(map(Reference, map(registered, works))),
        )


def _openalex_author(authorship: dict[str, Any]) -> Author:
    person = fields(authorship.get("author"))
    places = (fields(each).get("display_name") for each in items(authorship.get("institutions")))
    return author(
        person_name(string(person.get("display_name"))),
        string(person.get("orcid")),
        "; ".join(filter(None, map(string, places))),
        _short(string(person.get("id"))),
    )


def _short(id_: str) -> str:
    return id_.replace("https://openalex.org/", "openalex:")


def _in_order(index: dict[str, Any]) -> str:
    """Put the words of an inverted index in their places."""
    words = {
        place: word
        for word, places in index.items()
        for place in items(places)
        if type(place) is int and 0 <= place < _MOST_WORDS
    }
    return " ".join(words[place] for place in sorted(words))


class SemanticScholarReader(JsonReader):
    """Reads papers of the data sets, whose keys are in lower case, and of the API."""

    name = "s2"
    description = "Semantic Scholar (data sets, Graph API)"
    fields = "corpus id and external identifiers, authors, venue, references"
    marks = re.compile(r'"(?:paperId|corpusid|externalIds|externalids|citedPaper)"\s*:')

    def draft(self, line: int, record: dict[str, Any], options: Options) -> Draft:
        """Make a draft of a paper, or that of a citation."""
        for end in ("citedPaper", "citingPaper"):
            record = fields(record.get(end)) or record
        content = fields(record.get("content"))
        identifiers = _external_ids(record)
        dates = (record.get(each) for each in ("publicationDate", "publicationdate", "year"))
        venues = (record.get(each) for each in ("venue", "journal", "publicationVenue"))
        authors = map(_s2_author, map(fields, items(record.get("authors"))))
        links = [record.get("url"), fields(record.get("openAccessPdf")).get("url")]
        links += [
            f"{_ADDRESSES[key]}{identifiers[key]}" for key in _ADDRESSES if key in identifiers
        ]
        return Draft(
            line,
            title=string(record.get("title")) or _annotated(content, "title"),
            abstract=string(record.get("abstract")) or _annotated(content, "abstract"),
            published=str(next(filter(None, dates), "")),
            authors=[each for each in authors if each.name],
            venue=next((name for each in venues if (name := _name(each))), ""),
            doi=identifiers.get("DOI"),
            arxiv_id=identifiers.get("ArXiv"),
            links=list(map(string, links)),
            references=[_reference(fields(each)) for each in items(record.get("references"))],
        )


def _name(value: object) -> str:
    return string(fields(value).get("name")) or string(value)


def _s2_author(person: dict[str, Any]) -> Author:
    places = (_name(each) for each in items(person.get("affiliations")))
    id_ = person.get("authorId") or person.get("authorid")
    orcid = _ORCID.search(str(person.get("externalIds") or ""))
    return author(
        person_name(string(person.get("name"))),
        orcid[0] if orcid else None,
        "; ".join(filter(None, places)),
        f"s2:{id_ or ''}",
    )


def _external_ids(record: dict[str, Any]) -> dict[str, str]:
    found = fields(record.get("externalIds")) or fields(record.get("externalids"))
    corpus = record.get("corpusId") or record.get("corpusid")
    return {
        key: str(value)
        for key, value in {**found, "CorpusId": found.get("CorpusId") or corpus}.items()
        if isinstance(value, str | int) and value
    }


def _reference(paper: dict[str, Any]) -> Reference:
    identifiers = _external_ids(paper)
    ids = (f"{name}:{identifiers[key]}" for key, name in _REGISTRIES.items() if key in identifiers)
    known = filter(None, map(registered, ids))
    return Reference(next(known, None), string(paper.get("title")))


def _annotated(content: dict[str, Any], field: str) -> str:
    """Return the passage of an S2ORC text that is annotated as a field."""
    text = string(content.get("text"))
    try:
        passages = json.loads(string(fields(content.get("annotations")).get(field)) or "[]")
        found = [(int(each["start"]), int(each["end"])) for each in passages]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return "\n\n".join(text[start:end] for start, end in found if 0 <= start < end)


_JSON = {each.name: each for each in (OpenAlexReader, CslReader, SemanticScholarReader)}


class FetchedReader(JsonReader):
    """Reads lines that each hold a record of arXiv or OpenAlex, with the reader of it."""

    name = "fetched"
    description = "what `stemma fetch` writes"
    fields = "unmodified records of arXiv and OpenAlex"
    marks = re.compile(r'\{\s*"fetched"\s*:')
    only_lines = True

    def drafts_of(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Draft]:
        """Read a record as the reader of its service does."""
        own = record.get("record")
        if record.get("reader") == AtomReader.name and isinstance(own, str):
            yield from AtomReader().drafts_in(Line(line, own), document)
        elif record.get("reader") in _JSON and isinstance(own, dict):
            yield from _JSON[record["reader"]]().drafts_of(line, own, document, options)
        else:
            document.note("not a record of `stemma fetch`", line, skipped=True)
