"""Records: one paper as a mapping, with the names of fields that common data sets use.

They are rows of tables, and objects in JSON: also those of OpenAlex (lines of its snapshot, answers
of its API) and of Semantic Scholar (lines of its data sets, answers of its Graph API), and what
`stemma fetch` has fetched of these and others.
"""

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, ClassVar

from stemma.extract.formats.dates import is_date, most_precise
from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.link import ACL_ANTHOLOGY, PUBMED, as_arxiv_id, as_doi, doi_links
from stemma.extract.formats.person_name import (
    listed_names,
    name_of_parts,
    person_name,
    person_names,
)
from stemma.extract.formats.reader import Draft, Options, author
from stemma.extract.formats.xml_reader import AtomReader
from stemma.schema import Author, Reference
from stemma.schema.paper import IDENTIFIER, canonical_identifier
from stemma.schema.text_line import Line

_IDENTIFIERS = "id identifier identifiers external_ids pids"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    field: tuple(names.split())
    for field, names in {
        "title": "title article_title paper_title document_title ti display_name titles item_title",
        "subtitle": "subtitle",
        "abstract": "abstract abstract_note paper_abstract ab summary abstract_text summaries",
        "published": (
            "published publication_date date update_date year published_date publication_year "
            "pub_year date_published py published_at online_date release_date publish_time issued "
            "published_online published_print posted created pd"
        ),
        "authors": "author_full_names authors author author_names creators af au",
        "author_count": "author_count",
        "organization": "organization",
        "venue": (
            "venue journal journal_ref source_title publication_title journal_name "
            "container_title booktitle conference proceedings_title proceeding journal_title "
            "publication_name publication journal_book so"
        ),
        "doi": f"doi item_doi dois di {_IDENTIFIERS}",
        "arxiv_id": f"arxiv_id arxiv eprint {_IDENTIFIERS}",
        "links": "url link links pdf_url urls url_abs url_pdf ee",
        "notes": (
            "url link pdf_url url_abs ee note notes extra comment number volume "
            "archive_location howpublished publication_title journal source_title container_title"
        ),
        "references": "references reference bibliography cited_works",
    }.items()
}
"""The names of fields, in any case, with or without spaces and hyphens; the first counts."""
_DESCRIPTION = "description"
"""Used as the abstract only if there are authors: software and data have descriptions too."""
_WITHIN = ("value", "text", "title", "name", "display_name", "id", "url", "URL")
"""The fields of an object that may have its text."""
_YEAR = len("2021")
_MOST_AUTHORS = 1_000_000
_LISTED_NAME = re.compile(r"""'((?:[^'\\]|\\.){0,200})'|"((?:[^"\\]|\\.){0,200})\"""")
"""A name in a list as Python or JSON writes it into a column."""
_FAMILY_FIRST = {"authorfullnames", "authorsid", "af", "itemtype"}
"""Columns of tables of Scopus, the Web of Science and Zotero, which have ``Sand, Ann``."""
_FIRST_NAMES = ("first", "given", "firstname", "givenname", "givennames")
_LAST_NAMES = ("last", "family", "lastname", "familyname", "surname")
_PARTICLES = ("droppingparticle", "nondroppingparticle")
_WHOLE_NAMES = ("name", "displayname", "fullname", "text", "literal")
_PLACES_OF_WORK = ("affiliation", "affiliations", "institution")
_MAY_BE_LINKS = ("arxiv_id", "doi", "links")
_NO_NAME = re.compile(r"[^a-z0-9]+")


