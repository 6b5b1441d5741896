"""The text of an HTML page: paragraphs, sections, tables, references; and the paper that it shows.

They are read by what any page has, such as headings and links within the page: LaTeXML's and
TeX4ht's papers, articles of Distill and of blogs, and publishers' full texts. What other formats
say in fields is read from the first headings and lines, authors from those below the title.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from stemma.extract.formats.bibtex_reader import entries
from stemma.extract.formats.body import (
    APPENDIX,
    INTRODUCTION,
    LEAST_UNHEADED,
    Body,
    Cell,
    PaperTable,
    mark,
    marked_citation,
    under_headings,
    unmarked,
    without_marks,
)
from stemma.extract.formats.dates import is_date
from stemma.extract.formats.link import as_doi
from stemma.extract.formats.listing import SEPARATOR
from stemma.extract.formats.paper_text import (
    NO_TITLE,
    arxiv_id,
    begins_introduction,
    begins_references,
    ends_abstract,
    is_abstract_heading,
    is_usual_heading,
    named_references,
    numbered_references,
    printed_doi,
    with_marks,
)
from stemma.extract.formats.person_name import is_organisation, is_person, person_names
from stemma.extract.formats.reader import LONGEST_TITLE, Draft, author, one_line, reference
from stemma.extract.formats.xml_reader import count
from stemma.schema import Author, Reference

_BEGIN = re.compile(r"<(?:!doctype\s+html|html)\b", re.I)
_PARSER = {"encoding": "utf-8", "remove_comments": True, "remove_pis": True, "huge_tree": True}
_HIDDEN = {
    *("script", "style", "svg", "title", "noscript", "template", "button", "nav", "footer", "form"),
    *("pre", "aside", "select", "iframe", "object", "canvas", "d-front-matter"),
    *("d-appendix", "dt-appendix", "dt-fn", "d-footnote"),
}
_INLINE = {
    *("a", "abbr", "b", "cite", "code", "em", "font", "i", "img", "kbd", "label", "mark", "q", "s"),
    *("small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr", "br", "math", "mi", "mn"),
    *("mo", "mrow", "d-cite", "dt-cite", "d-footnote", "dt-fn", "d-math", "dt-math"),
}
_NOT_SHOWN = re.compile(r"display:\s*none")
_NOT_READ = re.compile(
    r"\bltx_(?:authors|note|ERROR|tag_bibitem|eqn_table|equation|equationgroup)\b|"
    r"^TOC\b|[Pp]rompt\b|^footnotes\b"
)
_BYLINE = re.compile(r"\b(?:author|date|subtitle)\b")
"""Classes of headings that are none."""
_RULE = re.compile(r"_{9,}")
_HEADING = re.compile(r"h([1-6])")
_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,3})|([IVX]{1,5})\.?(?= )|[A-Z](?=\.)((?:\.\d{1,2}){0,2}))\.? \S"
)
_UNTAGGED = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,2}\.? [A-Z][^.!?]{2,80}")
_LEAST_NUMBERED = 2
_ITEM = re.compile(r"(?:\[(?=\d{1,4}\])|(?=\d{1,4}\. ))(\d{1,4})[\].]\s*")
_RUNNING_HEAD = re.compile(r"\d{1,4} .{2,40} et al\.")
_LETTERED = re.compile(r"(?:Appendix )?[A-Z]\.\d?")
_LOWEST = 9
_CONTENT = "//d-article|//dt-article|//article|//main|//*[@role='main']"
_BIBTEX = "//script[@type='text/bibliography' or @type='text/bibtex']"
_LEAST_SHARE = 0.5
_LEAST_PARAGRAPH = 80


@dataclass(slots=True)
class Block:
    """A paragraph, heading or table, with the number of its first line."""

    text: str
    """On one line, with citations marked; of a table, its caption is another block."""
    line: int
    level: int = 0
    """Of a heading: 1 to 6."""
    rows: list[list[Cell]] = field(default_factory=list)
    """Of a table."""
    ids: list[str] = field(default_factory=list)
    """The ids of elements that begin in it or before it."""
    inside: bool = True
    """Whether it is in the element that holds most of the page's text, such as an article."""
    number: int = 0
    """Of an item of a numbered list."""
    links: list[str] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """The text of the block without the marks of citations."""
        return unmarked(self.text)


def parse(text: str) -> Any:
    """Return the root element of a page; None if there is none."""
    begin = _BEGIN.search(text)
    data = text[begin.start() if begin else 0 :].encode(errors="replace")
    try:
        return etree.fromstring(data, etree.HTMLParser(**_PARSER))
    except etree.LxmlError:
        return None


