"""Records: one paper as a mapping, with the names of fields that common data sets use.

They are rows of tables, front matter, tags of pages, and objects in JSON. Those of a few services
have fields of their own, which are given the usual names first.
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

from stemma.extract.formats.dates import first_date
from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import fields, items, objects, string
from stemma.extract.formats.link import (
    ACL_ANTHOLOGY,
    PUBMED,
    as_arxiv_id,
    as_doi,
    as_identifier,
    doi_links,
)
from stemma.extract.formats.person_name import (
    listed_names,
    name_of_parts,
    person_name,
    person_names,
)
from stemma.extract.formats.reader import Draft, DraftReader, Options, author
from stemma.extract.formats.xml_reader import AtomReader
from stemma.schema import Author, Reference
from stemma.schema.paper import IDENTIFIER
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
            "publication_venue publication_name publication journal_book so"
        ),
        "doi": f"doi item_doi dois di {_IDENTIFIERS}",
        "arxiv_id": f"arxiv_id arxiv eprint {_IDENTIFIERS}",
        "links": "url link links pdf_url urls url_abs url_pdf ee",
        "notes": (
            "url link pdf_url url_abs ee note notes extra comment number volume "
            "archive_location howpublished publication_title journal source_title container_title"
        ),
        "files": "file_attachments",
        "references": "references reference bibliography cited_works referenced_works",
    }.items()
}
"""The names of fields, in any case, with or without spaces and hyphens; the first counts."""
_DESCRIPTION = "description"
"""Used as the abstract only if there are authors: software and data have descriptions too."""
_WITHIN = ("value", "text", "title", "name", "display_name", "id", "url", "URL")
"""The fields of an object that may have its text."""
_MOST_AUTHORS = 1_000_000
_LISTED_NAME = re.compile(r"""'((?:[^'\\]|\\.){0,200})'|"((?:[^"\\]|\\.){0,200})\"""")
"""A name in a list as Python or JSON writes it into a column."""
_FAMILY_FIRST = {"authorfullnames", "authorsid", "af", "itemtype"}
"""Columns of tables of Scopus, the Web of Science and Zotero, which have ``Sand, Ann``."""
_FIRST_NAMES = ("first", "given", "firstname", "givenname", "givennames")
_LAST_NAMES = ("last", "family", "lastname", "familyname", "surname")
_PARTICLES = ("droppingparticle", "nondroppingparticle")
_WHOLE_NAMES = ("name", "displayname", "fullname", "text", "literal")
_PLACES_OF_WORK = ("affiliation", "affiliations", "institution", "institutions")
_OPENALEX = ("https://openalex.org/", "openalex:")
"""How an address of OpenAlex begins, and the identifier that it is."""
_REGISTRIES = {
    **dict.fromkeys(("doi", "arxivid", "arxiv"), ""),
    **{"acl": "acl:", "corpusid": "corpusid:", "id": ""},
}
"""The fields with the identifier of a cited work, the surest first, and what is put before it."""
_MAY_BE_LINKS = ("arxiv_id", "links")
_NO_NAME = re.compile(r"[^a-z0-9]+")


