"""Sections of a listing: paragraphs of titles and abstracts, up to the line with the date."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from stemma.extract.formats.dates import MONTH, MONTHS
from stemma.schema.partial_date import PartialDate
from stemma.schema.text_line import Line

SEPARATOR = "·"
"""Stands on a line of its own between the authors and the date."""
_WIDEST_WRAPPED = 100  # columns
_LONGEST_ORGANIZATION = 100
_LONGEST_DATE = 40
_AUTHORS = re.compile(r"(?:[•·]\s*)?([0-9]{1,6})\s+authors?|•\s*([0-9]{1,6})\s+\w+", re.I)
_DATE = re.compile(rf"{MONTH}\.?\s+([0-9]{{1,2}})(?:,\s*([0-9]{{4}}))?(?:\s+[0-9.,]+k?)?", re.I)


@dataclass(slots=True)
class Section:
    """Paragraphs of titles and abstracts with the numbers of their lines, and a byline.

    Only the last section of a listing may have no byline; it is the last paper's alone.
    """

    paragraphs: list[Line[str]] = field(default_factory=list)
    has_byline: bool = False
    author_count: int | None = None
    organization: str | None = None
    date: PartialDate | None = None
    complaints: list[Line[str]] = field(default_factory=list)
    """What is wrong with the byline, with the numbers of the lines."""


class _Row(NamedTuple):
    """A line that is not blank, without outer whitespace."""

    number: int
    text: str
    opens_block: bool
    """Whether a blank line, or nothing, stands before it."""


def sections(lines: list[Line[str]]) -> Iterator[Section]:
    """Cut the body of a listing into sections."""
    rows = list(_rows(lines))
    is_wrapped = any(row.opens_block for row in rows[1:])
    texts: list[_Row] = []
    i = 0
    while i < len(rows):
        section = Section()
        end = _read_byline(rows, i, section)
        if end == i:
            texts.append(rows[i])
            i += 1
            continue
        if not texts:
            reason = "authors or a date without a title were skipped"
            section.complaints.append(Line(rows[i].number, reason))
        section.paragraphs = list(_paragraphs(texts, is_wrapped))
        yield section
        texts, i = [], end
    if texts:
        yield Section(list(_paragraphs(texts, is_wrapped)))


def date_in(line: str) -> PartialDate | None:
    """Read a date such as ``Oct 10, 2017`` or ``Oct 10``; a number of votes may follow it.

    None where it is no date in English; ValueError where there is no such day.
    """
    if not (found := _DATE.fullmatch(line)):
        return None
    month = MONTHS.index(found[1][:3].casefold()) + 1
    return PartialDate(int(found[3]) if found[3] else None, month, int(found[2]))


def _rows(lines: list[Line[str]]) -> Iterator[_Row]:
    is_blank = True
    for number, line, _ in lines:
        if text := line.strip():
            yield _Row(number, text, is_blank)
        is_blank = not text


def _paragraphs(rows: list[_Row], is_wrapped: bool) -> Iterator[Line[str]]:
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


def _read_byline(rows: list[_Row], i: int, section: Section) -> int:
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


def _is_organization(rows: list[_Row], i: int) -> bool:
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
    initials = "".join(filter(str.isupper, name))
    is_same = _letters(name).startswith(_letters(account)) or initials.endswith(account)
    is_account = is_same or account.islower() or re.search(r"[-_0-9]", account)
    return name if name and is_account else line


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _read_date(rows: list[_Row], i: int, section: Section) -> int:
    """Read the date at row `i`, and the number of votes on the next; return the row after them."""
    if i == len(rows):
        section.complaints.append(Line(rows[-1].number, "the listing ends before this date"))
        return i
    row, wrong = rows[i], ""
    try:
        section.date = date_in(row.text)
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
