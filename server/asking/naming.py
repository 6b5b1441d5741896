"""The names in a question: the works of the graph that they mean."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from stemma.graph import Reader, Work
from stemma.graph.searching import nearest_works
from stemma.schema import Catalogue, Paper
from stemma.schema.name import is_id, match_key
from stemma.server.asking.question import STOP_WORDS, nouns

_ARTICLES = re.compile(r"(?i)^(?:the|an?|one|single|both|some|this|that) ")
_NOUN = re.compile(rf"(?i)^(?:{nouns()}) | (?:{nouns()})$")
_BETWEEN = re.compile(r"(?i)(?:,? and|,? or|,| to| with| versus| vs\.?| from| than| on) ")
_LIKE_ENOUGH = 0.8
"""The likeness, from 0 to 1, of a misspelt name to the one that is meant."""
_FEW_WORDS = 2
_SHORTEST_MISSPELT, _LETTERS_OF_A_WORD = 4, 4


class Names:
    """The names of one question; `remarks` say which were ambiguous or misspelt."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.remarks: dict[str, None] = {}

    def work(self, name: str, correct: bool = False) -> Work | None:
        """Return the work that a name means, with or without an article or a noun around it.

        If asked to `correct` it, also where the name is misspelt. Of several works of one name, the
        one that most papers name is returned, and a remark kept.
        """
        for each in _bare(name):
            if each.casefold() in STOP_WORDS or not any(map(str.isalnum, each)):
                continue
            papers = {each: 0} if is_id(each) else self.reader.called(each)
            works = self.reader.works(sorted(papers, key=lambda id_: (-papers[id_], id_)))
            if not works:
                continue
            meant, *others = works.values()
            if others:
                listed = joined(other.id for other in others)
                self.remarks[f"“{each}” is taken to be {meant.id}; also so called: {listed}."] = (
                    None
                )
            return meant
        key = match_key(name)
        # A well-known name that this graph lacks is not a misspelt other one.
        correct = correct and not Catalogue.shipped().by_key.get(key)
        if correct and len(key) >= max(_SHORTEST_MISSPELT, _LETTERS_OF_A_WORD * len(name.split())):
            for near in nearest_works(self.reader, name):
                if _is_misspelt(name, near.name):
                    self.remarks[f"“{name}” is read as {near.name}."] = None
                    return near
        return None

    def pair(self, text: str, correct: bool = False) -> tuple[Work, Work] | None:
        """Return two works whose names are joined by a word: "A and B"."""
        for joint in _BETWEEN.finditer(text):
            left = self.work(text[: joint.start()], correct)
            right = self.work(text[joint.end() :], correct) if left else None
            if left and right and left.id != right.id:
                return left, right
        return None


def _is_misspelt(name: str, meant: str) -> bool:
    """Return whether a name is like another one: as a whole, and word by word if it has many."""
    pairs = [(match_key(name), match_key(meant))]
    words, others = (re.findall(r"\w+", each.casefold()) for each in (name, meant))
    if len(words) > _FEW_WORDS:
        pairs += zip_longest(words, others, fillvalue="")
    return all(SequenceMatcher(a=a, b=b).ratio() >= _LIKE_ENOUGH for a, b in pairs)


def _bare(name: str) -> Iterator[str]:
    """Yield a name as it is, then without an article, a quotation and a noun around it."""
    name = name.strip(" ,;:?!\t").removesuffix("'s")
    without = _ARTICLES.sub("", name)
    texts = (name, name.strip('"'), without, without.strip('"'), _NOUN.sub("", without))
    return (each for each in dict.fromkeys(texts) if each)


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    *others, last = list(parts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
