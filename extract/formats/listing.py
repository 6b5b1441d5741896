"""Listings: saved "Daily Papers" pages, in blocks or in bare alternating lines.

A page has a header with its own date, then papers: title, abstract, and mostly a byline of
authors (or an organization) and a date, which leaves out the year the page was saved in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import MAXYEAR
from typing import NamedTuple

from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import RECORDS, REPLACED, lines, storable
from stemma.extract.formats.link import links_in
from stemma.extract.formats.listing_sections import Section, date_in, sections
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.identifier import paper_id
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.quantity import quantity
from stemma.schema.text_line import Line, shown_size, too_long, whole_lines

_SIZE_OF_A_LINE = 100
"""Bytes of memory, in addition to its text."""
_CUT = "\0"
"""Ends what is kept of a line that is too long: no other text holds it."""
_MARKUP = "this is HTML or XML in a format that is not known: save the page as text (*.txt)"
_NO_LISTING = (
    "not a listing of papers: expected titles and abstracts alternating, each on its own line, "
    "as in a saved Daily Papers page; a single paper is read as PDF, LaTeX, HTML or Markdown"
)
_PAGE_TEXT = re.compile(
    r"get trending papers in your email inbox.*|subscribe|daily papers|by ?ak and the .*community",
    re.I,
)
_JOINED = re.compile(r"Subscribe(?=\S)")
_JOINED_AT_THE_TOP = re.compile(r"Subscribe(?=[^\sa-z])")
_LONGEST_HEADER = 60  # lines
_LONGEST_TITLE = 300
_LONG = 200
_ENDS_A_SENTENCE = re.compile(r"[.!?。…][\"')\]”’}]*$")


class ListingReader(Reader):
    """Reads saved "Daily Papers" pages, known by their header or by the ending of their name."""

    name = "listing"
    description = "listings as text"
    fields = (
        'a saved "Daily Papers" page: title, abstract, authors or organization, date; or the short '
        "form, with alternating titles and abstracts"
    )
    endings = ("txt",)

    def recognises(self, start: str) -> bool:
        """Recognise by the header of the page."""
        page = [Line(number, text) for number, text in enumerate(start.splitlines()[:60], 1)]
        return _split_header(page).found and not start.lstrip().startswith("<")

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a listing: a page in memory, up to some times the largest record.

        A date without a year is of the year that `options` give; else of the year after the latest
        that the page spells out, which is the one that it was saved in; of a page that spells out
        none, it has no year.
        """
        longest = options.max_record_size
        yield from papers(lines(document, longest), document, options.year, longest)


def papers(
    lines: Iterable[Line[str] | Problem], document: Document, year: int | None, longest: int
) -> Iterator[Paper | Problem]:
    """Read the papers of a listing from its lines; see `ListingReader.read`."""
    page: list[Line[str]] = []
    room = RECORDS * longest
    for line in whole_lines(lines, longest):
        if isinstance(line, Problem):
            yield line
            continue
        text = storable(line.text)
        if text != line.text:
            yield Problem(document.name, line.number, REPLACED)
        page.append(Line(line.number, text if line.is_last else text + _CUT))
        room -= len(text) + _SIZE_OF_A_LINE
        if room < 0:
            most = shown_size(RECORDS * longest)
            reason = f"the listing was not read from here: it is larger than {most}; split it"
            yield Problem(document.name, line.number, reason)
            break
    if page:
        yield from _Listing(page, document, year, longest).papers()


class _Header(NamedTuple):
    """A listing without its header, and what the header contained."""

    body: list[Line[str]]
    """What follows; its first title is freed of the word that was joined to it."""
    found: bool
    """Whether there was one."""
    year: int | None
    """The year of the page's own date, which belongs to no paper; most pages leave it out."""


def _split_header(lines: list[Line[str]]) -> _Header:
    """Separate a listing from its header; a page that has none is all body."""
    start = _start_of_header(lines)
    found, year = start is not None, None
    for i, line in enumerate(lines[start or 0 :], start or 0):
        text = line.text.strip()
        if _PAGE_TEXT.fullmatch(text) or not text:
            continue
        joined = (_JOINED if found else _JOINED_AT_THE_TOP).match(text)
        if joined:
            first = Line(line.number, text[joined.end() :])
            return _Header([first, *lines[i + 1 :]], found=True, year=year)
        try:
            date = date_in(text)
        except ValueError:
            date = None
        if date is None:
            return _Header(lines[i:], found, year)
        found, year = True, date.year
    return _Header([], found, year)


def _start_of_header(lines: list[Line[str]]) -> int | None:
    """Return where the header's first well-known line stands, past a site's menu."""
    for i, line in enumerate(lines[:_LONGEST_HEADER]):
        text = line.text.strip()
        if _PAGE_TEXT.fullmatch(text):
            return i
        if len(text) > 200:  # an abstract: papers have begun
            return None
    return None


@dataclass(slots=True)
class _Entry:
    """A title, with the number of its line, and the paragraphs of its abstract."""

    title: Line[str]
    abstract: list[str]


def _alternate(paragraphs: list[Line[str]]) -> bool:
    """Return whether titles and abstracts take turns, so that each paragraph's part is certain."""
    titles, abstracts = paragraphs[0::2], paragraphs[1::2]
    unlikely = sum(not _is_heading(title) for title in titles)
    return (
        len(titles) == len(abstracts) > 0
        and unlikely * 4 < len(titles)
        and all(
            len(title.text) <= _LONGEST_TITLE
            and len(title.text) < len(abstract.text)
            and _is_prose(abstract)
            for title, abstract in zip(titles, abstracts, strict=True)
        )
    )


