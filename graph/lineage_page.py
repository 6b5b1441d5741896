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
