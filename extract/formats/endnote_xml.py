"""EndNote XML: a library as EndNote, Zotero and Mendeley export it."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.draft import Draft, author, date_of_day, in_order
from stemma.extract.formats.link import as_arxiv_id
from stemma.extract.formats.xml_reader import XmlReader, text, texts


class EndnoteXmlReader(XmlReader):
    """Reads references; the styles of their texts are left out."""

    name = "endnote-xml"
    description = "EndNote XML"
    fields = "title, abstract, authors, date, venue, DOI, links"
    root = re.compile(r"xml>\s*<records[\s>]|records>\s*<record>\s*<(?:database|source-app)\b")
    tags = ("record",)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a reference."""
        links = [each for each in texts(element, "urls//url") if each.startswith("http")]
        yield Draft(
            line,
            title=text(element, "titles/title"),
            abstract=text(element, "abstract").replace("\r", "\n"),
            published=date_of_day(
                text(element, "dates/pub-dates/date"), text(element, "dates/year")
            ),
            authors=[
                author(in_order(each)) for each in texts(element, "contributors/authors/author")
            ],
            venue=text(element, "periodical/full-title") or text(element, "titles/secondary-title"),
            doi=text(element, "electronic-resource-num"),
            arxiv_id=next(filter(as_arxiv_id, links), None),
            links=links,
        )
