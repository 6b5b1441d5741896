"""Listings: saved "Daily Papers" pages, in blocks or in bare alternating lines.

A page has a header with its own date, then papers: title, abstract, and mostly a byline of
authors (or an organization) and a date, which leaves out the year the page was saved in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import MAXYEAR
from typing import NamedTuple

from stemma.extract.formats.dates import MONTH, MONTHS
from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import RECORDS, lines, storable
from stemma.extract.formats.link import links_in
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.identifier import paper_id
from stemma.schema.paper import Paper
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem
from stemma.schema.quantity import quantity
from stemma.schema.text_line import Line, shown_size, too_long, whole_lines

_WIDEST_WRAPPED = 100  # columns
_LONGEST_ORGANIZATION = 100
_LONGEST_DATE = 40
SEPARATOR = "·"
"""Stands on a line of its own between the authors and the date."""
_AUTHORS = re.compile(r"(?:[•·]\s*)?([0-9]{1,6})\s+authors?|•\s*([0-9]{1,6})\s+\w+", re.I)
_DATE = re.compile(rf"{MONTH}\.?\s+([0-9]{{1,2}})(?:,\s*([0-9]{{4}}))?(?:\s+[0-9.,]+k?)?", re.I)
_SIZE_OF_A_LINE = 100
"""Bytes of memory, in addition to its text."""
_CUT = "\0"
"""Ends what is kept of a line that is too long: no other text holds it."""
_MARKUP = "this is HTML or XML in a format that is not known: save the page as text (*.txt)"
_NO_LISTING = (
    "not a listing of papers: expected titles and abstracts alternating, each on its own line, "
    "as in a saved Daily Papers page; or one paper with the headings Abstract and Introduction"
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


@dataclass(frozen=True, slots=True)
class Byline:
    """Who wrote a paper and when, as far as a listing says."""

    author_count: int | None = None
    organization: str | None = None
    date: PartialDate | None = None


def _author_count_in(line: str) -> int | None:
    """Return the number of a line such as ``• 5 authors``, None for any other line."""
    found = _AUTHORS.fullmatch(line)
    return int(found[1] or found[2]) if found else None


def _organization_in(line: str) -> str:
    """Return the name of an organization, without the account's name that listings put before it.

    ``ReactiveAI Reactive AI`` is Reactive AI; ``Allen Institute`` has no account's name.
    """
    account, _, name = line.partition(" ")
    name = name.strip()
    if not name:
        return line
    half = len(line) // 2
    if line[:half].strip() == line[half:].strip():
        return line[half:].strip()
    initials = "".join(character for character in name if character.isupper())
    same = _letters(name).startswith(_letters(account)) or initials.endswith(account)
    is_account = same or account.islower() or re.search(r"[-_0-9]", account)
    return name if is_account else line


def date_in(line: str) -> PartialDate | None:
    """Read a date such as ``Oct 10, 2017`` or ``Oct 10``; a number of votes may follow it.

    None where it is no date in English; ValueError where there is no such day.
    """
    if not (found := _DATE.fullmatch(line)):
        return None
    month = MONTHS.index(found[1][:3].casefold()) + 1
    return PartialDate(int(found[3]) if found[3] else None, month, int(found[2]))


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


class Row(NamedTuple):
    """A line that is not blank, without outer whitespace."""

    number: int
    text: str
    opens_block: bool
    """Whether a blank line, or nothing, stands before it."""


@dataclass(slots=True)
class Section:
    """Paragraphs of titles and abstracts, each with its first line's number, and a byline.

    Only the last section of a listing may have none. The byline is the last paper's alone.
    """

    paragraphs: list[Line[str]]
    byline: Byline | None = None
    complaints: list[Line[str]] = field(default_factory=list)
    """What is wrong with the byline, each with the number of its line."""


def sections(lines: list[Line[str]]) -> Iterator[Section]:
    """Cut the body of a listing into sections."""
    rows = _rows(lines)
    wrapped = any(row.opens_block for row in rows[1:])
    texts: list[Row] = []
    i = 0
    while i < len(rows):
        section = Section([])
        end = _read_byline(rows, i, section)
        if end == i:
            texts.append(rows[i])
            i += 1
            continue
        if not texts:
            reason = "authors or a date without a title were skipped"
            section.complaints.append(Line(rows[i].number, reason))
        section.paragraphs = _paragraphs(texts, wrapped)
        yield section
        texts, i = [], end
    if texts:
        yield Section(_paragraphs(texts, wrapped))


def _rows(lines: list[Line[str]]) -> list[Row]:
    rows: list[Row] = []
    blank = True
    for number, line, _ in lines:
        text = line.strip()
        if text:
            rows.append(Row(number, text, blank))
        blank = not text
    return rows


def _paragraphs(rows: list[Row], wrapped: bool) -> list[Line[str]]:
    """Put hard-wrapped lines together: blocks of short lines in a listing with blank lines."""
    blocks: list[list[Row]] = []
    for row in rows:
        if row.opens_block or not blocks:
            blocks.append([])
        blocks[-1].append(row)
    paragraphs: list[Line[str]] = []
    for block in blocks:
        if wrapped and all(len(row.text) <= _WIDEST_WRAPPED for row in block):
            paragraphs.append(Line(block[0].number, " ".join(row.text for row in block)))
        else:
            paragraphs.extend(Line(row.number, row.text) for row in block)
    return paragraphs


def _read_byline(rows: list[Row], i: int, section: Section) -> int:
    """Read the byline that begins at row `i` into `section`; return the row after it, or `i`."""
    row = rows[i]
    count = _author_count_in(row.text)
    organization = None
    if count is None and _is_organization(rows, i):
        organization = _organization_in(row.text)
    if count is not None or organization is not None:
        i += 1
    elif row.text != SEPARATOR:
        return i
    date = None
    if i < len(rows) and rows[i].text == SEPARATOR:
        date, i = _read_date(rows, i + 1, section)
    else:
        section.complaints.append(Line(row.number, "no date follows the authors"))
    section.byline = Byline(count, organization, date)
    return i


def _is_organization(rows: list[Row], i: int) -> bool:
    row = rows[i]
    return (
        i + 1 < len(rows)
        and rows[i + 1].text == SEPARATOR
        and row.text != SEPARATOR
        and len(row.text) <= _LONGEST_ORGANIZATION
        and (row.opens_block or not row.text.endswith("."))
    )


def _read_date(rows: list[Row], i: int, section: Section) -> tuple[PartialDate | None, int]:
    date = None
    if i == len(rows):
        section.complaints.append(Line(rows[-1].number, "the listing ends before this date"))
        return None, i
    row = rows[i]
    try:
        date = date_in(row.text)
        wrong = f"not a date in English such as Oct 10, 2017: {row.text!r}" if not date else None
    except ValueError as error:
        wrong = f"{error}: {row.text!r}"
    if wrong:
        section.complaints.append(Line(row.number, f"{wrong}; the paper was read without a date"))
        if len(row.text) > _LONGEST_DATE or row.opens_block:
            return None, i
    i += 1
    if i < len(rows) and not rows[i].opens_block and rows[i].text.isdecimal():
        i += 1  # the number of votes, on a line of its own
    return date, i


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
            reason = "invalid characters are replaced by U+FFFD"
            yield Problem(document.name, line.number, reason)
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
        dates = [each.byline.date for each in self.sections if each.byline and each.byline.date]
        years = [date.year for date in dates if date.year] + [self.header.year or 0]
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
        elif last.byline is None and self._ends_in_a_sentence_cut_off(last):
            reason = "the listing ends in the middle of this abstract; the text before was read"
            yield self._problem(last.paragraphs[-1].number, reason)

    def _is_listing(self) -> bool:
        return (
            self.header.found
            or self.sections[0].byline is not None
            or _alternate(self.sections[0].paragraphs)
        )

    @staticmethod
    def _ends_in_a_title(section: Section) -> bool:
        paragraphs = section.paragraphs
        return section.byline is None and len(paragraphs) % 2 == 1 and _is_heading(paragraphs[-1])

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
        byline = section.byline if section else None
        yield Paper(
            id=paper_id(title.text),
            title=title.text,
            abstract=abstract,
            author_count=byline.author_count if byline else None,
            organization=byline.organization if byline else None,
            links=links_in(abstract),
            sources=(
                self.document.source(title.number, byline.date if byline else None, self.year),
            ),
        )

    def _problem(self, line: int | None, reason: str, skipped: bool = False) -> Problem:
        return Problem(self.document.name, line, reason, skipped)