class PageText:
    """The blocks of a page, without menus and what is not shown."""

    def __init__(self, root: Any) -> None:
        self._cited = {each[1:] for each in root.xpath("//a/@href") if each.startswith("#")}
        self._is_tex4ht = bool(root.xpath("//meta[@name='generator'][contains(@content,'TeX4ht')]"))
        self._numbers: dict[str, int] = {}
        """Of works that are cited by their keys."""
        keys = (each.get("key", "").split(",") for each in root.iter("d-cite", "dt-cite"))
        self._keys = {key.strip() for listed in keys for key in listed}
        self._bibtex = "\n".join("".join(each.itertext()) for each in root.xpath(_BIBTEX))
        least = _LEAST_SHARE * _length(root)
        holds_most = [each for each in root.xpath(_CONTENT) if _length(each) > least]
        self._content = holds_most[-1] if holds_most else root
        self.blocks = self._blocks(root)

    def text(self, element: Any) -> str:
        """Return the text of an element, its paragraphs apart."""
        return "\n\n".join(block.shown for block in self._blocks(element))

    def body(self, first: int) -> Body:
        """Return the sections of the article and its references, from a block on."""
        blocks = [block for block in self.blocks[first:] if block.inside]
        listed = next(
            (i for i, block in enumerate(blocks) if begins_references(block.shown)), len(blocks)
        )
        references = {
            key: reference(draft.title, as_doi(draft.doi or ""))
            for key, draft in entries(self._bibtex)
            if key in self._keys
        } or _references(blocks[listed + 1 :], self._cited)
        blocks = blocks[:listed]
        _set_levels(self.blocks, blocks)
        marked = partial(with_marks, references=references)
        tables = [table.mapped(marked) for table in _tables(blocks)]
        # Where links lead to the entries, citations need not be looked for; tables may have none.
        if self._cited.isdisjoint(references) and not self._numbers:
            for block in blocks:
                block.text = marked(block.text)
        return Body(_sections(blocks), references, tables)

    def _blocks(self, root: Any) -> list[Block]:
        """Return the blocks of an element, whose tags begin and end them if they are not inline."""
        gathered = _Gathered()
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if element.tag not in _INLINE or (self._is_tex4ht and _is_anchor(element)):
                gathered.end_block()
            if event == "end":
                gathered.leave(element, self._content)
                if element is not root:
                    # The line of what follows an element is not known: that of its beginning is.
                    gathered.add(without_marks(element.tail or ""), element.sourceline or 0)
                continue
            gathered.enter(element, self._content)
            text = self._inline(element)
            if element.tag == "table" and text is None and not element.xpath(".//table"):
                gathered.add_table(self._rows(element), element.sourceline or 0)
                text = ""
            if text is not None:
                walk.skip_subtree()
            text = without_marks(element.text or "") if text is None else text
            gathered.add(text, element.sourceline or 0)
        gathered.end_block()
        return gathered.blocks

    def _inline(self, element: Any) -> str | None:
        """Return the text of an element that is a citation, a formula or hidden; else None."""
        tag, target = element.tag, element.get("href", "")
        named = element.get("class") or element.get("id", "")
        if formula := _formula(element):
            return f"${without_marks(formula)}$"
        if tag in _HIDDEN or element.get("aria-hidden") == "true":
            return ""
        if _NOT_SHOWN.search(element.get("style", "")) or _NOT_READ.search(named):
            return ""
        if tag in ("d-cite", "dt-cite"):
            return marked_citation(element.get("key", ""), self._numbers)
        if tag == "a" and target.startswith("#") and len(target) > 1:
            text = "".join(element.itertext())
            return mark(target[1:], text) if any(map(str.isalnum, text)) else ""
        return " " if tag == "br" else None

    def _rows(self, table: Any) -> list[list[Cell]]:
        return [
            [
                Cell(
                    " ".join(block.text for block in self._blocks(cell)),
                    *(count(cell.get(name)) for name in ("colspan", "rowspan")),
                )
                for cell in row
                if cell.tag in ("td", "th")
            ]
            for row in table.iter("tr")
        ]


