"""A page of the works of a lineage, which are in the order of their places."""

from typing import NamedTuple

Date = tuple[int, int, int]
"""See `PartialDate.sort_key`."""
Place = tuple[int, Date, str]
"""What works are ordered by: steps from the root, date, id."""


def number_of(date: Date) -> int:
    """Return a date as one number in the same order, such as 20210415."""
    year, month, day = date
    return year * 10_000 + month * 100 + day


def date_of(number: int) -> Date:
    """Return the date of such a number."""
    return (number // 10_000, number // 100 % 100, number % 100)


class LineagePage(NamedTuple):
    """The places of some works that follow each other, the ids of all works before them, and the
    number of works on the whole lineage, all without the root."""

    earlier: list[str]
    places: list[Place]
    total: int
