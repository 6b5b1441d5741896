"""Nearest names: what somebody may have meant by a name that nothing has."""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

from stemma.schema.name import match_key

_SUGGESTIONS = 5
_LOOKED_AT = 200
_ALIKE = 0.6


def nearest(name: str, ask: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]) -> list[str]:
    """Return the names in an index, asked by `ask`, that look most like `name`."""
    key = match_key(name)
    pairs = _pairs(key)
    slack = max(2, len(key) // 3)
    rows = ask(
        """
        SELECT key, rank, name, papers FROM spelling JOIN work ON work = no
        WHERE length(key) BETWEEN ? AND ? OR instr(key, ?) > 0
        """,
        [len(key) - slack, len(key) + slack, key],
    )
    # Shared pairs of letters are quick to count; only the best are compared letter by letter.
    rows.sort(key=lambda row: (-len(pairs & _pairs(row[0])), len(row[0]), row[1], row[2]))
    matcher = SequenceMatcher(b=key, autojunk=False)
    best: dict[str, tuple[float, int, str]] = {}
    for candidate, _, shown, papers in rows[:_LOOKED_AT]:
        matcher.set_seq1(candidate)
        likeness = max(matcher.ratio(), 0.9 * (key in candidate))
        if likeness >= _ALIKE:
            best[shown] = min(best.get(shown, (0.0, 0, shown)), (-likeness, -papers, shown))
    return sorted(best, key=lambda shown: best[shown])[:_SUGGESTIONS]


def _pairs(key: str) -> set[str]:
    return {key[start : start + 2] for start in range(max(1, len(key) - 1))}
