"""The words of a paper in their bare forms, in which names are found whatever their spelling."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from stemma.extract.learned.form import bare_form, singular
from stemma.extract.learned.form_index import FormIndex

if TYPE_CHECKING:
    from stemma.extract.learned.document import Span

LONGEST_PHRASE = 7
_STOPS = frozenset(".,;:()")
_NO_EDGE = frozenset(
    [
        "a", "an", "the", "of", "and", "to", "is", "are", "we", "our", "that", "this", "with",
        "by", "for", "as", "it", "be",
    ]
)  # fmt: skip
"""Words in lower case that no name begins or ends with."""


class BareText:
    """All words of a paper, joined without blanks, sentences apart; it remembers the tokens."""

    def __init__(self, lines: Sequence[Sequence[str]]) -> None:
        self._lines = lines
        self._starts: dict[int, tuple[int, int]] = {}
        self._ends: dict[int, int] = {}
        pieces: list[str] = []
        offset = 0
        for s, words in enumerate(lines):
            for i, word in enumerate(words):
                bare, is_edge = _read(word)
                pieces.append(bare)
                end = offset + len(bare)
                if is_edge:
                    self._starts[offset] = (s, i)
                    self._ends[end] = i + 1
                offset = end
            pieces.append("\n")
            offset += 1
        self._text = "".join(pieces)
        self._last: tuple[FormIndex, list[tuple[Span, str]]] | None = None

    def __reduce__(self) -> "tuple[type[BareText], tuple[Sequence[Sequence[str]]]]":
        """Go to other processes without what is remembered."""
        return BareText, (self._lines,)

    def places(self, index: FormIndex) -> "list[tuple[Span, str]]":
        """Return all phrases with a form of `index`, in order, of those that begin alike the
        longest first. They are of up to 7 tokens, with no punctuation between.

        What was asked for last is remembered, since names are marked and then proposed.
        """
        if self._last is None or self._last[0] is not index:
            self._last = index, self._search(index)
        return self._last[1]

    def _search(self, index: FormIndex) -> "list[tuple[Span, str]]":
        text, starts, ends = self._text, self._starts, self._ends
        found: list[tuple[Span, str]] = []
        for form, first, last in index.find(text, starts):
            start = starts[first]
            if (end := ends.get(last)) and self._is_phrase(*start, end):
                found.append(((*start, end), form))
            if (
                text[last] == "s"
                and (end := ends.get(last + 1))
                and singular(form + "s") == form
                and self._is_phrase(*start, end)
            ):
                found.append(((*start, end), form))
        found.sort(key=lambda each: (each[0][0], each[0][1], -each[0][2]))
        return found

    def _is_phrase(self, s: int, start: int, end: int) -> bool:
        return end - start <= LONGEST_PHRASE and _STOPS.isdisjoint(self._lines[s][start:end])


@lru_cache(maxsize=100_000)
def _read(word: str) -> tuple[str, bool]:
    """Return the bare form of a word, and whether a name may begin or end with it."""
    bare = bare_form(word)
    return bare, bool(bare) and word[0].isalnum() and word not in _NO_EDGE
