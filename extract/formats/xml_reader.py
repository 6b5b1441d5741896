"""Papers in XML: JATS of journals, TEI that GROBID makes of a PDF, OAI-PMH, answers of arXiv's API.

One record is in memory at a time. It is cut out of the text by its tags and parsed by itself,
without what the file declares before it: no entity is ever fetched or expanded, and a record that
is not well-formed costs no other. Elements have names without prefixes.
"""

import html
import re
from collections.abc import Callable, Container, Iterable, Iterator
from html.entities import html5
from typing import Any, ClassVar, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from stemma.extract.formats.body import INTRODUCTION, Body, Cell, PaperTable, mark, without_marks
from stemma.extract.formats.dates import date_of_parts
from stemma.extract.formats.document import REPLACED, Document, portions, storable
from stemma.extract.formats.link import PMC
from stemma.extract.formats.person_name import name_of_parts, person_names
from stemma.extract.formats.reader import Draft, DraftReader, Options, author, reference
from stemma.schema import Author, Reference
from stemma.schema.text_line import Line, too_long

_ROOT = re.compile(r"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>|\s++)*+<", re.S)
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z]\w{0,40};)")
_LONGEST_TAG = 4096
"""Characters of a tag that is recognised where a portion of the text ends within it."""
_DEEPEST = 200
"""Levels of a record that are distinguished; below, there is only text."""
_BAD = "not well-formed XML: {}"


