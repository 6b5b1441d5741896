"""The ACL Anthology: the XML of its volumes."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.dates import date_of_parts
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.person_name import name_of_parts
from stemma.extract.formats.xml_reader import XmlReader, text, texts
from stemma.schema.problem import Problem

ACL_ANTHOLOGY = "https://aclanthology.org/"


class AclAnthologyReader(XmlReader):
    """Reads papers; what a volume says of all of them stands before them."""

    name = "acl"
    description = "ACL Anthology XML"
    fields = "identifier, DOI, authors with ORCID, venue; markup in titles and abstracts"
    root = re.compile(r"collection\s")
    tags = ("meta", "paper")

    def all_drafts(
        self, found: Iterable[tuple[int, Element] | Problem]
    ) -> Iterator[Draft | Problem]:
        """Make drafts of the papers, each with what is known of its volume."""
        volume = Element("meta")
        for each in found:
            if isinstance(each, Problem):
                yield each
            elif each[1].tag == "meta":
                volume = each[1]
            else:
                yield _draft(*each, volume)


def _draft(line: int, element: Element, volume: Element) -> Draft:
    address = text(element, "url")
    return Draft(
        line,
        title=_plain(element.find("title")),
        abstract=_plain(element.find("abstract")),
        published=date_of_parts(text(volume, "year"), text(volume, "month"), ""),
        authors=[
            author(
                name_of_parts(text(each, "first"), text(each, "last")),
                each.get("orcid"),
                "; ".join(texts(each, "affiliation")),
            )
            for each in element.iterfind("author")
        ],
        venue=text(volume, "booktitle"),
        doi=text(element, "doi"),
        links=[address if "://" in address else ACL_ANTHOLOGY + address] if address else [],
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