def record_draft(
    record: Mapping[str, Any], line: int, columns: Mapping[str, str] = MappingProxyType({})
) -> Draft:
    """Return the draft of a record, whose `columns` hold fields that their names do not say."""
    found = _fields(record, columns)
    family_first = not _FAMILY_FIRST.isdisjoint(map(_plain, record))
    listed = (_people(value, family_first) for value in found.get("authors", ()))
    authors = next(filter(None, listed), [])
    count = next(iter(found.get("author_count", ())), None)
    cited = next((each for each in found.get("references", ()) if isinstance(each, list)), [])
    dois = list(_texts(found.get("doi")))
    title, subtitle = _string(found, "title"), _string(found, "subtitle")
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    return Draft(
        line,
        title=title,
        abstract=_string(found, "abstract") or (_string(found, _DESCRIPTION) if authors else ""),
        published=_date(found.get("published")),
        authors=authors,
        author_count=count if type(count) is int and 0 < count <= _MOST_AUTHORS else None,
        organization=_string(found, "organization"),
        venue=_string(found, "venue"),
        doi=next((each for each in dois if any(map(as_doi, each.split()))), None),
        arxiv_id=next(filter(as_arxiv_id, _texts(found.get("arxiv_id"))), None),
        links=[
            *(text for link in _MAY_BE_LINKS for text in _texts(found.get(link))),
            *chain.from_iterable(map(doi_links, dois)),
        ],
        notes=list(_texts(found.get("notes"))),
        references=list(filter(None, map(_reference, cited))),
        untitled="no title: a paper needs a string under 'title'",
    )


def field_of(name: str) -> str | None:
    """Return the field that a column of this name holds, if it is known."""
    return next((field for _, field in _PLACES.get(_plain(name), ())), None)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return _NO_NAME.sub("", name.casefold())


_PLACES: dict[str, list[tuple[int, str]]] = {}
"""By the plain names of columns: the fields that they hold, and how likely before others."""
for _field, _names in {**COLUMNS, _DESCRIPTION: (_DESCRIPTION,)}.items():
    for _rank, _name_ in enumerate(map(_plain, _names)):
        _PLACES.setdefault(_name_, []).append((_rank, _field))


def _fields(record: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, list[Any]]:
    """Return the values of each field, the likeliest first."""
    ranked: dict[str, list[tuple[int, Any]]] = {}
    for name, value in record.items():
        if _is_given(value):
            for rank, field in _PLACES.get(_plain(name), ()):
                ranked.setdefault(field, []).append((rank, value))
    found = {
        field: [value for _, value in sorted(values, key=itemgetter(0))]
        for field, values in ranked.items()
    }
    for field, column in columns.items():
        found[field] = [record[column]] if _is_given(record.get(column)) else []
    return found


def _is_given(value: object) -> bool:
    return value is not None and value != ""


def _string(found: Mapping[str, list[Any]], field: str) -> str:
    return next(filter(str.strip, map(_text, found.get(field, ()))), "")


def _text(value: object, levels: int = 3) -> str:
    """Return the text of a value, of a list or an object the first that there is."""
    if isinstance(value, str):
        return value
    parts: Iterable[object] = ()
    if isinstance(value, dict):
        parts = (value[name] for name in _WITHIN if name in value)
    elif isinstance(value, list):
        parts = value
    return (
        next(filter(str.strip, (_text(part, levels - 1) for part in parts)), "") if levels else ""
    )


def _texts(values: list[Any] | None) -> Iterator[str]:
    """Yield the texts of the values of a field, and of all that lists and objects have."""
    for value in values or ():
        several = value.values() if isinstance(value, dict) else value
        yield from map(_text, several if isinstance(value, dict | list) else [value])


def _date(values: list[Any] | None) -> str | None:
    """Return the first date; if it is a year, a full date of that year; else the first value."""
    texts = [_date_text(value) for value in values or ()]
    first = next(filter(is_date, texts), next(iter(texts), None))
    if first is None or len(first) != _YEAR:
        return first
    in_full = (most_precise([text], first) or "" for text in texts)  # perhaps without its year
    return next((each for each in in_full if each.startswith(f"{first}-")), first)


def _date_text(value: object) -> str:
    if isinstance(value, dict):  # as in CSL-JSON
        parts = next(iter(items(value.get("date-parts"))), None)
        numbers = [str(item).zfill(2) for item in items(parts) if isinstance(item, int | str)]
        return "-".join(numbers[:3]) or string(value.get("raw")) or string(value.get("literal"))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:04}" if type(value) is int else str(value)