class XmlReader(DraftReader):
    """Reads the elements with some tags, each as a draft."""

    root: ClassVar[re.Pattern[str]]
    """What the file's first element begins with, after ``<``."""
    tags: ClassVar[tuple[str, ...]]
    """The elements to take, without prefixes; one within another is a part of it."""

    def recognises(self, start: str) -> bool:
        """Recognise by the first element."""
        match = _ROOT.match(start.lstrip("\ufeff"))
        return bool(match and self.root.match(start.lstrip("\ufeff"), match.end()))

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the papers, an element in memory at a time."""
        longest = options.max_record_size
        for text in records(portions(document), self.tags, longest, document.note):
            yield from self.drafts_in(text, document)

    def drafts_in(self, record: Line[str], document: Document) -> Iterator[Draft]:
        """Read the papers in the text of an element, which begins at a line of the document."""
        line, text = record.number, storable(record.text)
        if text != record.text:
            document.note(REPLACED, line)
        try:
            element, unknown = parsed(text)
        except expat.ExpatError as error:
            reason = _BAD.format(expat.ErrorString(error.code))
            document.note(reason, line + error.lineno - 1, skipped=True)
            return
        if unknown:
            document.note(f"entities that are not known, such as {unknown!r}, are left out", line)
        yield from self.drafts_of(line, element)

    def drafts_of(self, line: int, element: Element) -> Iterator[Draft]:
        """Make drafts of an element: none, where it is no paper."""
        raise NotImplementedError


def records(
    texts: Iterable[Line[str]], tags: Iterable[str], longest: int, note: Callable[..., object]
) -> Iterator[Line[str]]:
    """Yield the texts of the elements with some tags, with the lines where they begin.

    `texts` are the portions of a document, with their lines. An element of more than `longest`
    characters is noted (as by `Document.note`), as is one that does not end before the next of its
    name.
    """
    tag = re.compile(rf"<(/?)((?:[\w.-]+:)?(?:{'|'.join(tags)}))(?:\s[^<>]*)?>")
    text, line, at, opened = "", 1, 0, ""
    for portion in texts:
        text, begin = text + portion.text, 0
        for match in tag.finditer(text, at):
            at = match.end()
            if match[0].endswith("/>") or (opened or match[2]) != match[2]:
                continue
            if opened and match[1]:
                yield Line(line, text[begin:at])
            elif opened:
                note(_BAD.format("an element without its end"), line, skipped=True)
            opened = "" if match[1] else match[2]
            line += text.count("\n", begin, match.start())
            begin = match.start()
        if len(text) - begin > longest and opened:
            note(too_long(longest), line, skipped=True)
            opened = ""
        kept = begin if opened else max(at, len(text) - _LONGEST_TAG)
        line += text.count("\n", begin, kept)
        at = max(at, len(text) - _LONGEST_TAG) - kept
        text = text[kept:]
    if opened:
        note(_BAD.format("the file ends within an element"), line, skipped=True)


def parsed(text: str) -> tuple[Element, str]:
    """Return the element that is a text, and an entity in it that is not known, if there is one.

    The entities of HTML are known, besides those of XML. Raises ExpatError.
    """
    unknown = ""

    def character(entity: re.Match[str]) -> str:
        nonlocal unknown
        if (meaning := html5.get(entity[1])) is None:
            unknown = entity[0]
        return html.escape(meaning or "", quote=False)

    builder, depth = TreeBuilder(), 0

    def begin(name: str, attributes: dict[str, Any]) -> None:
        nonlocal depth
        depth += 1
        if depth <= _DEEPEST:
            builder.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        if depth <= _DEEPEST:
            builder.end(name.rpartition(":")[2])
        depth -= 1

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = builder.data
    parser.Parse(_ENTITY.sub(character, text), True)
    return builder.close(), unknown


def marked_text(
    element: Element, citation: Callable[[Element], str | None], left_out: Container[str] = ()
) -> str:
    """Return the text of an element, with the citations in it marked.

    `citation` returns the key of an element that is one, `left_out` are tags that do not count.
    """
    key = citation(element)
    if key is not None:
        return mark(key, "".join(element.itertext()))
    parts = [without_marks(element.text or "")]
    for child in element:
        if child.tag not in left_out:
            parts.append(marked_text(child, citation, left_out))
        parts.append(without_marks(child.tail or ""))
    return "".join(parts)


def plain_text(element: Element) -> str:
    """Return the text of an element, without its markup."""
    return "".join(element.itertext()).strip()


def texts(element: Element, path: str) -> list[str]:
    """Return the texts of the elements at a path that are not blank."""
    return list(filter(None, map(plain_text, element.iterfind(path))))


def text(element: Element, *paths: str) -> str:
    """Return the first text at one of the paths that is not blank, else an empty one."""
    return next((value for path in paths for value in texts(element, path)), "")


def count(attribute: str | None) -> int:
    """Return a number of columns or rows that a cell spans, 1 where none is given."""
    return (
        min(int(attribute), 1000) if attribute and re.fullmatch(r"[1-9]\d{0,3}", attribute) else 1
    )


_ANNOUNCED = re.compile(r"arXiv:(\S+)\s+Announce Type:\s*(\S+)\s+Abstract:\s*(.*)", re.S)
"""How a feed begins an abstract."""
_ARXIV_FIELDS = "as in that snapshot"


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

    def drafts_of(self, line: int, element: Element) -> Iterator[Draft]:
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

    def drafts_of(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an entry, but not of one that reports an error."""
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
        blocks = (element for element in elements if element.tag not in self.left_out)
        return "\n\n".join(marked_text(element, self.cited, self.left_out) for element in blocks)

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
    """Reads articles in JATS, the XML of publishers and of PubMed Central: one, or a collection."""

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

    def drafts_of(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an article."""
        meta = element.find("front/article-meta")
        if meta is None:
            return
        ids = {id_.get("pub-id-type", ""): plain_text(id_) for id_ in meta.iter("article-id")}
        pmc = (ids.get("pmcid") or ids.get("pmc") or "").removeprefix("PMC")
        proper = (
            abstract
            for abstract in meta.iterfind("abstract")
            if abstract.get("abstract-type") not in _NO_ABSTRACT
        )
        dates = filter(None, map(_date, meta.iterfind("pub-date")))
        body = element.find("body")
        yield Draft(
            line,
            title=text(meta, "title-group/article-title"),
            abstract=next(map(_blocks, proper), ""),
            # A date with a day is before that of its month or year alone.
            published=min(dates, key=lambda date: f"{date}~", default=None),
            authors=list(_jats_authors(meta)),
            venue=text(element, "front/journal-meta//journal-title"),
            doi=ids.get("doi"),
            arxiv_id=ids.get("arxiv"),
            links=[f"{PMC}PMC{pmc}/"] if pmc else [],
            body=Body(
                _jats_sections(body, ()),
                {
                    cited.get("id") or f"#{i}": _jats_reference(cited)
                    for i, cited in enumerate(element.iterfind("back//ref-list/ref"))
                },
                _JATS.tables(body),
            ),
        )


def _jats_authors(meta: Element) -> Iterator[Author]:
    places = {}
    for element in meta.iter("aff"):
        institutions = texts(element, "institution") or texts(
            element, "institution-wrap/institution"
        )
        unlabelled = plain_text(element).removeprefix(text(element, "label")).strip()
        places[element.get("id")] = ", ".join(institutions) or unlabelled
    for element in meta.iterfind("contrib-group/contrib"):
        if element.get("contrib-type", "author") != "author":
            continue
        parts = (text(element, f".//{part}") for part in ("given-names", "surname", "suffix"))
        rids = (xref.get("rid") or "" for xref in element.iterfind("xref[@ref-type='aff']"))
        where = [places.get(rid, "") for rid in " ".join(rids).split()] or texts(element, "aff")
        yield author(
            text(element, "collab") or name_of_parts(*parts),
            text(element, "contrib-id[@contrib-id-type='orcid']"),
            "; ".join(filter(None, where)),
        )


def _blocks(element: Element) -> str:
    """Return a text with its paragraphs apart."""
    for part in element.iter():
        if part.tag in _BLOCKS and part is not element:
            part.tail = f"\n\n{part.tail or ''}"
    return "".join(element.itertext())


def _jats_sections(
    element: Element | None, headings: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the text of each section itself, then those within it."""
    if element is None:
        return
    paragraphs = _JATS.running_text(element)
    if paragraphs.strip():
        yield headings or (INTRODUCTION,), paragraphs
    for section in element.iterfind("sec"):
        yield from _jats_sections(section, (*headings, text(section, "title")))


def _date(element: Element) -> str | None:
    year, month, day = (text(element, part) for part in ("year", "month", "day"))
    return date_of_parts(year, month, day) if year.isdecimal() else None


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

    def drafts_of(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a document."""
        header = element.find("teiHeader")
        if header is None:
            return
        source = header.find("fileDesc/sourceDesc/biblStruct")
        source = Element("biblStruct") if source is None else source
        abstract = "profileDesc/abstract"
        dates = [
            date.get("when") or ""
            for place in ("fileDesc/publicationStmt/date", "fileDesc//imprint/date")
            for date in header.iterfind(place)
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
                    cited.get("xml:id") or f"#{i}": _tei_reference(cited)
                    for i, cited in enumerate(element.iterfind("text/back//listBibl/biblStruct"))
                },
                _TEI.tables(element.find("text")),
            ),
        )


def _tei_sections(body: Element | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield divisions with their headings: GROBID writes them in a row, with their numbers."""
    outer: dict[str, str] = {}
    for element in body.iter("div") if body is not None else ():
        head = element.find("head")
        number = (head.get("n") or "").strip(".") if head is not None else ""
        heading = outer[number] = plain_text(head) if head is not None else ""
        first = number.partition(".")[0]
        headings = (outer[first], heading) if first != number and first in outer else (heading,)
        yield headings, _TEI.running_text(element)


def _titled(element: Element, *levels: str) -> str:
    return text(element, *(f".//title[@level='{level}']" for level in levels))


def _identifier(element: Element, kind: str) -> str:
    ids = ((id_.get("type") or "", id_) for id_ in element.iter("idno"))
    return next((plain_text(id_) for name, id_ in ids if name.casefold() == kind.casefold()), "")


def _tei_author(element: Element) -> Author | None:
    parts = [*texts(element, "persName/forename"), *texts(element, "persName/surname")]
    places = (
        text(place, "orgName[@type='institution']") for place in element.iterfind("affiliation")
    )
    orcid = _identifier(element, "ORCID")
    return author(" ".join(parts), orcid, "; ".join(filter(None, places))) if parts else None


def _tei_reference(element: Element) -> Reference:
    arxiv = re.sub(r"(?i)^arxiv:|\[.*|\s", "", _identifier(element, "arXiv"))
    return reference(_titled(element, "a", "m"), _identifier(element, "DOI"), arxiv)