class _Gathered:
    """The blocks of a page up to a place, and the one that is open, with its words."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open, self._words = Block("", 0), list[str]()
        self._level, self._inside = 0, False
        self._items: dict[Any, int] = {}
        """How many items of each numbered list there were."""

    def enter(self, element: Any, content: Any) -> None:
        """Note what the beginning of an element says of the text in it."""
        self._inside = self._inside or element is content
        heading = _HEADING.fullmatch(element.tag)
        if heading and not _BYLINE.search(element.get("class", "")):
            self._level = int(heading[1])
        self._open.ids += filter(None, (element.get("id"), element.get("name")))
        self._open.links += [to for to in (element.get("href"),) if to and "://" in to]
        if element.tag == "li" and (listed := element.getparent()).tag == "ol":
            before = self._items.get(listed, count(listed.get("start")) - 1)
            self._open.number = self._items[listed] = before + 1
        if element.tag == "sup" and self._words and self._words[-1][-1:].isdigit():
            self._words.append("^")

    def leave(self, element: Any, content: Any) -> None:
        """Note that an element has ended."""
        if _HEADING.fullmatch(element.tag):
            self._level = 0
        self._inside = self._inside and element is not content

    def add(self, text: str, line: int) -> None:
        """Add a text to the block; the separator of listings is a block of its own."""
        if text.strip() == SEPARATOR:
            self.end_block()
            self.blocks.append(Block(SEPARATOR, line, inside=self._inside))
        elif text:
            self._open.line = self._open.line if self._words else line
            self._words.append(text)

    def add_table(self, rows: list[list[Cell]], line: int) -> None:
        """Add a table."""
        self.blocks.append(Block("", line, 0, rows, self._open.ids, self._inside))
        self._open.ids = []

    def end_block(self) -> None:
        """End a block, if it has a text."""
        text = " ".join(_RULE.sub("", "".join(self._words)).split())
        self._words.clear()
        if text:
            block, self._open = self._open, Block("", 0)
            block.text, block.level, block.inside = text, self._level, self._inside
            self.blocks.append(block)


def _formula(element: Any) -> str:
    """Return the LaTeX of a formula, as LaTeXML, KaTeX, MathJax and Distill keep it."""
    if element.tag == "math":
        tex = element.xpath(".//annotation[@encoding='application/x-tex']")
        return element.get("alttext") or "".join(tex[0].itertext() if tex else ()).strip()
    if element.tag in ("d-math", "dt-math"):
        return "".join(element.itertext()).strip()
    return element.get("aria-label", "") if "mjx-math" in element.get("class", "") else ""


def _length(element: Any) -> int:
    """Return the number of characters of an element's paragraphs."""
    return sum(len("".join(each.itertext())) for each in element.iter("p"))


def _is_anchor(element: Any) -> bool:
    """Return whether an element is a mark for links alone: TeX4ht sets it around headings."""
    return element.tag == "a" and not element.get("href") and not "".join(element.itertext())


def _set_levels(page: Sequence[Block], blocks: Sequence[Block]) -> None:
    """Set the levels of headings by their numbers, which say more than what converters write.

    If all headings are alike, those without a number are below those that have one.
    """
    untagged = [block for block in blocks if not block.level and _UNTAGGED.fullmatch(block.shown)]
    headings = [block for block in blocks if block.level]
    if len(untagged) > 2 * len(headings):  # as TeX4ht writes them
        headings = untagged
        for each in untagged:
            each.level = 2
    for heading in headings:
        heading.level *= not _RUNNING_HEAD.fullmatch(heading.text)
    headings = [heading for heading in headings if heading.level]
    depths = [(heading, _depth(heading.shown, headings)) for heading in headings]
    numbered = [block.level for block, depth in depths if depth is not None]
    if len(numbered) < _LEAST_NUMBERED:
        return
    base = numbered[0]
    within = [block for block in blocks if block.level]
    alike = any(block.level == base and block not in within for block in page)
    for each, depth in depths:
        if depth is not None:
            each.level = base + depth
        elif is_usual_heading(each.shown):
            each.level = base
        elif alike or each.level < base:
            each.level = _LOWEST


def _depth(heading: str, headings: Sequence[Block]) -> int | None:
    """Return how deep a heading is by its number: "2" is 0, "2.1" is 1; None if it has none."""
    match = _NUMBERED.match(heading)
    if not match:
        return None
    if match[1]:
        return match[1].count(".")
    return 0 if match[2] else _has_roman(headings) + (match[3] or "").count(".")


def _has_roman(headings: Sequence[Block]) -> bool:
    """Return whether the sections have Roman numerals, and letters their subsections."""
    return any(heading.text.startswith(("II ", "II.")) for heading in headings if heading.level)


