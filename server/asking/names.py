"""The names in a question, found in the graph; each is looked up once."""

from collections.abc import Set

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, Work
from stemma.graph.store import spellings
from stemma.schema.identifier import entity_id, is_id, paper_id
from stemma.schema.name import match_key, plain
from stemma.server.asking.words import Span, name_of
from stemma.server.views.wording import meaning_of

_ARTICLES = {"the", "a", "an", "single", "one"}
_NOUNS = frozenset(
    {
        "hardware", "framework", "library", "system", "technique", "method", "algorithm",
        "approach", "model", "architecture", "network", "dataset", "benchmark", "gpu", "gpus",
        "chip", "accelerator",
    }
)  # fmt: skip
_MOST_LOOKUPS = 30
_MOST_LOOKUPS_WITHIN = 15
"""Bounds on what one question may cost: 10 ms a time, with a graph of 20,000 papers."""
_LONGEST_SOUGHT = 5
"""Maximum number of words in a name to search for in all spellings: longer names are titles."""
_SHORTEST_PART = 3
"""Minimum length of a single word that is reported as an unknown name."""


class Names:
    """Looks names up, whole or without an article and a noun for what they name.

    An unknown name costs the graph a search for the nearest, so that is left for those that are
    reported; `known` asks for names and titles that are the same, which is quick. `not_names`
    are words that name nothing in lower case: "what is new" does not ask for News.
    """

    def __init__(self, reader: Reader, not_names: Set[str] = frozenset()) -> None:
        self._reader = reader
        self._not_names = not_names
        self._known: dict[Span, str | None] = {}
        self._lookups_left = _MOST_LOOKUPS
        self.notes: dict[str, str] = {}
        """Of works that were found (ids), which others have the name."""

    def known(self, words: Span) -> bool:
        """Return whether these words are the name of a work, or of several."""
        return self._spelling(words) is not None

    def find(self, words: Span) -> Work:
        """Return the work that these words name.

        Raises UnknownNameError with the nearest names, or AmbiguousNameError.
        """
        id_, remark = meaning_of(self._reader, self._spelling(words) or name_of(words))
        if remark:
            self.notes[id_] = f"{remark}."
        return self._reader.works([id_])[id_]

    def resolves(self, words: Span) -> bool:
        """Return whether these words name a work, or several, in any spelling."""
        name = name_of(words)
        if name in self._not_names:
            return False
        try:
            self._reader.resolve(name)
        except AmbiguousNameError:
            return True
        except UnknownNameError:
            return False
        return True

    def longest_within(self, words: Span) -> tuple[Span | None, Span]:
        """Return the longest part of some words that is a name, if any, and what is left."""
        self._lookups_left = _MOST_LOOKUPS_WITHIN
        for length in range(len(words) - 1, 0, -1):
            for start in range(len(words) - length + 1):
                part = words[start : start + length]
                if len(name_of(part)) >= _SHORTEST_PART and self.known(part):
                    return part, words[:start] + words[start + length :]
        return None, words

    def _spelling(self, words: Span) -> str | None:
        if words not in self._known:
            self._known[words] = next(
                (name_of(each) for each in _bare(words) if self._is_name(each)), None
            )
        return self._known[words]

    def _is_name(self, words: Span) -> bool:
        name = name_of(words)
        if is_id(name):
            return self.resolves(words)
        if not any(map(str.isalnum, name)) or name in self._not_names:
            return False
        # An id is found at once; other names and spellings need a search.
        if self._reader.works([entity_id(name), paper_id(name)]):
            return True
        if len(words) > _LONGEST_SOUGHT or not self._lookups_left:
            return False
        self._lookups_left -= 1
        # As in `resolve`: a final s is part of the name (l40s) before it is a plural (a100s).
        keys = {match_key(name), match_key(plain(name).upper())}
        return any(
            keys & {match_key(each) for each in spellings(work)}
            for work in self._reader.works(self._reader.matching(name, first=3)).values()
        )


def _bare(words: Span) -> list[Span]:
    """Return words without an article, and without a noun around them; whole first."""
    found = [words]
    while len(found[-1]) > 1 and found[-1][0].key in _ARTICLES:
        found.append(found[-1][1:])
    for each in list(found):
        # "Fuyou's hardware" is no Fuyou.
        if len(each) > 1 and each[-1].key in _NOUNS and each[-2].key != "'s":
            found.append(each[:-1])
        if len(each) > 1 and each[0].key in _NOUNS:
            found.append(each[1:])
    return found
