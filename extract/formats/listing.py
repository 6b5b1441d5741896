"""Listings: saved "Daily Papers" pages, in blocks or in bare alternating lines.

A page has a header with its own date, then papers: title, abstract, and mostly a byline of
authors (or an organization) and a date, which leaves out the year the page was saved in.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import MAXYEAR
from typing import NamedTuple

from stemma.extract.formats.dates import MONTH, MONTHS
from stemma.extract.formats.document import REPLACED, Document, storable, whole_text
from stemma.extract.formats.link import links_in
from stemma.extract.formats.reader import Options, Reader
from stemma.schema import Paper, PartialDate
from stemma.schema.name import paper_id
from stemma.schema.quantity import quantity
from stemma.schema.text_line import Line

SEPARATOR = "·"
"""Stands on a line of its own between the authors and the date."""
_MARKUP = "this is HTML or XML in a format that is not known: save the page as text (*.txt)"
_NO_LISTING = (
    "not a listing of papers: expected titles and abstracts alternating, each on its own line, "
    "as in a saved Daily Papers page; a single paper is read as PDF, LaTeX, HTML or Markdown, and "
    "`stemma fetch --ids FILE` fetches the papers of a list of arXiv ids or DOIs"
)
_PAGE_TEXT = re.compile(
    r"get trending papers in your email inbox.*|subscribe|daily papers|by ?ak and the .*community",
    re.I,
)
_JOINED = re.compile(r"Subscribe(?=\S)")
_JOINED_AT_THE_TOP = re.compile(r"Subscribe(?=[^\sa-z])")
_AUTHORS = re.compile(r"(?:[•·]\s*)?([0-9]{1,6})\s+authors?|•\s*([0-9]{1,6})\s+\w+", re.I)
_DATE = re.compile(rf"{MONTH}\.?\s+([0-9]{{1,2}})(?:,\s*([0-9]{{4}}))?(?:\s+[0-9.,]+k?)?", re.I)
_ENDS_A_SENTENCE = re.compile(r"[.!?。…][\"')\]”’}]*$")
_LONGEST_HEADER = 60  # lines
_WIDEST_WRAPPED = 100  # columns
_LONGEST_TITLE, _LONGEST_ORGANIZATION, _LONGEST_DATE = 300, 100, 40
_LONG = 200


class ListingReader(Reader):
    """Reads saved "Daily Papers" pages, known by their header or by the ending of their name."""

    name = "listing"
    description = "listings as text"
    fields = 'a saved "Daily Papers" page, or titles and abstracts that alternate'
    endings = ("txt",)

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a listing: by the header of the page."""
        page = start.splitlines()[:_LONGEST_HEADER]
        _, has_header, _ = _split_header(_rows(Line(0, text) for text in page))
        return has_header and not start.lstrip().startswith("<")

    def read(self, document: Document, options: Options) -> Iterator[Paper]:
        """Read the papers of a listing, which is held in memory.

        A date without a year is of the year that `options` give; else of the year after the latest
        that the page spells out, which is the one that it was saved in; of a page that spells out
        none, it has no year.
        """
        if text := whole_text(document, options.max_record_size):
            lines = text.removesuffix("\n").split("\n")
            page = [Line(number, line) for number, line in enumerate(lines, 1)]
            yield from papers(page, document, options.year)


class _Row(NamedTuple):
    """A line that is not blank, without outer whitespace."""

    number: int
    text: str
    opens_block: bool
    """Whether a blank line, or nothing, stands before it."""


def _rows(page: Iterable[Line[str]]) -> list[_Row]:
    rows, opens_block = list[_Row](), True
    for line in page:
        text = line.text.strip()
        if text:
            rows.append(_Row(line.number, text, opens_block))
        opens_block = not text
    return rows


def _split_header(rows: Sequence[_Row]) -> tuple[list[_Row], bool, int | None]:
    """Return a listing without its header, whether it has one, and the year of the page's own date.

    That belongs to no paper, and most pages leave it out. The first title is freed of the word that
    was joined to it.
    """
    start = _start_of_header(rows)
    has_header, year = start is not None, None
    for i, row in enumerate(rows[start or 0 :], start or 0):
        if _PAGE_TEXT.fullmatch(row.text):
            continue
        if joined := (_JOINED if has_header else _JOINED_AT_THE_TOP).match(row.text):
            first = _Row(row.number, row.text[joined.end() :].strip(), True)
            return [first, *rows[i + 1 :]], True, year
        try:
            date = _date_in(row.text)
        except ValueError:
            date = None
        if date is None:
            return [row._replace(opens_block=True), *rows[i + 1 :]], has_header, year
        has_header, year = True, date.year
    return [], has_header, year


