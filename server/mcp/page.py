"""Pages of answers, in a size that leaves an assistant room to think."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from stemma.graph import FilterField
from stemma.server.mcp.answers import Answer

LARGEST = 40_000
"""Characters of an answer: about 10,000 tokens."""
Given = TypeVar("Given", bound=Answer)
_ARGUMENTS = {
    FilterField.RELATIONS: "`relations`",
    FilterField.MIN_CONFIDENCE: "`min_confidence`",
    FilterField.INCLUDE_CATALOGUE: "`include_catalogue`",
    FilterField.AS_OF: "`as_of`",
    FilterField.KINDS: "`kinds`",
    FilterField.YEARS: "`since` or `until`",
}


def text(answer: Answer) -> str:
    """Return an answer as JSON without what is not known."""
    return answer.model_dump_json(exclude_none=True)


def fitting(answer: Callable[[int], Given], first: int) -> Given:
    """Return the answer with the largest page of at most `first` results that is not too long."""
    given = answer(first)
    while first > 1 and len(text(given)) > LARGEST:
        first //= 2
        given = answer(first)
    return given


def why_empty(emptied_by: Sequence[FilterField], otherwise: str) -> str:
    """Say why there are no results: because of these arguments, or otherwise."""
    if not emptied_by:
        return otherwise
    arguments = " and ".join(_ARGUMENTS[each] for each in emptied_by)
    return f"Everything is excluded by {arguments}."