def _people(value: object, family_first: bool) -> list[Author]:
    """Return the authors in a value: names in a text, an object, or a list of either."""
    value = [value] if isinstance(value, dict) else value
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        names = (match[1] or match[2] or "" for match in _LISTED_NAME.finditer(value))
        value = [name.replace("\\", "") for name in names] or value
    if isinstance(value, str):
        return [author(name) for name in person_names(value, family_first)]
    authors: list[Author | None] = []
    for each in value if isinstance(value, list) else ():
        if isinstance(each, str):
            parted = "," in each or ";" in each
            authors += map(author, listed_names([each]) if parted else [each])
        else:
            authors.append(_author(each))
    return [each for each in authors if each]


def _author(value: object) -> Author | None:
    if not isinstance(value, dict):
        return None
    own = {_plain(str(key)): each for key, each in value.items()}
    names = {key: each for key, each in own.items() if isinstance(each, str)}
    name = _name(own, names)
    places = [own[each] for each in _PLACES_OF_WORK if own.get(each)]
    affiliation = "; ".join(filter(None, _texts(places[:1])))
    return author(name, names.get("orcid"), affiliation, names.get("id")) if name else None


def _name(own: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the name of a person from its parts, or else the whole name."""
    first, last, whole = (
        next((names[key] for key in keys if names.get(key)), "")
        for keys in (_FIRST_NAMES, _LAST_NAMES, _WHOLE_NAMES)
    )
    if not (first and last):
        return person_name(whole or last)
    middle = own.get("middle")
    between = [each for each in middle if isinstance(each, str)] if isinstance(middle, list) else []
    between += [names.get(particle, "") for particle in _PARTICLES]
    return name_of_parts(first, last, names.get("suffix", ""), " ".join(filter(None, between)))


def _reference(value: object) -> Reference | None:
    if isinstance(value, str):
        id_ = registered(value)
        return Reference(id_) if id_ else Reference(None, value)
    if not isinstance(value, dict):
        return None
    names = {_plain(str(key)): each for key, each in value.items() if isinstance(each, str)}
    given = (names[key] for key in ("doi", "arxivid", "arxiv", "id") if key in names)
    titles = (names.get(key) for key in ("title", "articletitle", "volumetitle"))
    id_ = next(filter(None, map(registered, given)), None)
    return Reference(id_, next(filter(None, titles), None))


def registered(text: str) -> str | None:
    """Return the id that a text is, with the name of its registry."""
    if doi := as_doi(text):
        return f"doi:{doi}"
    if arxiv := as_arxiv_id(text):
        return f"arxiv:{arxiv}"
    return text if IDENTIFIER.fullmatch(text) else None


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

    def drafts_of(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Draft]:
        """Read an object, unless it is a file or a note beside the papers of a Zotero library."""
        if record.get("itemType") not in ("attachment", "note", "annotation"):
            yield self.draft(line, record, options)

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
        parsed = (_parsed_author(*items(item)) for item in items(record.get("authors_parsed")))
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
        proper = [source for source in sources if source.get("type") != "repository"]
        venues = (string(each.get("display_name")) for each in (*proper, *sources))
        authors = map(_openalex_author, map(fields, items(record.get("authorships"))))
        works = (_short(string(item)) for item in items(record.get("referenced_works")))
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
    places = (fields(item).get("display_name") for item in items(authorship.get("institutions")))
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
            venue=next((name for venue in venues if (name := _named(venue))), ""),
            doi=identifiers.get("DOI"),
            arxiv_id=identifiers.get("ArXiv"),
            links=list(map(string, links)),
            references=[_cited(fields(item)) for item in items(record.get("references"))],
        )


def _named(value: object) -> str:
    return string(fields(value).get("name")) or string(value)


def _s2_author(person: dict[str, Any]) -> Author:
    places = (_named(item) for item in items(person.get("affiliations")))
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


def _cited(paper: dict[str, Any]) -> Reference:
    identifiers = _external_ids(paper)
    ids = (f"{name}:{identifiers[key]}" for key, name in _REGISTRIES.items() if key in identifiers)
    known = filter(None, map(registered, ids))
    return Reference(next(known, None), string(paper.get("title")))


def _annotated(content: dict[str, Any], field: str) -> str:
    """Return the passage of an S2ORC text that is annotated as a field."""
    text = string(content.get("text"))
    try:
        passages = json.loads(string(fields(content.get("annotations")).get(field)) or "[]")
        found = [(int(passage["start"]), int(passage["end"])) for passage in passages]
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