def _start_of_header(rows: Sequence[_Row]) -> int | None:
    """Return where the header's first well-known line stands, past a site's menu."""
    for i, row in enumerate(rows[:_LONGEST_HEADER]):
        if _PAGE_TEXT.fullmatch(row.text):
            return i
        if len(row.text) > _LONG:  # an abstract: papers have begun
            return None
    return None


def _date_in(line: str) -> PartialDate | None:
    """Read a date such as ``Oct 10, 2017`` or ``Oct 10``; a number of votes may follow it.

    None where it is no date in English; ValueError where there is no such day.
    """
    if not (match := _DATE.fullmatch(line)):
        return None
    month = MONTHS.index(match[1][:3].casefold()) + 1
    return PartialDate(int(match[3]) if match[3] else None, month, int(match[2]))


@dataclass(slots=True)
class _Section:
    """Paragraphs of titles and abstracts, up to a byline, which is the last paper's alone.

    Only the last section of a listing may have no byline.
    """

    paragraphs: list[Line[str]] = field(default_factory=list)
    has_byline: bool = False
    author_count: int | None = None
    organization: str | None = None
    date: PartialDate | None = None
    complaints: list[Line[str]] = field(default_factory=list)
    """What is wrong with the byline, with the numbers of the lines."""


def _sections(rows: Sequence[_Row]) -> Iterator[_Section]:
    """Cut the body of a listing into sections."""
    is_wrapped = any(row.opens_block for row in rows[1:])
    begin = i = 0
    while i < len(rows):
        section = _Section()
        end = _read_byline(rows, i, section)
        if end == i:
            i += 1
            continue
        if begin == i:
            reason = "authors or a date without a title were skipped"
            section.complaints.append(Line(rows[i].number, reason))
        section.paragraphs = list(_paragraphs(rows[begin:i], is_wrapped))
        yield section
        begin = i = end
    if rows[begin:]:
        yield _Section(list(_paragraphs(rows[begin:], is_wrapped)))


def _paragraphs(rows: Sequence[_Row], is_wrapped: bool) -> Iterator[Line[str]]:
    """Put hard-wrapped lines together: blocks of short lines in a listing with blank lines."""
    blocks: list[list[_Row]] = []
    for row in rows:
        if row.opens_block or not blocks:
            blocks.append([])
        blocks[-1].append(row)
    for block in blocks:
        if is_wrapped and all(len(row.text) <= _WIDEST_WRAPPED for row in block):
            yield Line(block[0].number, " ".join(row.text for row in block))
        else:
            yield from (Line(row.number, row.text) for row in block)


def _read_byline(rows: Sequence[_Row], i: int, section: _Section) -> int:
    """Read the byline that begins at row `i` into `section`; return the row after it, or `i`."""
    row = rows[i]
    if count := _AUTHORS.fullmatch(row.text):
        section.author_count = int(count[1] or count[2])
    elif _is_organization(rows, i):
        section.organization = _organization_in(row.text)
    elif row.text != SEPARATOR:
        return i
    section.has_byline = True
    i += row.text != SEPARATOR
    if i < len(rows) and rows[i].text == SEPARATOR:
        return _read_date(rows, i + 1, section)
    section.complaints.append(Line(row.number, "no date follows the authors"))
    return i


def _is_organization(rows: Sequence[_Row], i: int) -> bool:
    row = rows[i]
    return (
        i + 1 < len(rows)
        and rows[i + 1].text == SEPARATOR
        and row.text != SEPARATOR
        and len(row.text) <= _LONGEST_ORGANIZATION
        and (row.opens_block or not row.text.endswith("."))
    )


def _organization_in(line: str) -> str:
    """Return the name of an organization, without the account's name that listings put before it.

    ``ReactiveAI Reactive AI`` is Reactive AI; ``Allen Institute`` has no account's name.
    """
    account, _, name = line.partition(" ")
    name = name.strip()
    half = len(line) // 2
    if name and line[:half].strip() == line[half:].strip():
        return line[half:].strip()
    letters, other = (re.sub(r"[\W_]", "", words).casefold() for words in (name, account))
    initials = "".join(filter(str.isupper, name))
    is_same = letters.startswith(other) or initials.endswith(account)
    is_account = is_same or account.islower() or re.search(r"[-_0-9]", account)
    return name if name and is_account else line


def _read_date(rows: Sequence[_Row], i: int, section: _Section) -> int:
    """Read the date at row `i`, and the number of votes on the next; return the row after them."""
    if i == len(rows):
        section.complaints.append(Line(rows[-1].number, "the listing ends before this date"))
        return i
    row, wrong = rows[i], ""
    try:
        section.date = _date_in(row.text)
        wrong = "" if section.date else "not a date in English such as Oct 10, 2017"
    except ValueError as error:
        wrong = str(error)
    if wrong:
        reason = f"{wrong}: {row.text!r}; the paper was read without a date"
        section.complaints.append(Line(row.number, reason))
        if len(row.text) > _LONGEST_DATE or row.opens_block:
            return i
    has_votes = i + 1 < len(rows) and rows[i + 1].text.isdecimal() and not rows[i + 1].opens_block
    return i + 1 + has_votes


