"""Wordings: other ways to write a text that is searched for, by the names of the catalogue.

Who searches for "LLM inference" also means the title "Inference of large language models".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from stemma.schema import Catalogue
from stemma.schema.name import match_key

_MOST_WORDS = 6
"""Of a name in the catalogue."""
_LONGEST = 50
"""Words of a text; longer ones are no names."""
_MOST_NAMES = 4
"""Names in a text that are written otherwise."""
_MOST = 16
"""Wordings of a text."""
_ABBREVIATION = re.compile(r"(?=\w*[A-Z])\w{1,5}")


@dataclass(frozen=True, slots=True)
class Wording:
    """What a name contains that words a text otherwise.

    `keys` are in its match key. `words`, such as llm, are words of it, perhaps with a plural s: as
    letters alone they are in "small models" as well.
    """

    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def all_keys(self) -> tuple[str, ...]:
        """What its match key contains, as far as that is known."""
        return (*self.keys, *map(match_key, self.words))

    @property
    def patterns(self) -> tuple[str, ...]:
        """The words as regular expressions that a name matches as a whole."""
        return tuple(rf"(?is)(?:.*[^A-Za-z0-9])?{word}s?(?:[^A-Za-z0-9].*)?" for word in self.words)


def wordings(text: str) -> list[Wording]:
    """Return the other wordings of a text that the shipped catalogue knows."""
    words = text.split()
    if len(words) > _LONGEST:
        return []
    return [_wording(each) for each in islice(product(*_parts(words)), 1, _MOST)]


def _parts(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the parts of a text as match keys, with the other names of those that are names."""
    by_key = Catalogue.shipped().by_key
    start = names = 0
    while start < len(words):
        for end in range(min(len(words), start + _MOST_WORDS), start, -1):
            part = " ".join(words[start:end])
            key = match_key(part)
            concepts = by_key.get(key, ()) if names < _MOST_NAMES else ()
            if concepts or end == start + 1:
                break
        named = (name for each in concepts for name in (each.name, *each.aliases))
        # What contains the part is found by it.
        others = {match_key(name): name for name in named if key not in match_key(name)}
        names += bool(others)
        start = end
        yield [key, *others.values()]


def _wording(parts: tuple[str, ...]) -> Wording:
    words = dict.fromkeys(each for each in parts if _ABBREVIATION.fullmatch(each))
    keys = dict.fromkeys(match_key(each) for each in parts if each not in words)
    return Wording(tuple(filter(None, keys)), tuple(map(str.lower, words)))
