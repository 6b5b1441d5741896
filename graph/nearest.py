"""Nearest names: which existing names an unknown name may be a misspelling of."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from stemma.schema.name import match_key

_SUGGESTIONS = 5
_LOOKED_AT = 200
_SHORT = 4
_LETTERS_FOR_A_SLIP = 4
_SHORTEST_PART = 3
_SHORTEST_PART_WITHIN = 6


Spelling = tuple[str, int, str, int]
"""A match key, its rank (0: name, 1: alias, 2: title), its work's name, and in how many papers."""


def lengths(name: str) -> tuple[int, int]:
    """Return how long, at least and at most, are the keys that may look like a name."""
    key = match_key(name)
    slack = max(2, len(key) // 3)
    return len(key) - slack, len(key) + slack


def nearest(name: str, spellings: Iterable[Spelling]) -> list[str]:
    """Return the names that look most like `name`, of keys that contain its own or are as long."""
    key = match_key(name)
    pairs = _pairs(key)
    rows = list(spellings)
    # Shared pairs of letters are quick to count; only the best are compared letter by letter.
    rows.sort(key=lambda row: (-len(pairs & _pairs(row[0])), len(row[0]), row[1], row[2]))
    matcher = SequenceMatcher(b=key, autojunk=False)
    best: dict[str, tuple[float, int, str]] = {}
    for candidate, _, shown, papers in rows[:_LOOKED_AT]:
        matcher.set_seq1(candidate)
        if _is_part(key, candidate) or _is_slip(key, candidate, matcher):
            likeness = max(matcher.ratio(), 0.9 * (key in candidate))
            best[shown] = min(best.get(shown, (0.0, 0, shown)), (-likeness, -papers, shown))
    return sorted(best, key=lambda shown: best[shown])[:_SUGGESTIONS]


def _is_part(key: str, candidate: str) -> bool:
    """Return whether one name may be an abbreviated form of the other."""
    if len(key) < _SHORTEST_PART or key not in candidate:
        return False
    # Keys have no spaces: a short one in the middle may begin and end within words.
    at_an_end = candidate.startswith(key) or candidate.endswith(key)
    return at_an_end or len(key) >= _SHORTEST_PART_WITHIN


def _is_slip(key: str, candidate: str, matcher: "SequenceMatcher[str]") -> bool:
    """Return whether two keys differ by a typing mistake, or by a few in a long one."""
    same = sum(block.size for block in matcher.get_matching_blocks())
    slips = max(len(key), len(candidate)) - same
    if len(key) <= _SHORT and len(key) == len(candidate) and sorted(key) != sorted(candidate):
        return False  # Another letter makes another word of a short one.
    return slips <= max(1, len(key) // _LETTERS_FOR_A_SLIP)


def _pairs(key: str) -> set[str]:
    return {key[start : start + 2] for start in range(max(1, len(key) - 1))}
