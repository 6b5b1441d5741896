"""TEI, as GROBID writes it of a PDF."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.body import Body
from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.table_text import Cell, PaperTable
from stemma.extract.formats.xml_reader import XmlReader, count, marked_text, plain_text, text, texts
from stemma.schema.paper import Author, Reference

_NO_TEXT = {"div", "head", "figure", "formula", "note", "table", "graphic"}


class TeiReader(XmlReader):
    """Reads documents."""

    name = "tei"
    description = "TEI (GROBID)"
    fields = "DOI, arXiv id, authors with affiliations, venue, references, sections, tables"
    root = re.compile(r"(?:TEI|teiCorpus)[\s>]")
    tags = ("TEI",)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a document."""
        header = element.find("teiHeader")
        if header is None:
            return
        source = header.find("fileDesc/sourceDesc/biblStruct")
        source = Element("biblStruct") if source is None else source
        paragraphs = texts(header, "profileDesc/abstract//p") or texts(
            header, "profileDesc/abstract"
        )
        dates = [
            each.get("when") or ""
            for place in ("fileDesc/publicationStmt/date", "fileDesc//imprint/date")
            for each in header.iterfind(place)
        ]
        listed = element.findall("text/back//listBibl/biblStruct")
        yield Draft(
            line,
            title=text(header, "fileDesc/titleStmt/title") or _titled(source, "a"),
            abstract="\n\n".join(paragraphs),
            published=next(filter(None, dates), None),
            authors=[
                found for each in source.iterfind("analytic/author") if (found := _author(each))
            ],
            venue=_titled(source, "j") or _titled(source, "m"),
            doi=_identifier(source, "DOI"),
            arxiv_id=_identifier(source, "arXiv"),
            body=Body(
                _sections(element.find("text/body")),
                {each.get("xml:id") or f"#{i}": _reference(each) for i, each in enumerate(listed)},
                _tables(element.find("text")),
            ),
        )


def _sections(body: Element | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield divisions with their headings: GROBID writes them in a row, with their numbers."""
    outer: dict[str, str] = {}
    for each in body.iter("div") if body is not None else ():
        head = each.find("head")
        number = (head.get("n") or "").strip(".") if head is not None else ""
        own = plain_text(head) if head is not None else ""
        outer[number] = own
        first = number.partition(".")[0]
        headings = (outer[first], own) if first != number and first in outer else (own,)
        paragraphs = [
            marked_text(part, _cited, _NO_TEXT) for part in each if part.tag not in _NO_TEXT
        ]
        yield headings, "\n\n".join(paragraphs)


def _tables(whole: Element | None) -> Iterator[PaperTable]:
    for figure in whole.iter("figure") if whole is not None else ():
        caption = " ".join((text(figure, "head"), text(figure, "figDesc"))).strip()
        for table in figure.iterfind("table"):
            rows = [[_cell(cell) for cell in row.iterfind("cell")] for row in table.iterfind("row")]
            yield PaperTable(caption, rows)


def _cell(element: Element) -> Cell:
    columns, rows = (count(element.get(name)) for name in ("cols", "rows"))
    return Cell(marked_text(element, _cited), columns, rows)


def _cited(element: Element) -> str | None:
    if element.tag != "ref" or element.get("type") != "bibr":
        return None
    return (element.get("target") or "").removeprefix("#")


def _titled(element: Element, level: str) -> str:
    return text(element, f".//title[@level='{level}']")


def _identifier(element: Element, kind: str) -> str:
    return next(
        (
            plain_text(each)
            for each in element.iter("idno")
            if (each.get("type") or "").casefold() == kind.casefold()
        ),
        "",
    )


def _author(element: Element) -> Author | None:
    parts = [*texts(element, "persName/forename"), *texts(element, "persName/surname")]
    if not parts:
        return None
    institutions = (
        text(each, "orgName[@type='institution']") for each in element.iterfind("affiliation")
    )
    places = "; ".join(filter(None, institutions))
    return author(" ".join(parts), _identifier(element, "ORCID"), places)


def _reference(element: Element) -> Reference:
    arxiv = re.sub(r"(?i)^arxiv:|\[.*|\s", "", _identifier(element, "arXiv"))
    title = _titled(element, "a") or _titled(element, "m")
    return reference(title, _identifier(element, "DOI"), arxiv)
