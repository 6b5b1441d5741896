"""Dates as papers give them: a year, a month, a day, or a day without a year."""

import re
from calendar import isleap
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_EDTF = re.compile(r"(\d{4}|XXXX)(?:-(\d{2})(?:-(\d{2}))?)?")
_LEAP_YEAR = 2000
_FIRST_LEAP_YEAR, _LAST_YEAR = 4, 9999
UNDATED = (10_000, 13, 32)
"""Sorts after the `sort_key` of all dates."""


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date in the Extended Date/Time Format (EDTF).

    ``2021``, ``2021-04``, ``2021-04-15``, or ``XXXX-04-15``: a day of an unknown year. Raises
    ValueError where there is no such day.
    Format: https://www.loc.gov/standards/datetime/
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.year is None and self.month is None:
            raise ValueError("a date needs a year or a month")
        if self.day is not None and self.month is None:
            raise ValueError("a date with a day needs a month")
        if self.year is not None and not 1 <= self.year <= _LAST_YEAR:
            raise ValueError(f"no such year: {self.year}")
        date(self.year or _LEAP_YEAR, self.month or 1, self.day or 1)

    @staticmethod
    def parse(text: str) -> "PartialDate":
        """Read a date in EDTF; ValueError says what is wrong with it."""
        return _parsed(text.strip())

    def __str__(self) -> str:
        if self.month is None:
            return f"{self.year:04}"
        parts = ["XXXX" if self.year is None else f"{self.year:04}"]
        parts += [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """Order by time; what is unknown comes after what is known."""
        year, month, day = UNDATED
        return (self.year or year, self.month or month, self.day or day)

    def is_after(self, other: "PartialDate") -> bool:
        """Return whether this is certainly later, as far as both are known."""
        ours, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        for one, another in zip(ours, theirs, strict=True):
            if one is None or another is None:
                return False
            if one != another:
                return one > another
        return False

    def in_year(self, year: int) -> "PartialDate":
        """Return the same day in `year`; 29 February moves to the last leap year before.

        Raises ValueError where there is no such year.
        """
        if not 1 <= year <= _LAST_YEAR:
            raise ValueError(f"no such year: {year}")
        if (self.month, self.day) == (2, 29):
            year = max(year, _FIRST_LEAP_YEAR)
            while not isleap(year):
                year -= 1
        return PartialDate(year, self.month, self.day)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> PartialDate:
    match = _EDTF.fullmatch(text)
    if not match:
        raise ValueError(f"not a date (2021, 2021-04, 2021-04-15 or XXXX-04-15): {text!r}")
    year, month, day = match.groups()
    return PartialDate(
        None if year == "XXXX" else int(year),
        int(month) if month else None,
        int(day) if day else None,
    )
