"""The ACL Anthology: the XML of its volumes."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.reader import Options
from stemma.extract.formats.xml_reader import XmlReader, text, texts
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_SITE = "https://aclanthology.org/"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


class AclAnthologyReader(XmlReader):
    """Reads papers; what a volume says of all of them stands before them."""

    name = "acl"
    description = "ACL Anthology XML"
    fields = "identifier, DOI, authors with ORCID, venue; markup in titles and abstracts"
    root = re.compile(r"collection\s")
    tags = ("meta", "paper")

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a collection."""
        # One reader serves all: what is known of a volume belongs to this reading alone.
        yield from _Volumes().read(document, options)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a paper without its volume."""
        return _Volumes().drafts(line, element)


class _Volumes(XmlReader):
    name, description, fields = AclAnthologyReader.name, "", ""
    root, tags = AclAnthologyReader.root, AclAnthologyReader.tags

    def __init__(self) -> None:
        self._meta = Element("meta")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        if element.tag == "meta":
            self._meta = element
            return
        address = text(element, "url")
        yield Draft(
            line,
            title=_plain(element.find("title")),
            abstract=_plain(element.find("abstract")),
            published=_date(self._meta),
            authors=[
                author(
                    " ".join(text(each, part) for part in ("first", "last")),
                    each.get("orcid"),
                    "; ".join(texts(each, "affiliation")),
                )
                for each in element.iterfind("author")
            ],
            venue=text(self._meta, "booktitle"),
            doi=text(element, "doi"),
            links=[address if "://" in address else _SITE + address] if address else [],
        )


def _plain(element: Element | None) -> str:
    """Return a text with its formulas between dollars, and without other markup."""
    if element is None:
        return ""
    for formula in element.iter("tex-math"):
        formula.text = f"${''.join(formula.itertext())}$"
        for child in list(formula):
            formula.remove(child)
    return "".join(element.itertext())


def _date(meta: Element) -> str:
    year, month = text(meta, "year"), text(meta, "month")[:3].casefold()
    return f"{year}-{_MONTHS.index(month) + 1:02}" if year and month in _MONTHS else year
