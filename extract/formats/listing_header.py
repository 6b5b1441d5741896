"""The header of a listing: what the page says above its first paper."""

import re
from typing import NamedTuple

from stemma.extract.formats.listing_byline import day
from stemma.schema.text_line import Line

_PAGE_TEXT = re.compile(
    r"get trending papers in your email inbox.*|subscribe|daily papers|by ?ak and the .*community",
    re.I,
)
_JOINED = re.compile(r"Subscribe(?=\S)")
_JOINED_AT_THE_TOP = re.compile(r"Subscribe(?=[^\sa-z])")
_LONGEST = 60  # lines


class Header(NamedTuple):
    """A listing without its header, and what the header contained."""

    body: list[Line[str]]
    """What follows; its first title is freed of the word that was joined to it."""
    found: bool
    """Whether there was one."""
    year: int | None
    """The year of the page's own date, which belongs to no paper; most pages leave it out."""


def split_header(lines: list[Line[str]]) -> Header:
    """Separate a listing from its header; a page that has none is all body."""
    start = _start(lines)
    found, year = start is not None, None
    for i, line in enumerate(lines[start or 0 :], start or 0):
        text = line.text.strip()
        if _PAGE_TEXT.fullmatch(text) or not text:
            continue
        joined = (_JOINED if found else _JOINED_AT_THE_TOP).match(text)
        if joined:
            first = Line(line.number, text[joined.end() :])
            return Header([first, *lines[i + 1 :]], found=True, year=year)
        try:
            date = day(text)
        except ValueError:
            date = None
        if date is None:
            return Header(lines[i:], found, year)
        found, year = True, date.year
    return Header([], found, year)


def _start(lines: list[Line[str]]) -> int | None:
    """Return where the header's first well-known line stands, past a site's menu."""
    for i, line in enumerate(lines[:_LONGEST]):
        text = line.text.strip()
        if _PAGE_TEXT.fullmatch(text):
            return i
        if len(text) > 200:  # an abstract: papers have begun
            return None
    return None