def record_draft(
    record: Mapping[str, Any], line: int, columns: Mapping[str, str] = MappingProxyType({})
) -> Draft:
    """Return the draft of a record, whose `columns` hold fields that their names do not say."""
    values = _fields(record, columns)
    family_first = not _FAMILY_FIRST.isdisjoint(map(_plain, record))
    listed = (_people(value, family_first) for value in values.get("authors", ()))
    authors = next(filter(None, listed), [])
    count = next(iter(values.get("author_count", ())), None)
    cited = next((works for works in values.get("references", ()) if isinstance(works, list)), [])
    dois = list(_texts(values.get("doi")))
    title, subtitle = _string(values, "title"), _string(values, "subtitle")
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    return Draft(
        line,
        title=title,
        abstract=_string(values, "abstract") or (_string(values, _DESCRIPTION) if authors else ""),
        published=first_date(map(_date_text, values.get("published", ()))),
        authors=authors,
        author_count=count if type(count) is int and 0 < count <= _MOST_AUTHORS else None,
        organization=_string(values, "organization"),
        venue=_string(values, "venue"),
        doi=next((text for text in dois if any(map(as_doi, text.split()))), None),
        arxiv_id=next(filter(as_arxiv_id, _texts(values.get("arxiv_id"))), None),
        links=[
            *(text for link in _MAY_BE_LINKS for text in _texts(values.get(link))),
            *chain.from_iterable(map(doi_links, dois)),
        ],
        notes=list(_texts(values.get("notes"))),
        references=list(filter(None, map(_reference, cited))),
        files=list(_texts(values.get("files"))),
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
    likeliest = {
        field: [value for _, value in sorted(values, key=itemgetter(0))]
        for field, values in ranked.items()
    }
    for field, column in columns.items():
        likeliest[field] = [record[column]] if _is_given(record.get(column)) else []
    return likeliest


def _is_given(value: object) -> bool:
    return value is not None and value != ""


def _string(values: Mapping[str, list[Any]], field: str) -> str:
    return next(filter(str.strip, map(_text, values.get(field, ()))), "")


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
    for person in value if isinstance(value, list) else ():
        if isinstance(person, str):
            parted = "," in person or ";" in person
            authors += map(author, listed_names([person]) if parted else [person])
        else:
            authors.append(person if isinstance(person, Author) else _author(person))
    return [person for person in authors if person]


def _author(value: object) -> Author | None:
    """Return the author that an object describes; None if it names none."""
    if not isinstance(value, dict):
        return None
    parts = {**value, **fields(value.get("author"))}  # in an authorship of OpenAlex
    parts = {_plain(str(key)): part for key, part in parts.items()}
    names = {key: part for key, part in parts.items() if isinstance(part, str)}
    name = _name(parts, names)
    places = [parts[key] for key in _PLACES_OF_WORK if parts.get(key)]
    affiliation = "; ".join(filter(None, _texts(places[:1])))
    orcid = names.get("orcid") or string(fields(parts.get("externalids")).get("ORCID"))
    id_ = f"s2:{names['authorid']}" if "authorid" in names else names.get("id", "")
    return author(name, orcid, affiliation, id_.replace(*_OPENALEX)) if name else None


def _name(parts: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the name of a person from its parts, or else the whole name."""
    first, last, whole = (
        next((names[key] for key in keys if names.get(key)), "")
        for keys in (_FIRST_NAMES, _LAST_NAMES, _WHOLE_NAMES)
    )
    if not (first and last):
        return person_name(whole or last)
    middle = parts.get("middle")
    between = [part for part in middle if isinstance(part, str)] if isinstance(middle, list) else []
    between += [names.get(particle, "") for particle in _PARTICLES]
    return name_of_parts(first, last, names.get("suffix", ""), " ".join(filter(None, between)))


def _reference(value: object) -> Reference | None:
    if isinstance(value, str):
        id_ = registered(value)
        return Reference(id_, None if id_ else value)
    if not isinstance(value, dict):
        return None
    parts = {_plain(str(key)): part for key, part in value.items()}
    parts = {_plain(key): part for key, part in fields(parts.get("externalids")).items()} | parts
    given = (f"{_REGISTRIES[key]}{parts[key]}" for key in _REGISTRIES if parts.get(key))
    titles = (string(parts.get(key)) for key in ("title", "articletitle", "volumetitle"))
    id_ = next(filter(None, map(registered, given)), None)
    return Reference(id_, next(filter(None, titles), None))


def registered(text: str) -> str | None:
    """Return the id that a text is, with the name of its registry."""
    text = text.replace(*_OPENALEX)
    if doi := as_doi(text):
        return f"doi:{doi}"
    if arxiv := as_arxiv_id(text):
        return f"arxiv:{arxiv}"
    return text if IDENTIFIER.fullmatch(text) else None


class RecordReader(DraftReader):
    """Reads objects of JSON that have a title, as services and programs write them."""

    name = "json"
    description = "JSON"
    fields = (
        "objects in lines or arrays: `title`, `abstract`, and if known `published`, `authors`, "
        "`venue`, `doi`, `links` …; CSL-JSON (Zotero, Crossref), OpenAlex works, Semantic Scholar "
        "(data sets, Graph API), arXiv's metadata snapshot, notes of OpenReview, and what "
        "`stemma fetch` writes"
    )
    endings: ClassVar[tuple[str, ...]] = ("jsonl", "ndjson", "json", "csljson")

    def recognises(self, start: str) -> bool:
        """Return whether a text begins with an object, and one has a title or is of a service."""
        begin = start.lstrip("\ufeff \t\r\n[")
        return begin.startswith("{") and bool(_MARKS.search(begin))

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the records, one in memory at a time."""
        for line, record in objects(document, options.max_record_size):
            fetched = record.get("record") if "fetched" in record else None
            if isinstance(fetched, str):
                yield from AtomReader().drafts_in(Line(line, fetched), document)
                continue
            paper = _paper_within(fields(fetched) or record)
            if paper.get("itemType") in _BESIDE_PAPERS:
                continue
            if not _OF_ARXIV.isdisjoint(paper):
                # A few of millions are often taken from arXiv's snapshot.
                ids = (str(paper.get("id")), *string(paper.get("doi")).split())
                if options.wanted is not None and options.wanted.isdisjoint(
                    map(as_identifier, ids)
                ):
                    continue
                paper = _of_arxiv(paper)
            elif not _OF_OPENALEX.isdisjoint(paper):
                paper = _of_openalex(paper)
            elif not _OF_SEMANTIC_SCHOLAR.isdisjoint(paper):
                paper = _of_semantic_scholar(paper)
            yield record_draft(paper, line, options.columns)


_MARKS = re.compile(
    r'"(?:title|fetched|abstract_inverted_index|corpusid|externalids|paperid)"\s*:', re.I
)
_OF_ARXIV = {"authors_parsed", "versions"}
_OF_OPENALEX = {"abstract_inverted_index", "authorships"}
_OF_SEMANTIC_SCHOLAR = {"externalIds", "externalids", "corpusid"}
"""Fields by which the records of a service are known."""
_AROUND = ("paper", "citedPaper", "citingPaper", "metadata")
"""The fields that hold the paper in records of Hugging Face, Semantic Scholar and unarXive."""
_BESIDE_PAPERS = ("attachment", "note", "annotation")
"""Types of items in a library of Zotero that are no papers."""
_LAST_MILLISECOND = 4_102_444_800_000
"""The end of 2099, as a date in JSON."""
_MOST_WORDS = 100_000
_ADDRESSES = {
    "CorpusId": "https://api.semanticscholar.org/CorpusID:",
    "ACL": ACL_ANTHOLOGY,
    "DBLP": "https://dblp.org/rec/",
    "PubMed": PUBMED,
}
"""The beginnings of addresses, by what Semantic Scholar calls the identifiers at their ends."""
_VERSION = re.compile(r"v[0-9]+")


def _paper_within(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the fields of the paper that it has within."""
    for name in _AROUND:
        if string(fields(record.get(name)).get("title")):
            return {**record, **record[name]}
    is_note = "title" in fields(record.get("content")) and not any(
        value and field_of(name) == "title" for name, value in record.items()
    )
    return _of_openreview(record) if is_note else record


def _of_openreview(note: dict[str, Any]) -> dict[str, Any]:
    """Return the paper that a note of OpenReview holds, by either version of its API."""
    paper = {
        name: value["value"] if isinstance(value, dict) and "value" in value else value
        for name, value in note["content"].items()
    }
    created = note.get("cdate")
    if type(created) is int and 0 < created < _LAST_MILLISECOND:
        day = datetime.datetime.fromtimestamp(created / 1000, datetime.UTC).date()
        paper["published"] = day.isoformat()
    if forum := string(note.get("forum")) or string(note.get("id")):
        paper["url"] = f"https://openreview.net/forum?id={forum}"
    return paper


def _of_arxiv(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record of arXiv's snapshot: dated by the first version, numbered by the last."""
    versions = list(map(fields, items(record.get("versions")))) or [{}]
    last = string(versions[-1].get("version"))
    number = last if _VERSION.fullmatch(last) else ""
    authors = list(map(_of_parts, map(items, items(record.get("authors_parsed")))))
    return {
        **record,
        "arxiv_id": f"{record.get('id') or ''}{number}",
        "published": string(versions[0].get("created")),
        "authors": authors or record.get("authors"),
    }


def _of_parts(parts: list[Any]) -> Author | None:
    """Return the author whom family name, given names, suffix and affiliations describe."""
    last, first, suffix, *places = [*map(string, parts), "", "", ""]
    name = name_of_parts(first, last, suffix, "") if first and last else person_name(last)
    return author(name, affiliation="; ".join(filter(None, places))) if name else None


def _of_openalex(work: dict[str, Any]) -> dict[str, Any]:
    """Return a work of OpenAlex, whose abstract is an index of words with their places."""
    locations = [work.get("primary_location"), *items(work.get("locations"))]
    places = list(map(fields, locations))
    addresses = [place.get(key) for place in places for key in ("landing_page_url", "pdf_url")]
    venues = [fields(place.get("source")) for place in places]
    venues.sort(key=lambda venue: venue.get("type") == "repository")
    words = {
        place: word
        for word, numbers in fields(work.get("abstract_inverted_index")).items()
        for place in items(numbers)
        if type(place) is int and 0 <= place < _MOST_WORDS
    }
    return {
        **work,
        "abstract": " ".join(words[place] for place in sorted(words)),
        "authors": work.get("authorships"),
        "venue": [venue.get("display_name") for venue in venues],
        "arxiv_id": addresses,
        "links": [work.get("id"), *addresses],
    }


def _of_semantic_scholar(paper: dict[str, Any]) -> dict[str, Any]:
    """Return a paper of Semantic Scholar; texts of its data sets are passages of a content."""
    ids = fields(paper.get("externalIds")) or fields(paper.get("externalids"))
    ids = {"CorpusId": paper.get("corpusId") or paper.get("corpusid"), **ids}
    addresses = (f"{address}{ids[name]}" for name, address in _ADDRESSES.items() if ids.get(name))
    content = fields(paper.get("content"))
    return {
        **paper,
        "title": string(paper.get("title")) or _annotated(content, "title"),
        "abstract": string(paper.get("abstract")) or _annotated(content, "abstract"),
        "links": [*addresses, fields(paper.get("openAccessPdf")).get("url")],
    }


def _annotated(content: dict[str, Any], field: str) -> str:
    """Return the passage of an S2ORC text that is annotated as a field."""
    text = string(content.get("text"))
    try:
        passages = json.loads(string(fields(content.get("annotations")).get(field)) or "[]")
        places = [(int(passage["start"]), int(passage["end"])) for passage in passages]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return "\n\n".join(text[start:end] for start, end in places if 0 <= start < end)
