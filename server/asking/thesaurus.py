"""What papers call what people say in plain words: "see-through things" are transparent objects."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from stemma.server.asking.question import STOP_WORDS

_FILE = Path(__file__).with_name("thesaurus.txt")
_WORD = re.compile(r"[^\s,;:?!()\".]+")
_ENDS = re.compile(r"(?<=\w{3})(?:'s|ing|ed|es|s|e)$")
_NEAR = 8
"""Words on either side of one among which the others of a phrase may stand."""


def terms_in(text: str) -> list[tuple[str, ...]]:
    """Return for each phrase of plain words in a text, which may stand apart in it, the terms that
    papers have for it."""
    words, found = _roots(text), dict[tuple[str, ...], None]()
    for number, word in enumerate(words):
        near = words[max(0, number - _NEAR) : number + _NEAR + 1]
        line = " ".join(near)
        for phrase, whole, terms in _phrases().get(word, ()):
            if phrase.issubset(near) and whole in line:
                found[terms] = None
    return [*found]


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, Sequence[tuple[frozenset[str], str, tuple[str, ...]]]]:
    """Return the phrases of the file, each as a set of words, with what has to stand together and
    its terms, by its longest word."""
    phrases, stop = defaultdict(list), {*map(_root, STOP_WORDS)}
    for line in _FILE.read_text("utf-8").splitlines():
        plain, _, terms = line.partition(" = ")
        for each in plain.split(" | ") if terms else ():
            words = _roots(each)
            telling = {*words} - stop
            whole = " ".join(words) if each[0] == '"' or len(telling) < 2 else ""
            kept = frozenset(words if whole else telling)
            phrases[max(sorted(kept), key=len)].append((kept, whole, tuple(terms.split("; "))))
    return phrases


def _roots(text: str) -> list[str]:
    return [*map(_root, _WORD.findall(text.casefold()))]


def _root(word: str) -> str:
    return _ENDS.sub("", word)
