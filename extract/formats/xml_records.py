"""Records in XML, without texts: OAI-PMH, and the Atom answers of arXiv's API."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.dates import earliest
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.link import as_arxiv_id, as_doi
from stemma.extract.formats.person_name import listed_names, name_of_parts, person_names
from stemma.extract.formats.xml_reader import XmlReader, text, texts
from stemma.schema.paper import Author

_ANNOUNCED = re.compile(r"arXiv:(\S+)\s+Announce Type:\s*(\S+)\s+Abstract:\s*(.*)", re.S)
"""How a feed begins an abstract."""
_ARXIV_FIELDS = "identifier with version, DOI, authors, date of the first version, journal"


def _authors(elements: Iterable[Element], listed: str) -> list[Author]:
    """Return the authors in elements, or else those that are listed in a text."""
    authors = []
    for element in elements:
        parts = (text(element, part) for part in ("forenames", "keyname", "suffix"))
        if name := text(element, "name") or name_of_parts(*parts):
            authors.append(author(name, None, "; ".join(texts(element, "affiliation"))))
    return authors or list(map(author, person_names(listed)))


class OaiReader(XmlReader):
    """Reads answers of OAI-PMH with metadata as ``arXiv``, ``arXivRaw`` or ``oai_dc``."""

    name = "oai"
    description = "OAI-PMH (`arXiv`, `arXivRaw`, `oai_dc`)"
    fields = _ARXIV_FIELDS
    root = re.compile(r"(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record|dc|arXiv|arXivRaw)[\s>]")
    tags = ("record", "arXiv", "arXivRaw", "dc")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a record; one that was deleted has no metadata."""
        for metadata in element.iter():
            if metadata.tag in ("arXiv", "arXivRaw"):
                yield _arxiv(line, metadata)
            elif metadata.tag == "dc":
                yield _dublin_core(line, metadata)


def _arxiv(line: int, metadata: Element) -> Draft:
    """Describe a paper in ``arXiv``, which has parts of names, or ``arXivRaw``, with versions."""
    versions = metadata.findall("version")
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=text(metadata, "abstract"),
        published=text(versions[0], "date") if versions else text(metadata, "created"),
        authors=_authors(metadata.iterfind("authors/author"), text(metadata, "authors")),
        venue=text(metadata, "journal-ref"),
        doi=next(iter(text(metadata, "doi").split()), None),
        arxiv_id=text(metadata, "id") + (versions[-1].get("version", "") if versions else ""),
    )


def _dublin_core(line: int, metadata: Element) -> Draft:
    """Dublin Core has an abstract and comments as descriptions, and several dates."""
    identifiers = texts(metadata, "identifier") + texts(metadata, "relation")
    described = (each for each in texts(metadata, "description") if not each.startswith("Comment:"))
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=max(described, key=len, default=""),
        published=earliest(texts(metadata, "date")),
        authors=list(map(author, listed_names(texts(metadata, "creator")))),
        doi=next(filter(as_doi, identifiers), None),
        arxiv_id=next(filter(as_arxiv_id, identifiers), None),
        links=[each for each in identifiers if each.startswith("http")],
    )


class AtomReader(XmlReader):
    """Reads answers of arXiv's API, and the feeds of new papers."""

    name = "arxiv-api"
    description = "arXiv's API (Atom), feeds of new papers (RSS, Atom)"
    fields = _ARXIV_FIELDS
    root = re.compile(
        r"feed\s[^>]*http://www\.w3\.org/2005/Atom|rss\s[^>]*http://arxiv\.org/schemas/atom"
    )
    tags = ("entry", "item")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an entry, None of one that reports an error."""
        if "/api/errors" in text(element, "id"):
            return
        stated = text(element, "summary", "description")
        announced = _ANNOUNCED.match(stated)
        # In a feed, the day is that of the first version only if the paper is new.
        id_, kind, abstract = (
            announced.groups() if announced else (text(element, "id"), "new", stated)
        )
        yield Draft(
            line,
            title=text(element, "title"),
            abstract=abstract,
            published=text(element, "published", "pubDate") if kind == "new" else None,
            authors=_authors(element.iterfind("author"), text(element, "creator")),
            venue=text(element, "journal_ref", "journal_reference"),
            doi=text(element, "doi", "DOI"),
            arxiv_id=id_,
        )
