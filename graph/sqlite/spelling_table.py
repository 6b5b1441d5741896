"""The spelling table: how all works are called, in memory, so that a search passes over it fast."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence


class SpellingTable:
    """The match keys of a generation as one text, a line each.

    `spellings` are (key, number of the work, and if it is an entity its kind and whether it is
    general), those of works that a search ranks higher before others.
    """

    def __init__(self, spellings: Iterable[tuple[str, int, str | None, int | None]]) -> None:
        lines, self._ends = ["\n"], array("q", [0])
        self._numbers, self._kinds = array("q"), list[str | None]()
        self._general = list[int | None]()
        for key, number, kind, general in spellings:
            lines.append(f"{key}\n")
            self._ends.append(self._ends[-1] + len(lines[-1]))
            self._numbers.append(number)
            self._kinds.append(kind)
            self._general.append(general)
        self._text = "".join(lines)

    def search(
        self,
        key: str,
        words: Sequence[str],
        kinds: Collection[str],
        first: int,
        general: bool | None = None,
    ) -> list[int]:
        """Return the numbers of works with a spelling that contains all words, the best first.

        Those that are called `key` come first, then those whose spellings begin with it; `kinds`
        restrict them to entities of these kinds, `general` to general terms or to named works.
        """
        found: dict[int, None] = {}
        for pattern in (f"\n{key}\n", f"\n{key}", max(words, key=len)):
            for line, spelling in self._containing(pattern):
                if (
                    (not kinds or self._kinds[line] in kinds)
                    and general in (None, self._general[line])
                    and all(word in spelling for word in words)
                ):
                    found[self._numbers[line]] = None
                    if len(found) == first:
                        return list(found)
        return list(found)

    def _containing(self, pattern: str) -> Iterator[tuple[int, str]]:
        """Yield (line, key) of each line with a pattern; the end of the one before begins it."""
        text, ends = self._text, self._ends
        position = text.find(pattern)
        while 0 <= position < ends[-1]:
            line = bisect_right(ends, position) - 1
            yield line, text[ends[line] + 1 : ends[line + 1]]
            position = text.find(pattern, ends[line + 1])
