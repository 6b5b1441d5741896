"""Sections: the stretches of a listing that a byline ends, with one paper each, or several.

A byline says of the authors or the organization of a paper, and of its date.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from stemma.schema.partial_date import PartialDate
from stemma.schema.text_line import Line

_WIDEST_WRAPPED = 100  # columns
_LONGEST_ORGANIZATION = 100
_LONGEST_DATE = 40

SEPARATOR = "·"
"""Stands on a line of its own between the authors and the date."""

_AUTHORS = re.compile(r"(?:[•·]\s*)?([0-9]{1,6})\s+authors?|•\s*([0-9]{1,6})\s+\w+", re.I)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(r"([A-Za-z]{3,9})\.?\s+([0-9]{1,2})(?:,\s*([0-9]{4}))?(?:\s+[0-9.,]+k?)?")


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
    found = _DATE.fullmatch(line)
    if not found:
        return None
    name = re.sub("^sept$", "sep", found[1].casefold())
    for number, month in enumerate(_MONTHS.split("|"), 1):
        if month.startswith(name):
            return PartialDate(int(found[3]) if found[3] else None, number, int(found[2]))
    return None


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