def _references(blocks: Sequence[Block], cited: set[str]) -> dict[str, Reference]:
    """Return the entries of a list, by the ids that links go to and by numbers, or by authors."""
    listed: list[tuple[str, str, list[str]]] = []
    for block in blocks:
        if block.level:
            if listed:
                break
            continue
        text = f"[{block.number}] {block.shown}" if block.number else block.shown
        key = next((key for key in block.ids if key in cited), "")
        numbered = _ITEM.match(text)
        if key or numbered:
            listed.append((key, numbered[1] if numbered else "", []))
        if listed:
            listed[-1][2].append(text[numbered.end() :] if numbered else text)
    if not listed:
        return named_references(block.shown for block in blocks if not block.level)
    entries_ = "\n".join(f"[{i}] {' '.join(each[2])}" for i, each in enumerate(listed, 1))
    read = numbered_references(entries_)
    return {
        key: read[str(i)]
        for i, (*keys, _) in enumerate(listed, 1)
        for key in keys
        if key and str(i) in read
    }


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[list[str], str]]:
    """Yield the texts between headings, each with the headings that it is under."""
    unheaded, sections = list[str](), list[tuple[int, str, list[str]]]()
    for block in blocks:
        if block.level:
            sections.append((block.level, block.shown, []))
        elif not block.rows:
            (sections[-1][2] if sections else unheaded).append(block.text)
    # Beside names and dates.
    introduction = "\n\n".join(text for text in unheaded if len(text) > _LEAST_PARAGRAPH)
    if len(introduction) > LEAST_UNHEADED:
        yield [INTRODUCTION], introduction
    has_roman = _has_roman(blocks)
    joined = ((level, heading, "\n\n".join(texts)) for level, heading, texts in sections)
    for headings, text in under_headings(joined):
        is_appendix = not has_roman and _LETTERED.match(headings[0])
        yield [APPENDIX, *headings] if is_appendix else headings, text


def _tables(blocks: Sequence[Block]) -> Iterator[PaperTable]:
    """Yield the tables; a caption stands right before or after, and begins with "Table"."""
    for i, block in enumerate(blocks):
        if block.rows:
            near = (blocks[at].text for at in (i - 1, i + 1) if 0 <= at < len(blocks))
            caption = next((text for text in near if text.casefold().startswith("table")), "")
            yield PaperTable(caption, block.rows)


_MARK = re.compile(
    r"\$[^$\n]{0,60}\$|\([^()\n]{0,40}\)|[\d*∗⋆†‡§¶#!?”“®˚^✉¹²³⁴⁵⁶⁷⁸⁹⁰]+|<[^<>\n]{0,100}>|"
    r"\{[^{}\n]{0,200}\}\s?@\s?\S{1,100}|\S{1,100}@\S{1,100}"
)
_MOST_LINES, _LONGEST_LINE = 100, 5000
_ACM = re.compile(r"^(?:ACM ?Reference Format:?\s*)?([^.]\D{5,1500}?)\. (?:19|20)\d\d\. ", re.I)
_ACM_HEADING = re.compile(r"ACM ?Reference Format\b", re.I)
_ABSTRACT = re.compile(r"\A(?:abstract|summary)\b[\s.:—–-]*", re.I)
_PUBLISHED = re.compile(r"(?:first )?(?:published|posted)(?: on)?\b[ :]*(.{0,40})", re.I)
_FOOTNOTE = re.compile(r"[\s^*∗†‡§]+$")
_FIRST_HEADINGS = 2
"""Among these, "Summary" is the abstract; later, it is the conclusion."""
_LEAST_PARAGRAPHS, _LONG_PARAGRAPH = 5, 100
"""How many paragraphs, of how many characters, an article has, and a page of links has not."""


def authors_between(lines: Iterable[str]) -> list[Author]:
    """Return the authors in lines below a title, those of lines with names alone."""
    found: dict[str, Author] = {}
    in_reference = False
    for line in islice(lines, _MOST_LINES):
        in_reference |= bool(_ACM_HEADING.match(line))
        if in_reference and (cited := _ACM.match(line)):
            return [author(name) for name in person_names(cited[1])]
        for name in _names(line[:_LONGEST_LINE]):
            found.setdefault(name, author(name))
    return list(found.values())


def _names(line: str) -> list[str]:
    if _PUBLISHED.fullmatch(line):
        return []
    plain = one_line(_MARK.sub(",", line.replace("·", ","))).strip(" ,.#")
    parts = [name.strip(" .,") for name in person_names(plain)]
    *first, last = parts or [""]
    if len(first) > 1 and is_organisation(last):  # Ann Sand, Bo Pot, Cy Mill Kiln University
        parts = [*first, " ".join(last.split()[:2])]
    return parts if parts and all(map(is_person, parts)) else []


