"""JATS: articles of journals in XML, as PubMed Central and publishers give them."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.body import Body
from stemma.extract.formats.dates import date_of_parts, earliest
from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.link import PMC
from stemma.extract.formats.person_name import name_of_parts
from stemma.extract.formats.table_text import Cell, PaperTable
from stemma.extract.formats.xml_reader import XmlReader, count, marked_text, plain_text, text, texts
from stemma.schema.paper import Author, Reference

_NO_ABSTRACT = {"graphical", "teaser", "toc", "key-points", "highlights", "executive-summary"}
_NO_TEXT = {
    *("sec", "title", "label", "fig", "fig-group", "table-wrap", "table", "disp-formula"),
    *("graphic", "supplementary-material", "tex-math", "fn", "boxed-text", "media"),
}
_BLOCKS = {"p", "sec", "title", "list-item"}


class JatsReader(XmlReader):
    """Reads articles, alone or in a collection."""

    name = "jats"
    description = "JATS XML"
    fields = (
        "DOI, authors with ORCID and affiliations, journal, earliest date, references, sections, "
        "tables"
    )
    root = re.compile(r"(?:\w+:)?(?:article|pmc-articleset|sub-article|OAI-PMH)[\s>]")
    tags = ("article",)

    def recognises(self, start: str) -> bool:
        """Recognise by the first element, and by what JATS calls the front of an article."""
        return super().recognises(start) and bool(
            re.search(r"<(?:\w+:)?(?:front|front-stub|article-meta|journal-meta)[\s>]", start)
        )

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an article."""
        meta = element.find("front/article-meta")
        if meta is None:
            return
        identifiers = {
            each.get("pub-id-type", ""): plain_text(each) for each in meta.iterfind("article-id")
        }
        pmc = identifiers.get("pmcid") or identifiers.get("pmc") or ""
        if pmc and not pmc.startswith("PMC"):
            pmc = f"PMC{pmc}"
        abstracts = [
            each
            for each in meta.iterfind("abstract")
            if each.get("abstract-type") not in _NO_ABSTRACT
        ]
        listed = element.findall("back//ref-list/ref")
        yield Draft(
            line,
            title=text(meta, "title-group/article-title"),
            abstract=_blocks(abstracts[0]) if abstracts else "",
            published=earliest(map(_date, meta.iterfind("pub-date"))),
            authors=list(_authors(meta)),
            venue=text(element, "front/journal-meta//journal-title"),
            doi=identifiers.get("doi"),
            arxiv_id=identifiers.get("arxiv"),
            links=[f"{PMC}{pmc}/"] if pmc else [],
            body=Body(
                _sections(element.find("body"), ()),
                {each.get("id") or f"#{i}": _reference(each) for i, each in enumerate(listed)},
                _tables(element.find("body")),
            ),
        )


def _authors(meta: Element) -> Iterator[Author]:
    places = {}
    for each in meta.iter("aff"):
        institutions = texts(each, "institution") or texts(each, "institution-wrap/institution")
        unlabelled = plain_text(each).removeprefix(text(each, "label")).strip()
        places[each.get("id")] = ", ".join(institutions) or unlabelled
    for each in meta.iterfind("contrib-group/contrib"):
        if each.get("contrib-type", "author") != "author":
            continue
        parts = (text(each, f".//{part}") for part in ("given-names", "surname", "suffix"))
        name = text(each, "collab") or name_of_parts(*parts)
        where = [
            places.get(rid, "")
            for xref in each.iterfind("xref[@ref-type='aff']")
            for rid in (xref.get("rid") or "").split()
        ]
        own = where or texts(each, "aff")
        orcid = text(each, "contrib-id[@contrib-id-type='orcid']")
        yield author(name, orcid, "; ".join(filter(None, own)))


def _blocks(element: Element) -> str:
    """Return a text with its paragraphs apart."""
    for each in element.iter():
        if each.tag in _BLOCKS and each is not element:
            each.tail = f"\n\n{each.tail or ''}"
    return "".join(element.itertext())


def _sections(
    element: Element | None, headings: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the text of each section itself, then those within it."""
    if element is None:
        return
    own = [each for each in element if each.tag not in _NO_TEXT]
    paragraphs = "\n\n".join(marked_text(each, _cited, _NO_TEXT) for each in own)
    if paragraphs.strip():
        yield headings, paragraphs
    for each in element.iterfind("sec"):
        yield from _sections(each, (*headings, text(each, "title")))


def _tables(body: Element | None) -> Iterator[PaperTable]:
    for wrap in body.iter("table-wrap") if body is not None else ():
        caption = " ".join((text(wrap, "label"), text(wrap, "caption"))).strip()
        for table in wrap.iter("table"):
            yield PaperTable(caption, [list(map(_cell, row)) for row in table.iter("tr")])


def _cell(element: Element) -> Cell:
    columns, rows = (count(element.get(name)) for name in ("colspan", "rowspan"))
    return Cell(marked_text(element, _cited, ("tex-math", "fn")), columns, rows)


def _cited(element: Element) -> str | None:
    if element.tag != "xref" or element.get("ref-type") != "bibr":
        return None
    return (element.get("rid") or "").partition(" ")[0]


def _date(element: Element) -> str:
    return date_of_parts(*(text(element, part) for part in ("year", "month", "day")))


def _reference(element: Element) -> Reference:
    titles = (text(element, f".//{tag}") for tag in ("article-title", "chapter-title", "source"))
    title = next(filter(None, titles), "")
    return reference(title, text(element, ".//pub-id[@pub-id-type='doi']"))