def _entries(paragraphs: list[Line[str]]) -> list[_Entry]:
    """Pair the paragraphs of a section; an abstract may have several of them.

    A later paragraph begins a new paper only if it reads like a title and prose follows it.
    """
    if _alternate(paragraphs):
        turns = zip(paragraphs[0::2], paragraphs[1::2], strict=True)
        return [_Entry(title, [abstract.text]) for title, abstract in turns]
    found: list[_Entry] = []
    for i, paragraph in enumerate(paragraphs):
        if not found or (found[-1].abstract and _begins_paper(paragraphs, i)):
            found.append(_Entry(paragraph, []))
        else:
            found[-1].abstract.append(paragraph.text)
    return found


def _begins_paper(paragraphs: list[Line[str]], i: int) -> bool:
    """Return whether paragraph `i` reads like a title that an abstract follows."""
    return _is_heading(paragraphs[i]) and i + 1 < len(paragraphs) and _is_prose(paragraphs[i + 1])


def _is_heading(paragraph: Line[str]) -> bool:
    """Return whether a paragraph reads like a title."""
    return len(paragraph.text) <= _LONGEST_TITLE and paragraph.text[-1] not in ".,:;"


def _is_prose(paragraph: Line[str]) -> bool:
    return len(paragraph.text) > _LONG or bool(_ENDS_A_SENTENCE.search(paragraph.text))


class _Listing:
    def __init__(
        self, page: list[Line[str]], document: Document, year: int | None, longest: int
    ) -> None:
        self.document, self.longest = document, longest
        self.ends_in_a_line = not page[-1].text
        self.header = _split_header(page)
        self.sections = list(sections(self.header.body))
        self.year = year or self._year_of_saving()

    def _year_of_saving(self) -> int | None:
        dates = (section.date for section in self.sections)
        years = [self.header.year or 0, *(date.year or 0 for date in dates if date)]
        return min(max(years) + 1, MAXYEAR) if any(years) else None

    def papers(self) -> Iterator[Paper | Problem]:
        if not self.sections:
            yield self._problem(None, "there are no papers in this file")
            return
        last = self.sections[-1]
        cut_title = last.paragraphs[-1] if self._ends_in_a_title(last) else None
        if cut_title:
            last.paragraphs.pop()
        if not self._is_listing():
            first = self.header.body[0]
            is_markup = first.text.lstrip().startswith("<")
            yield self._problem(first.number, _MARKUP if is_markup else _NO_LISTING)
            return
        for section in self.sections:
            yield from self._section(section)
        if cut_title:
            reason = f"the listing ends after a title, which was not read: {cut_title.text!r}"
            yield self._problem(cut_title.number, reason)
        elif not last.has_byline and self._ends_in_a_sentence_cut_off(last):
            reason = "the listing ends in the middle of this abstract; the text before was read"
            yield self._problem(last.paragraphs[-1].number, reason)

    def _is_listing(self) -> bool:
        return (
            self.header.found
            or self.sections[0].has_byline
            or _alternate(self.sections[0].paragraphs)
        )

    @staticmethod
    def _ends_in_a_title(section: Section) -> bool:
        paragraphs = section.paragraphs
        return not section.has_byline and len(paragraphs) % 2 == 1 and _is_heading(paragraphs[-1])

    def _ends_in_a_sentence_cut_off(self, section: Section) -> bool:
        if self.ends_in_a_line or not section.paragraphs:
            return False
        words = section.paragraphs[-1].text.split()
        return words[-1][-1].isalnum() and not links_in(words[-1])

    def _section(self, section: Section) -> Iterator[Paper | Problem]:
        paragraphs = section.paragraphs
        skipped = self._before_the_first_title(section)
        if skipped:
            reason = f"skipped {quantity(skipped, 'line')} before the first title"
            yield self._problem(paragraphs[0].number, reason)
        found = _entries(paragraphs[skipped:])
        for entry in found:
            yield from self._entry(entry, section if entry is found[-1] else None)
        for line in section.complaints:
            yield self._problem(*line)

    def _before_the_first_title(self, section: Section) -> int:
        """Count the lines of a header in words that are not known."""
        paragraphs = section.paragraphs
        first = section is self.sections[0] and not self.header.found
        if not first or len(paragraphs) <= 2 or _alternate(paragraphs):
            return 0
        titles = (i for i in range(len(paragraphs)) if _begins_paper(paragraphs, i))
        return next(titles, 0)

    def _entry(self, entry: _Entry, section: Section | None) -> Iterator[Paper | Problem]:
        title = entry.title
        if not entry.abstract and not _is_heading(title):
            reason = "an abstract without a title was skipped"
            yield self._problem(title.number, reason, skipped=True)
            return
        if any(_CUT in text for text in (title.text, *entry.abstract)):
            yield self._problem(title.number, too_long(self.longest), skipped=True)
            return
        if not entry.abstract:
            yield self._problem(title.number, "no abstract: only the title was read")
        abstract = "\n".join(entry.abstract)
        byline = section or Section()
        yield Paper(
            id=paper_id(title.text),
            title=title.text,
            abstract=abstract,
            author_count=byline.author_count,
            organization=byline.organization,
            links=links_in(abstract),
            sources=(self.document.source(title.number, byline.date, self.year),),
        )

    def _problem(self, line: int | None, reason: str, skipped: bool = False) -> Problem:
        return Problem(self.document.name, line, reason, skipped)
