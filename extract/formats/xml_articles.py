"""Papers in XML: JATS of journals, TEI that GROBID makes of a PDF, with their full texts.

Also records without texts: OAI-PMH, and the Atom answers of arXiv's API.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from stemma.extract.formats.body import Body, Cell, PaperTable
from stemma.extract.formats.dates import date_of_parts, earliest
from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.link import PMC
from stemma.extract.formats.person_name import name_of_parts, person_names
from stemma.extract.formats.xml_reader import XmlReader, count, marked_text, plain_text, text, texts
from stemma.schema.paper import Author, Reference

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


_NO_ABSTRACT = {"graphical", "teaser", "toc", "key-points", "highlights", "executive-summary"}
_BLOCKS = {"p", "sec", "title", "list-item"}


class _Markup(NamedTuple):
    """The tags of an article's text, and the attributes of citations and cells."""

    cites: tuple[str, str, str]
    """The tag of a citation, the attribute that says so, and that with the key of the reference."""
    left_out: frozenset[str]
    """What is no running text."""
    figure: str
    captions: tuple[str, ...]
    row: str
    spans: tuple[str, str]
    """The numbers of columns and rows that a cell spans."""

    def cited(self, element: Element) -> str | None:
        """Return the key of an element that is a citation, else None."""
        tag, kind, key = self.cites
        if element.tag != tag or element.get(kind) != "bibr":
            return None
        return (element.get(key) or "").removeprefix("#").partition(" ")[0]

    def running_text(self, elements: Iterable[Element]) -> str:
        """Return the paragraphs of a section, with citations marked."""
        own = (each for each in elements if each.tag not in self.left_out)
        return "\n\n".join(marked_text(each, self.cited, self.left_out) for each in own)

    def tables(self, whole: Element | None) -> Iterator[PaperTable]:
        """Yield the tables of a text with their captions."""
        for figure in whole.iter(self.figure) if whole is not None else ():
            caption = " ".join(text(figure, path) for path in self.captions).strip()
            for table in figure.iter("table"):
                yield PaperTable(caption, [[*map(self._cell, row)] for row in table.iter(self.row)])

    def _cell(self, element: Element) -> Cell:
        columns, rows = (count(element.get(name)) for name in self.spans)
        return Cell(marked_text(element, self.cited, ("tex-math", "fn")), columns, rows)


_JATS = _Markup(
    ("xref", "ref-type", "rid"),
    frozenset(
        (
            *("sec", "title", "label", "fig", "fig-group", "table-wrap", "table", "disp-formula"),
            *("graphic", "supplementary-material", "tex-math", "fn", "boxed-text", "media"),
        )
    ),
    *("table-wrap", ("label", "caption"), "tr", ("colspan", "rowspan")),
)
_TEI = _Markup(
    ("ref", "type", "target"),
    frozenset(("div", "head", "figure", "formula", "note", "table", "graphic")),
    *("figure", ("head", "figDesc"), "row", ("cols", "rows")),
)


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
        ids = {each.get("pub-id-type", ""): plain_text(each) for each in meta.iter("article-id")}
        pmc = (ids.get("pmcid") or ids.get("pmc") or "").removeprefix("PMC")
        proper = (
            each
            for each in meta.iterfind("abstract")
            if each.get("abstract-type") not in _NO_ABSTRACT
        )
        body = element.find("body")
        yield Draft(
            line,
            title=text(meta, "title-group/article-title"),
            abstract=next(map(_blocks, proper), ""),
            published=earliest(map(_date, meta.iterfind("pub-date"))),
            authors=list(_jats_authors(meta)),
            venue=text(element, "front/journal-meta//journal-title"),
            doi=ids.get("doi"),
            arxiv_id=ids.get("arxiv"),
            links=[f"{PMC}PMC{pmc}/"] if pmc else [],
            body=Body(
                _jats_sections(body, ()),
                {
                    each.get("id") or f"#{i}": _jats_reference(each)
                    for i, each in enumerate(element.iterfind("back//ref-list/ref"))
                },
                _JATS.tables(body),
            ),
        )