def papers(page: Sequence[Line[str]], document: Document, year: int | None) -> Iterator[Paper]:
    """Read the papers of a listing from its lines; see `ListingReader.read`."""
    for line in page:
        if storable(line.text) != line.text:
            document.note(REPLACED, line.number)
    body, has_header, own_year = _split_header(
        _rows(line._replace(text=storable(line.text)) for line in page)
    )
    sections = list(_sections(body))
    if not sections:
        document.note("there are no papers in this file")
        return
    first, last = sections[0], sections[-1]
    cut_title = None
    if not last.has_byline and len(last.paragraphs) % 2 and _is_heading(last.paragraphs[-1]):
        cut_title = last.paragraphs.pop()
    if not (has_header or first.has_byline or _alternate(first.paragraphs)):
        reason = _MARKUP if body[0].text.startswith("<") else _NO_LISTING
        document.note(reason, body[0].number)
        return
    if skipped := 0 if has_header else _before_the_first_title(first.paragraphs):
        reason = f"skipped {quantity(skipped, 'line')} before the first title"
        document.note(reason, first.paragraphs[0].number)
        del first.paragraphs[:skipped]
    years = [own_year or 0, *(section.date.year or 0 for section in sections if section.date)]
    year = year or (min(max(years) + 1, MAXYEAR) if any(years) else None)
    for section in sections:
        entries = _entries(section.paragraphs)
        for entry in entries:
            byline = section if entry is entries[-1] else _Section()
            yield from _paper(*entry, byline=byline, document=document, year=year)
        for complaint in section.complaints:
            document.note(complaint.text, complaint.number)
    if cut_title:
        reason = f"the listing ends after a title, which was not read: {cut_title.text!r}"
        document.note(reason, cut_title.number)
    elif page[-1].text and last.paragraphs and not last.has_byline:
        word = last.paragraphs[-1].text.split()[-1]
        if word[-1].isalnum() and not links_in(word):
            reason = "the listing ends in the middle of this abstract; the text before was read"
            document.note(reason, last.paragraphs[-1].number)


def _paper(
    title: Line[str], *paragraphs: Line[str], byline: _Section, document: Document, year: int | None
) -> Iterator[Paper]:
    if not paragraphs and not _is_heading(title):
        document.note("an abstract without a title was skipped", title.number, skipped=True)
        return
    if not paragraphs:
        document.note("no abstract: only the title was read", title.number)
    abstract = "\n".join(paragraph.text for paragraph in paragraphs)
    yield Paper(
        id=paper_id(title.text),
        title=title.text,
        abstract=abstract,
        author_count=byline.author_count,
        organization=byline.organization,
        links=links_in(abstract),
        sources=(document.source(title.number, byline.date, year),),
    )


def _before_the_first_title(paragraphs: Sequence[Line[str]]) -> int:
    """Count the lines of a header in words that are not known."""
    if len(paragraphs) <= 2 or _alternate(paragraphs):
        return 0
    return next((i for i in range(len(paragraphs)) if _begins_paper(paragraphs, i)), 0)


def _alternate(paragraphs: Sequence[Line[str]]) -> bool:
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


def _entries(paragraphs: Sequence[Line[str]]) -> list[list[Line[str]]]:
    """Return each title of a section with the paragraphs of its abstract, which may be several.

    A later paragraph begins a new paper only if it reads like a title and prose follows it.
    """
    alternate = _alternate(paragraphs)
    entries: list[list[Line[str]]] = []
    for i, paragraph in enumerate(paragraphs):
        begins = i % 2 == 0 if alternate else _begins_paper(paragraphs, i)
        if not entries or (begins and len(entries[-1]) > 1):
            entries.append([])
        entries[-1].append(paragraph)
    return entries


def _begins_paper(paragraphs: Sequence[Line[str]], i: int) -> bool:
    """Return whether paragraph `i` reads like a title that an abstract follows."""
    return _is_heading(paragraphs[i]) and i + 1 < len(paragraphs) and _is_prose(paragraphs[i + 1])


def _is_heading(paragraph: Line[str]) -> bool:
    """Return whether a paragraph reads like a title."""
    return len(paragraph.text) <= _LONGEST_TITLE and paragraph.text[-1] not in ".,:;"


def _is_prose(paragraph: Line[str]) -> bool:
    return len(paragraph.text) > _LONG or bool(_ENDS_A_SENTENCE.search(paragraph.text))
