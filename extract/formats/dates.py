"""The grammar of dates: as files write them, in EDTF, ISO 8601, words or numbers."""

import re
from collections.abc import Iterable
from functools import lru_cache

from stemma.schema import PartialDate

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?<![^\W\d_])(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_])"
)
_YEAR_FIRST = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2}|XX)(?:[-/.](\d{1,2}|XX))?)?"
    r"(?:$|T|\s|/{1,3}(?:$|\.\.|-|(?=\d{4}|[^\W\d_]{4}))|-{1,2}(?=\d{4})|-\d{1,2}$)"
)
"""A year, perhaps with month and day; a range, a time or a season may follow."""
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])?")
_YEAR_LAST = re.compile(r"(?:(\d{1,2})([-/.]))?(\d{1,2})[-/.](\d{4})")
_IN_WORDS = re.compile(MONTH, re.I)
_DAY_BEFORE = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-–]\s?\d{{1,2}})?[\s.,/-]{{0,3}}(?:of )?{MONTH}",
    re.I,
)
_DAY_AFTER = re.compile(rf"{MONTH}[\s.,/-]{{0,3}}(\d{{1,2}})(?!\d|:)", re.I)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_UNCERTAIN = re.compile(r"(?<=[\dX])[?~%]|[?~%](?=\d)")
_SEASONS = range(21, 42)
"""Numbers that EDTF has in the place of months: seasons, quarters and halves of a year."""
_ARXIV_MONTH = re.compile(r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?(\d\d)(0[1-9]|1[0-2])\.?\d{3}")
_ARXIV_BEGAN = 90
_FIRST_YEAR, _LAST_YEAR = 1500, 2100
_YEAR_ALONE = len("2021")
_LONGEST = 200
"""Characters of a date; what is longer is none."""


@lru_cache(maxsize=4096)  # many papers are of a year, or of a day
def as_date(text: str) -> PartialDate:
    """Return the date that a text gives, the first of a range. ValueError if it is invalid.

    ``2021-04-15``, ``2004-06?``, ``2019 Jan 15``, ``15-18 April 2021``, ``20190115``, ``05/2019``;
    of a season the year. Where day and month are not certain, as in ``02/01/2024``, the year alone.
    """
    text = _UNCERTAIN.sub("", " ".join(text[:_LONGEST].split()).lstrip("./"))
    years = _YEAR.findall(text)
    if years and (month_name := _IN_WORDS.search(text)):
        before, after = _DAY_BEFORE.search(text), _DAY_AFTER.search(text)
        number = int(before[1] if before else after[2] if after else 0) or None
        return PartialDate(int(years[0]), MONTHS.index(month_name[1][:3].casefold()) + 1, number)
    if match := _YEAR_FIRST.match(text) or _COMPACT.fullmatch(text):
        # A month or a day that is 0 is not known; 2024.0 is a year in a column of numbers.
        year, *rest = (int(group) if group and group.isdecimal() else 0 for group in match.groups())
        month, day = (number or None for number in rest)
        return PartialDate(year) if month in _SEASONS else PartialDate(year, month, day)
    if match := _YEAR_LAST.fullmatch(text):
        return _year_last(*match.groups())
    if len(set(years)) == 1 and not re.match(r"\d{4}-|XXXX", text):
        return PartialDate(int(years[0]))
    return PartialDate.parse(text)


def _year_last(first: str | None, sign: str | None, second: str, year: str) -> PartialDate:
    if first is None:
        return PartialDate(int(year), int(second))
    day, month = int(first), int(second)
    if sign == "." or day > 12 or day == month:  # 15.04.2021, 15/04/2021
        return PartialDate(int(year), month, day)
    return PartialDate(int(year), day, month) if month > 12 else PartialDate(int(year))


def plausible_date(text: str) -> PartialDate:
    """Return the date that a text gives. ValueError also for a year that would distort charts."""
    date = as_date(text)
    if date.year is not None and not _FIRST_YEAR <= date.year <= _LAST_YEAR:
        raise ValueError(f"the year {date.year:04} is not from {_FIRST_YEAR} to {_LAST_YEAR}")
    return date


def is_date(text: str) -> bool:
    """Return whether a text is a date with a plausible year."""
    try:
        plausible_date(text)
    except ValueError:
        return False
    return True


def first_date(texts: Iterable[str]) -> str | None:
    """Return the first text that is a date; if that is a year, a full date of this year.

    The full date may lack its year (``Feb 24``). Without a date, the first text that is not blank.
    """
    texts = [text.strip() for text in texts if text.strip()]
    first = next(filter(is_date, texts), None)
    if first is None:
        return next(iter(texts), None)
    for text in (
        (*texts, *(f"{text} {first}" for text in texts)) if len(first) == _YEAR_ALONE else ()
    ):
        if is_date(text) and (date := as_date(text)).month and date.year == int(first):
            return str(date)
    return first


def date_of_parts(year: str, month: str, day: str) -> str:
    """Return a date whose parts are known, which may be empty; the year if it is no date."""
    try:
        return str(as_date(f"{year}-{month}-{day}".rstrip("-")))
    except ValueError:
        return year


def month_of_arxiv_id(arxiv_id: str) -> PartialDate | None:
    """Return the month in which arXiv gave out an identifier: ``2104.07857``, ``cs/9901001``."""
    match = _ARXIV_MONTH.match(arxiv_id)
    if not match:
        return None
    year = int(match[1])
    return PartialDate(year + (1900 if year > _ARXIV_BEGAN else 2000), int(match[2]))