def _jats_authors(meta: Element) -> Iterator[Author]:
    places = {}
    for each in meta.iter("aff"):
        institutions = texts(each, "institution") or texts(each, "institution-wrap/institution")
        unlabelled = plain_text(each).removeprefix(text(each, "label")).strip()
        places[each.get("id")] = ", ".join(institutions) or unlabelled
    for each in meta.iterfind("contrib-group/contrib"):
        if each.get("contrib-type", "author") != "author":
            continue
        parts = (text(each, f".//{part}") for part in ("given-names", "surname", "suffix"))
        rids = (xref.get("rid") or "" for xref in each.iterfind("xref[@ref-type='aff']"))
        where = [places.get(rid, "") for rid in " ".join(rids).split()] or texts(each, "aff")
        yield author(
            text(each, "collab") or name_of_parts(*parts),
            text(each, "contrib-id[@contrib-id-type='orcid']"),
            "; ".join(filter(None, where)),
        )


def _blocks(element: Element) -> str:
    """Return a text with its paragraphs apart."""
    for each in element.iter():
        if each.tag in _BLOCKS and each is not element:
            each.tail = f"\n\n{each.tail or ''}"
    return "".join(element.itertext())


def _jats_sections(
    element: Element | None, headings: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the text of each section itself, then those within it."""
    if element is None:
        return
    paragraphs = _JATS.running_text(element)
    if paragraphs.strip():
        yield headings, paragraphs
    for each in element.iterfind("sec"):
        yield from _jats_sections(each, (*headings, text(each, "title")))


def _date(element: Element) -> str:
    return date_of_parts(*(text(element, part) for part in ("year", "month", "day")))


def _jats_reference(element: Element) -> Reference:
    title = text(element, ".//article-title", ".//chapter-title", ".//source")
    return reference(title, text(element, ".//pub-id[@pub-id-type='doi']"))


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
        abstract = "profileDesc/abstract"
        dates = [
            each.get("when") or ""
            for place in ("fileDesc/publicationStmt/date", "fileDesc//imprint/date")
            for each in header.iterfind(place)
        ]
        yield Draft(
            line,
            title=text(header, "fileDesc/titleStmt/title") or _titled(source, "a"),
            abstract="\n\n".join(texts(header, f"{abstract}//p") or texts(header, abstract)),
            published=next(filter(None, dates), None),
            authors=list(filter(None, map(_tei_author, source.iterfind("analytic/author")))),
            venue=_titled(source, "j", "m"),
            doi=_identifier(source, "DOI"),
            arxiv_id=_identifier(source, "arXiv"),
            body=Body(
                _tei_sections(element.find("text/body")),
                {
                    each.get("xml:id") or f"#{i}": _tei_reference(each)
                    for i, each in enumerate(element.iterfind("text/back//listBibl/biblStruct"))
                },
                _TEI.tables(element.find("text")),
            ),
        )


def _tei_sections(body: Element | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield divisions with their headings: GROBID writes them in a row, with their numbers."""
    outer: dict[str, str] = {}
    for each in body.iter("div") if body is not None else ():
        head = each.find("head")
        number = (head.get("n") or "").strip(".") if head is not None else ""
        own = outer[number] = plain_text(head) if head is not None else ""
        first = number.partition(".")[0]
        headings = (outer[first], own) if first != number and first in outer else (own,)
        yield headings, _TEI.running_text(each)


def _titled(element: Element, *levels: str) -> str:
    return text(element, *(f".//title[@level='{level}']" for level in levels))


def _identifier(element: Element, kind: str) -> str:
    kinds = ((each.get("type") or "", each) for each in element.iter("idno"))
    return next((plain_text(each) for own, each in kinds if own.casefold() == kind.casefold()), "")


def _tei_author(element: Element) -> Author | None:
    parts = [*texts(element, "persName/forename"), *texts(element, "persName/surname")]
    places = (
        text(each, "orgName[@type='institution']") for each in element.iterfind("affiliation")
    )
    orcid = _identifier(element, "ORCID")
    return author(" ".join(parts), orcid, "; ".join(filter(None, places))) if parts else None


def _tei_reference(element: Element) -> Reference:
    arxiv = re.sub(r"(?i)^arxiv:|\[.*|\s", "", _identifier(element, "arXiv"))
    return reference(_titled(element, "a", "m"), _identifier(element, "DOI"), arxiv)
