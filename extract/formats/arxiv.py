"""arXiv: its metadata snapshot, the records of OAI-PMH, and the Atom answers of its API."""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from stemma.extract.formats.dates import earliest
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.extract.formats.link import as_arxiv_id, as_doi
from stemma.extract.formats.person_name import listed_names, name_of_parts, person_names
from stemma.extract.formats.reader import Options
from stemma.extract.formats.xml_reader import XmlReader, text, texts
from stemma.schema.paper import Paper, canonical_identifier
from stemma.schema.problem import Problem

_ANNOUNCED = re.compile(r"arXiv:(\S+)\s+Announce Type:\s*(\S+)\s+Abstract:\s*(.*)", re.S)
"""How a feed begins an abstract."""
_FIELDS = "identifier with version, DOI, authors, date of the first version, journal"


class ArxivSnapshotReader(JsonReader):
    """Reads the metadata snapshot, an object a line (``arxiv-metadata-oai-snapshot.json``)."""

    name = "arxiv"
    description = "arXiv's metadata snapshot"
    fields = _FIELDS
    marks = re.compile(r'"authors_parsed"\s*:|"versions"\s*:\s*\[\s*\{\s*"version"')

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read a record, if it is wanted: a few of millions are often taken from this file."""
        if options.wanted is None or not options.wanted.isdisjoint(_identifiers(record)):
            yield from _described(line, record).read(document, options.year)


class ArxivOaiReader(XmlReader):
    """Reads answers of OAI-PMH with metadata as ``arXiv``, ``arXivRaw`` or ``oai_dc``."""

    name = "oai"
    description = "OAI-PMH (`arXiv`, `arXivRaw`, `oai_dc`)"
    fields = _FIELDS
    root = re.compile(r"(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record|dc|arXiv|arXivRaw)[\s>]")
    tags = ("record", "arXiv", "arXivRaw", "dc")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a record; one that was deleted has no metadata."""
        for metadata in element.iter():
            if metadata.tag in ("arXiv", "arXivRaw"):
                yield _oai(line, metadata)
            elif metadata.tag == "dc":
                yield _dublin_core(line, metadata)


class ArxivAtomReader(XmlReader):
    """Reads answers of arXiv's API, and the feeds of new papers."""

    name = "arxiv-api"
    description = "arXiv's API (Atom), feeds of new papers (RSS, Atom)"
    fields = _FIELDS
    root = re.compile(
        r"feed\s[^>]*http://www\.w3\.org/2005/Atom|rss\s[^>]*http://arxiv\.org/schemas/atom"
    )
    tags = ("entry", "item")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an entry, None of one that reports an error."""
        if "/api/errors" in text(element, "id"):
            return
        said = text(element, "summary") or text(element, "description")
        announced = _ANNOUNCED.match(said)
        # In a feed, the day is that of the first version only if the paper is new.
        id_, kind, abstract = (
            announced.groups() if announced else (text(element, "id"), "new", said)
        )
        date = text(element, "published") or text(element, "pubDate")
        authors = [
            author(text(each, "name"), affiliation="; ".join(texts(each, "affiliation")))
            for each in element.iterfind("author")
        ]
        yield Draft(
            line,
            title=text(element, "title"),
            abstract=abstract,
            published=date if kind == "new" else None,
            authors=authors or list(map(author, person_names(text(element, "creator")))),
            venue=text(element, "journal_ref") or text(element, "journal_reference"),
            doi=text(element, "doi") or text(element, "DOI"),
            arxiv_id=id_,
        )


def _identifiers(record: dict[str, Any]) -> Iterator[str]:
    if arxiv_id := as_arxiv_id(str(record.get("id") or record.get("paper_id") or "")):
        yield canonical_identifier(f"arxiv:{arxiv_id}")
    for each in string(record.get("doi")).split():
        if doi := as_doi(each):
            yield canonical_identifier(f"doi:{doi}")


def _oai(line: int, metadata: Element) -> Draft:
    """Describe a paper in ``arXiv``, which has parts of names, or ``arXivRaw``, with versions."""
    versions = metadata.findall("version")
    authors = [
        author(
            name_of_parts(*(text(each, part) for part in ("forenames", "keyname", "suffix"))),
            affiliation="; ".join(texts(each, "affiliation")),
        )
        for each in metadata.iterfind("authors/author")
    ]
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=text(metadata, "abstract"),
        published=text(versions[0], "date") if versions else text(metadata, "created"),
        authors=authors or list(map(author, person_names(text(metadata, "authors")))),
        venue=text(metadata, "journal-ref"),
        doi=next(iter(text(metadata, "doi").split()), None),
        arxiv_id=text(metadata, "id") + (versions[-1].get("version", "") if versions else ""),
    )


def _dublin_core(line: int, metadata: Element) -> Draft:
    """Dublin Core has an abstract and comments as descriptions, and several dates."""
    identifiers = texts(metadata, "identifier") + texts(metadata, "relation")
    descriptions = [
        each for each in texts(metadata, "description") if not each.startswith("Comment:")
    ]
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=max(descriptions, key=len, default=""),
        published=earliest(texts(metadata, "date")),
        authors=list(map(author, listed_names(texts(metadata, "creator")))),
        doi=next(filter(as_doi, identifiers), None),
        arxiv_id=next(filter(as_arxiv_id, identifiers), None),
        links=[each for each in identifiers if each.startswith("http")],
    )


def _described(line: int, record: dict[str, Any]) -> Draft:
    """Describe a paper: its first version has the date, the last is the one described."""
    if "title" not in record:
        record = fields(record.get("metadata"))  # in unarXive, next to the full text
    versions = [each for each in items(record.get("versions")) if isinstance(each, dict)]
    first = string(versions[0].get("created")) if versions else ""
    last = string(versions[-1].get("version")) if versions else ""
    parsed = (
        list(map(string, each))
        for each in items(record.get("authors_parsed"))
        if isinstance(each, list)
    )
    authors = [
        author(name_of_parts(*[*each[1::-1], *each[2:3]]), affiliation="; ".join(each[3:]))
        for each in parsed
        if len(each) > 1
    ]
    return Draft(
        line,
        title=string(record.get("title")),
        abstract=string(record.get("abstract")),
        published=first or string(record.get("update_date")),
        authors=authors or list(map(author, person_names(string(record.get("authors"))))),
        venue=string(record.get("journal-ref")),
        doi=next(iter(string(record.get("doi")).split()), None),
        arxiv_id=f"{record.get('id') or ''}{last if re.fullmatch(r'v[0-9]+', last) else ''}",
    )
