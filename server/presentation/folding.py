"""Folding: of many works that are tied to nothing but one other, a picture shows a few."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

_SHOWN = 12
_FOLDED_AT_LEAST = 4
"""Fewer than so many more are as easily shown."""


def folded(
    works: Sequence[str], near: Mapping[str, Collection[str]], opened: Collection[str]
) -> set[str]:
    """Return the works to fold, beginning at the end of `works`.

    `near` has the neighbours of each work. What is tied to one of the works in `opened` stays.
    """
    among = set(works)
    leaves: dict[str, list[str]] = defaultdict(list)
    for work in works[1:]:  # The root stays.
        ties = among.intersection(near.get(work, ()))
        if len(ties) == 1:
            leaves[ties.pop()].append(work)
    return {
        leaf
        for work, tied in leaves.items()
        if work not in opened and len(tied) >= _SHOWN + _FOLDED_AT_LEAST
        for leaf in tied[_SHOWN:]
    }
