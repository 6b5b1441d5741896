"""Records in XML, without texts: OAI-PMH, and the Atom answers of arXiv's API."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.person_name import name_of_parts, person_names
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
    """Reads answers of OAI-PMH, whose metadata have parts of names or the versions of a paper."""

    name = "oai"
    description = "OAI-PMH (`arXiv`, `arXivRaw`)"
    fields = _ARXIV_FIELDS
    root = re.compile(r"(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record|arXiv|arXivRaw)[\s>]")
    tags = ("arXiv", "arXivRaw")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of the metadata."""
        versions = element.findall("version")
        yield Draft(
            line,
            title=text(element, "title"),
            abstract=text(element, "abstract"),
            published=text(versions[0], "date") if versions else text(element, "created"),
            authors=_authors(element.iterfind("authors/author"), text(element, "authors")),
            venue=text(element, "journal-ref"),
            doi=next(iter(text(element, "doi").split()), None),
            arxiv_id=text(element, "id") + (versions[-1].get("version", "") if versions else ""),
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