class Article(NamedTuple):
    """The paper that the blocks of a page show, as a draft, and where its sections begin."""

    draft: Draft
    first: int
    """The block with which its sections begin."""
    has_introduction: bool
    """Whether it has a heading that papers have."""
    is_long: bool
    """Whether it has headings and paragraphs, as an article."""


def read_article(page: PageText, name: str, stated: str = "", marked: str = "") -> Article:
    """Read the title page that a text shows; `name` is that of its file.

    `stated` is a title that is known, `marked` a text that is known to be the abstract.
    """
    blocks = page.blocks
    begin = _abstract(blocks, marked)
    title = _title(blocks[:begin], stated)
    first = top = 0 if title is None else title + 1
    abstract, above = marked, blocks[:begin] if begin is not None else blocks
    if begin is not None:
        ends = (i for i in range(begin + 1, len(blocks)) if _ends(blocks[i]))
        first = next(ends, len(blocks))
        abstract = marked or "\n\n".join(block.shown for block in blocks[begin:first])
    else:
        heads = (i for i in range(top, len(blocks)) if blocks[i].level and blocks[i].inside)
        if (head := next(heads, None)) is not None:
            above = blocks[:head]
            if begins_introduction(blocks[head].shown) and _is_paper(blocks[head:]):
                abstract = "\n\n".join(block.shown for block in above[top:] if _is_long(block))
                first = head
    text = "\n".join(block.shown for block in above)
    below = [block.shown for block in above[top:]]
    sections = [block for block in blocks[first:] if block.inside]
    draft = Draft(
        1,
        title=_FOOTNOTE.sub("", blocks[title].shown) if title is not None else stated,
        abstract=_ABSTRACT.sub("", abstract, count=1).strip(),
        published=next(filter(is_date, _dates(below)), None),
        authors=authors_between(below),
        doi=printed_doi(text),
        arxiv_id=arxiv_id(name, text),
    )
    return Article(
        draft,
        first,
        any(is_usual_heading(section.shown) for section in sections),
        (any(section.level for section in sections) or bool(abstract))
        and sum(map(_is_long, sections)) >= _LEAST_PARAGRAPHS,
    )


def _abstract(blocks: Sequence[Block], marked: str) -> int | None:
    """Return the number of the block in which the abstract, or its heading, begins.

    A summary is an abstract only under the first heading.
    """
    headings = 0
    for i, block in enumerate(blocks):
        headings += bool(block.level)
        is_heading = is_abstract_heading(block.shown)
        if headings > _FIRST_HEADINGS and block.shown.casefold().startswith("summary"):
            continue
        if is_heading or (marked and block.text and block.shown in marked):
            return i
    return None


def _title(blocks: Sequence[Block], stated: str) -> int | None:
    """Return the number of the block that is the title: that which is known, or a heading."""

    def good(i: int) -> bool:
        text = blocks[i].shown
        return 8 < len(text) <= LONGEST_TITLE and not NO_TITLE.match(text)

    if stated:
        return next(
            (i for i, block in enumerate(blocks) if block.level and block.shown in stated), None
        )
    able = [i for i in range(len(blocks)) if good(i) and not is_usual_heading(blocks[i].shown)]
    ranked = sorted(able, key=lambda i: (blocks[i].level != 1, not blocks[i].level, i))
    return next(iter(ranked), None)


def _ends(block: Block) -> bool:
    return bool(block.level or ends_abstract(block.shown) or is_usual_heading(block.shown))


def _is_paper(blocks: Sequence[Block]) -> bool:
    """Return whether headings from the introduction on are a paper's, not a manual's."""
    named = (is_usual_heading(block.shown) or begins_references(block.shown) for block in blocks)
    return (blocks[0].shown[:1] in "1I" and blocks[0].shown[1:2] in ". ") or sum(
        map(bool, named)
    ) > 1


def _is_long(block: Block) -> bool:
    return not block.level and len(block.text) >= _LONG_PARAGRAPH


def _dates(lines: Sequence[str]) -> list[str]:
    """Return what stands behind, or below, the word "Published"."""
    found = zip(map(_PUBLISHED.fullmatch, lines), [*lines[1:], ""], strict=False)
    return [match[1].strip(" .") or below for match, below in found if match]
