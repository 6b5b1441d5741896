"""Filters of a lineage: which make no sense, and which leave nothing of it."""

from collections.abc import Callable, Collection
from enum import StrEnum

from stemma.graph.store import FilterError
from stemma.schema import LINEAGE_RELATIONS, RelationType


class LineageFilter(StrEnum):
    """What leaves works out of a lineage; kinds and years do so in timelines alone."""

    RELATIONS = "RELATIONS"
    MIN_CONFIDENCE = "MIN_CONFIDENCE"
    INCLUDE_CATALOGUE = "INCLUDE_CATALOGUE"
    KINDS = "KINDS"
    YEARS = "YEARS"


def check_filters(relations: Collection[RelationType], min_confidence: float) -> None:
    """Raise FilterError where no edge of any lineage can pass."""
    if others := [each for each in relations if each not in LINEAGE_RELATIONS]:
        made_of = " and ".join(LINEAGE_RELATIONS)
        raise FilterError(f"lineage is made of {made_of}, not of {others[0]}")
    if not 0 <= min_confidence <= 1:
        raise FilterError(f"a confidence goes from 0 to 1, and {min_confidence:g} is none")


def filters_to_blame(
    filters: Collection[LineageFilter], passes: Callable[[Collection[LineageFilter]], bool]
) -> tuple[LineageFilter, ...]:
    """Return which filters leave nothing: those without which something passes, else all of them.

    `passes` tells whether something passes where only these filters are kept. None is to blame
    where something passes all of them, or where there is nothing even without them.
    """
    if not filters or passes(filters) or not passes(()):
        return ()
    needed = [each for each in filters if passes([other for other in filters if other != each])]
    return tuple(needed or filters)
