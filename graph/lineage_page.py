"""A page of the works of a lineage, which are in the order of their places."""

from typing import NamedTuple

Place = tuple[int, tuple[int, int, int], str]
"""What works are ordered by: steps from the root, date (see `PartialDate.sort_key`), id."""


class LineagePage(NamedTuple):
    """The places of some works that follow each other, the ids of all works before them, and the
    number of works on the whole lineage, all without the root."""

    earlier: list[str]
    places: list[Place]
    total: int


class FamilyPage(NamedTuple):
    """The first works of the lineages of a work in some directions, nearest first.

    `reached` has the number of works of each lineage. `new` leaves those out that a lineage before
    has already: in a circle a work is on both. `of` says by which lineage each of `places` is
    reached, and `left_out` are the general terms (ids) that were left out.
    """

    places: list[Place]
    of: list[int]
    reached: list[int]
    new: list[int]
    left_out: set[str]
