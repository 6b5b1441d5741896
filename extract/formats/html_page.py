"""HTML: saved "Daily Papers" pages, and pages of a paper with tags for Google Scholar."""

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
from stemma.extract.formats.listing_byline import SEPARATOR
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_text
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line

_IS_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype html|html)", re.I | re.S
)
_MARKS = re.compile(r"Daily Papers|dailyPapers|citation_title|paper-central", re.I)
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
        'a saved "Daily Papers" page, as a listing; or a page with `citation_title` and '
        "similar meta tags, such as those of arXiv and publishers"
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
        drafts = page.listed or ([page.described] if page.tags["citation_title"] else [])
        if drafts:
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

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = (own.get("name") or own.get("property") or "").casefold()
            if name.startswith("citation_"):
                self.tags[name].append(own.get("content", ""))
        elif "data-props" in own and not self.listed:
            self.listed = list(_listed(own["data-props"], self.getpos()[0]))
        if tag in _HIDDEN:
            self._hidden += 1
        if tag not in _INLINE:
            self._end_line()

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(self._hidden - 1, 0)
        if tag not in _INLINE:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._hidden or not data:
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

    def lines(self) -> Iterator[Line[str]]:
        """Return the text of the page; its last line has an end."""
        self._end_line()
        yield from self._lines
        if self._lines:
            yield Line(self._lines[-1].number + 1, "")

    @property
    def described(self) -> Draft:
        """The paper that the tags of the page describe."""

        def first(*names: str) -> str:
            return next((value for name in names for value in self.tags[f"citation_{name}"]), "")

        return Draft(
            1,
            title=without_markup(first("title")),
            abstract=without_markup(first("abstract")),
            published=first("date", "publication_date", "online_date", "year") or None,
            authors=[author(in_order(each)) for each in self.tags["citation_author"]],
            venue=first("journal_title", "conference_title", "conference"),
            doi=first("doi"),
            arxiv_id=first("arxiv_id"),
            links=self.tags["citation_public_url"],
        )


def _listed(props: str, line: int) -> Iterator[Draft]:
    """Read the papers in the data of a page's component."""
    try:
        data = fields(orjson.loads(props))
    except ValueError:
        return
    for each in next((items(data[name]) for name in _LISTS if items(data.get(name))), []):
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
