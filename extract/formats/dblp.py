"""DBLP: its dump in XML."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.link import as_arxiv_id, as_doi
from stemma.extract.formats.xml_reader import XmlReader, plain_text, text, texts

_NUMBER = re.compile(r"\s+\d{4}$")
"""What DBLP puts behind a name that several people have."""


class DblpReader(XmlReader):
    """Reads articles and papers of conferences and books, which have no abstracts."""

    name = "dblp"
    description = "DBLP XML"
    fields = "key, DOI, authors with ORCID, venue, year; it has no abstracts"
    root = re.compile(r"(?:dblp|dblpperson|bht|result)[\s>]")
    tags = ("article", "inproceedings", "incollection", "phdthesis", "mastersthesis")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a publication."""
        addresses = texts(element, "ee")
        key = element.get("key") or ""
        yield Draft(
            line,
            title=text(element, "title").removesuffix("."),
            published=text(element, "year"),
            authors=[
                author(_NUMBER.sub("", plain_text(each)), each.get("orcid"))
                for each in element.iterfind("author")
            ],
            venue=text(element, "journal") or text(element, "booktitle") or text(element, "school"),
            doi=next(filter(as_doi, addresses), None),
            arxiv_id=next(filter(as_arxiv_id, addresses), None),
            links=[*addresses, *([f"https://dblp.org/rec/{key}"] if key else [])],
        )
