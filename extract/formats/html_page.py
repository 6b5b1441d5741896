"""HTML: saved "Daily Papers" pages, pages that describe a paper, and papers by LaTeXML."""

import dataclasses
import html
import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import orjson

from stemma.extract.formats import listing
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, in_order
from stemma.extract.formats.json_reader import fields, items, string
from stemma.extract.formats.link import as_doi
from stemma.extract.formats.listing_section import SEPARATOR
from stemma.extract.formats.markdown import converted
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_text
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line

_IS_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype html|html)", re.I | re.S
)
_MARKS = re.compile(
    r"Daily Papers|dailyPapers|citation_title|paper-central|ltx_document|LaTeXML|PaperPage|"
    r"[\"']dc(?:terms)?[.:]title|[\"']ScholarlyArticle[\"']",
    re.I,
)
_ABSTRACT = re.compile(r"(?:^|[-_\s])abstract(?:$|[-_\s])", re.I)
_ABSTRACT_HEADING = re.compile(r"abstract\b[\s.:—–-]*", re.I)
_NOT_READ = re.compile(r"\bltx_(?:authors|note|ERROR)\b")
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_TABLE_TAGS = {"table", "tr", "td", "th"}
_HIDDEN = {"script", "style", "svg", "head", "noscript", "template", "button", "nav", "footer"}
_INLINE = {
    *("a", "abbr", "b", "cite", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span"),
    *("strong", "sub", "sup", "time", "u", "var", "wbr", "math", "mi", "mo", "mn", "mrow"),
}
_LISTS = ("dailyPapers", "papers", "trendingPapers", "results")


class HtmlReader(Reader):
    """Reads the papers that a page holds as data, in its tags, or else in its text."""

    name = "html"
    description = "listings and pages of papers as HTML"
    fields = (
        'a saved "Daily Papers" page, as a listing; or a page of a paper: `citation_title`, '
        "`dc.title` and similar meta tags, JSON-LD, and the abstract on the page, such as those of "
        "arXiv, the ACL Anthology, OpenReview, Hugging Face and publishers; or arXiv's HTML "
        "(LaTeXML): title, abstract, arXiv id, sections, tables"
    )
    begins = "<"

    def recognises(self, start: str) -> bool:
        """Recognise by what such pages have in their head."""
        return bool(_IS_HTML.match(start.lstrip("\ufeff")) and _MARKS.search(start))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a page, which is held in memory."""
        text, problems = whole_text(document, options.max_record_size)
        yield from problems
        if not text:
            return
        page = _Page()
        try:
            page.feed(text)
            page.close()
        except (AssertionError, ValueError, RecursionError) as error:
            yield Problem(
                document.name, page.getpos()[0], f"invalid HTML from this line on: {error}"
            )
        paper = None if page.listed else page.paper(document.name, options.full_text)
        if paper and not paper.abstract:
            reason = "no abstract was found: only the title was read"
            yield Problem(document.name, 1, reason)
        if drafts := page.listed or ([paper] if paper else []):
            for draft in drafts:
                yield from draft.read(document, options.year)
            return
        yield from listing.papers(page.lines(), document, options.year, options.max_record_size)


class _Page(HTMLParser):
    """The text of a page in lines, and the papers that its tags describe."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: dict[str, list[str]] = defaultdict(list)
        self.listed: list[Draft] = []
        self._lines: list[Line[str]] = []
        self._words: list[str] = []
        self._hidden = self._line = 0
        self._linked_data: list[str] | None = None
        self._records: list[dict[str, Any]] = []
        self._text: list[str] = []
        self._begin = ""
        self._is_paper = False
        self._left_out = _Element()
        self._abstract = _Element()
        self._abstract_lines: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = (own.get("name") or own.get("property") or "").casefold()
            name = re.sub(r"^dc(?:terms)?[.:]", "dc.", name)
            if name.startswith(("citation_", "dc.")):
                self.tags[name].append(own.get("content", ""))
        elif tag == "script" and own.get("type", "").casefold() == "application/ld+json":
            self._linked_data = []
        elif "data-props" in own and not self.listed:
            self.listed = list(_listed(own["data-props"], self.getpos()[0]))
        if tag in _HIDDEN:
            self._hidden += 1
        named = f"{own.get('class', '')} {own.get('id', '')}"
        self._is_paper |= "ltx_document" in named
        if tag == "br" and self._begin:
            self._words.append(" ")
        elif tag not in _INLINE and not self._left_out.tag:
            self._end_line()
        if tag == "math" and own.get("alttext") and not self._left_out.tag:
            self._words.append(f"${own['alttext']}$")
            self._left_out.open(tag, True)
        else:
            self._left_out.open(tag, bool(_NOT_READ.search(named)))
        if not self._abstract_lines and tag not in _INLINE and tag != "body":
            self._abstract.open(tag, bool(_ABSTRACT.search(named)))
        elif self._abstract.tag:
            self._abstract.open(tag, False)
        self._begin = _HEADINGS.get(tag, self._begin)
        if tag in _TABLE_TAGS and self._is_paper:
            span = "".join(
                f' {each}="{own[each]}"' for each in ("colspan", "rowspan") if each in own
            )
            self._text.append(f"<{tag}{span}>")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._linked_data is not None:
            self._records += _linked("".join(self._linked_data))
            self._linked_data = None
        if tag in _HIDDEN:
            self._hidden = max(self._hidden - 1, 0)
        self._left_out.close(tag)
        if tag not in _INLINE and tag != "br" and not self._left_out.tag:
            self._end_line()
        self._abstract.close(tag)
        if tag == "table" and self._is_paper:
            self._text.append("</table>")

    def handle_data(self, data: str) -> None:
        if self._linked_data is not None:
            self._linked_data.append(data)
        if self._hidden or self._left_out.tag or not data:
            return
        if data.strip() == SEPARATOR:
            self._end_line()
            self._lines.append(Line(self.getpos()[0], SEPARATOR))
            return
        if not self._words:
            self._line = self.getpos()[0]
        self._words.append(data)

    def _end_line(self) -> None:
        text = " ".join("".join(self._words).split()).removeprefix("Published on ")
        self._words.clear()
        if text:
            self._lines.append(Line(self._line, text))
            self._text.append(f"{self._begin}{html.escape(text, quote=False)}")
            if self._abstract.tag:
                self._abstract_lines.append(text)
        self._begin = ""

    def lines(self) -> Iterator[Line[str]]:
        """Return the text of the page; its last line has an end."""
        self._end_line()
        yield from self._lines
        if self._lines:
            yield Line(self._lines[-1].number + 1, "")

    def paper(self, name: str, full_text: bool) -> Draft | None:
        """Return the paper that the page is about: by its tags, its linked data, or its text."""
        shown = self._is_paper and converted("\n\n".join(self._text), name, full_text)
        draft = self._described()
        for record in self._records:
            _complete(draft, _linked_draft(record))
        if shown:
            _complete(draft, shown)
        # What the page shows is more often all of the abstract than a description of the page is.
        draft.abstract = (
            draft.abstract
            or _ABSTRACT_HEADING.sub("", "\n\n".join(self._abstract_lines), count=1).strip()
            or self._under_heading()
            or without_markup(next(iter(self.tags["dc.description"]), ""))
        )
        return draft if draft.title else None

    def _under_heading(self) -> str:
        """Return what the page shows under the heading "Abstract"."""
        found: list[str] = []
        within = False
        for line in self._text:
            if line.startswith("#"):
                if within and found:
                    break
                within = bool(_ABSTRACT_HEADING.fullmatch(line.lstrip("# ")))
            elif within and not line.startswith("<"):
                found.append(html.unescape(line))
        return "\n\n".join(found)

    def _described(self) -> Draft:
        """Return the paper that the tags of the page describe."""

        def first(*names: str) -> str:
            return next((value for name in names for value in self.tags[name] if value), "")

        return Draft(
            1,
            title=without_markup(first("citation_title", "dc.title")),
            abstract=without_markup(first("citation_abstract")),
            published=first(
                *("citation_date", "citation_publication_date", "citation_online_date"),
                *("citation_year", "dc.date", "dc.issued"),
            )
            or None,
            authors=[
                author(in_order(each))
                for each in self.tags["citation_author"] or self.tags["dc.creator"]
            ],
            venue=first(
                *("citation_journal_title", "citation_conference_title", "citation_conference")
            ),
            doi=first("citation_doi") or next(filter(as_doi, self.tags["dc.identifier"]), None),
            arxiv_id=first("citation_arxiv_id"),
            links=self.tags["citation_public_url"],
        )


class _Element:
    """An element that is open: `tag` is empty while none is."""

    def __init__(self) -> None:
        self.tag, self._depth = "", 0

    def open(self, tag: str, begins: bool) -> None:
        """Note a tag, which may begin the element, or be within it."""
        if self.tag == tag:
            self._depth += 1
        elif begins and not self.tag:
            self.tag, self._depth = tag, 1

    def close(self, tag: str) -> None:
        """Note the end of a tag."""
        if self.tag == tag:
            self._depth -= 1
            if not self._depth:
                self.tag = ""


def _complete(draft: Draft, other: Draft) -> None:
    """Take from another draft what this one does not say."""
    for each in dataclasses.fields(Draft):
        if not getattr(draft, each.name):
            setattr(draft, each.name, getattr(other, each.name))


def _linked(text: str) -> list[dict[str, Any]]:
    """Return the papers in the linked data (JSON-LD) of a page."""
    try:
        waiting: list[Any] = [orjson.loads(text)]
    except ValueError:
        return []
    found: list[dict[str, Any]] = []
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            kinds = value.get("@type")
            if "ScholarlyArticle" in (kinds if isinstance(kinds, list) else [kinds]):
                found.append(value)
            else:
                waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


def _linked_draft(record: dict[str, Any]) -> Draft:
    people = record.get("author")
    names = (
        string(fields(each).get("name")) or string(each)
        for each in (people if isinstance(people, list) else [people])
    )
    addresses = (string(record.get(each)) for each in ("sameAs", "identifier", "@id", "url"))
    return Draft(
        1,
        title=without_markup(string(record.get("headline")) or string(record.get("name"))),
        abstract=without_markup(
            string(record.get("abstract")) or string(record.get("description"))
        ),
        published=string(record.get("datePublished")) or None,
        authors=[author(each) for each in names if each.strip()],
        venue=string(fields(record.get("isPartOf")).get("name")),
        doi=next(filter(as_doi, addresses), None),
    )


def _listed(props: str, line: int) -> Iterator[Draft]:
    """Read the papers in the data of a page's component."""
    try:
        data = fields(orjson.loads(props))
    except ValueError:
        return
    own = [data] if string(fields(data.get("paper")).get("summary")) else []
    for each in next((items(data[name]) for name in _LISTS if items(data.get(name))), own):
        paper: dict[str, Any] = fields(fields(each).get("paper")) or fields(each)
        if not string(paper.get("title")):
            continue
        people = (string(fields(who).get("name")) for who in items(paper.get("authors")))
        organization = fields(paper.get("organization")) or fields(fields(each).get("organization"))
        yield Draft(
            line,
            title=string(paper.get("title")),
            abstract=string(paper.get("summary")) or string(paper.get("abstract")),
            published=string(paper.get("publishedAt")) or None,
            authors=[author(who) for who in people if who.strip()],
            organization=string(organization.get("fullname")) or string(organization.get("name")),
            arxiv_id=string(paper.get("id")),
        )
