"""What the tagger looks at in words, in families, so that each can be scored once and kept.

`own` and `near` depend on one word alone, `pair` on two neighbours.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import capital_pattern

REACH = 3
"""Tokens to either side that are looked at."""
OFFSETS = [offset for offset in range(-REACH, REACH + 1) if offset]

_SHAPES = {
    ord(c): shape
    for shape, sort in (("X", ascii_uppercase), ("x", ascii_lowercase), ("d", digits))
    for c in sort
}
_LONG_RUN = re.compile(r"(.)\1{2,}")


def bucket(value: float, bounds: Sequence[float]) -> int:
    """Return the index of the first bound that `value` does not exceed."""
    return bisect_left(bounds, value)


def shape(word: str) -> str:
    """ "LLaMA3" -> "XXxXXd": runs of more than two are cut to two."""
    text = word.translate(_SHAPES)
    if not word.isascii():
        text = re.sub(r"\d", "d", text)
    return _LONG_RUN.sub(lambda run: run[1] * 2, text)


def _clusters(word: str, corpus: CorpusStatistics) -> tuple[int, int, int] | None:
    return corpus.clusters.get(word) or corpus.clusters.get(word.rstrip("s"))


def own(word: str, corpus: CorpusStatistics) -> list[str]:
    """Features of a token from its word."""
    low, capitals = word.lower(), capital_pattern(word)
    found = [
        "b", "w=" + low, "W=" + word, "c=" + capitals, "s=" + shape(word), "p2=" + low[:2],
        "p3=" + low[:3],
        "s2=" + low[-2:], "s3=" + low[-3:], "s4=" + low[-4:],
        f"df={bucket(corpus.frequency.get(low, 0), (0, 2, 5, 20, 100, 500, 2000))}",
    ]  # fmt: skip
    if clusters := _clusters(low, corpus):
        found += [f"k5={clusters[0]}", f"k2={clusters[1]}", f"k8={clusters[2]}"]
    if not word.islower():
        lower, upper = corpus.lower.get(word, 0), corpus.upper.get(word, 0)
        found.append(f"cr={bucket(lower, (0, 2, 20))}{bucket(upper, (0, 2, 20))}")
    if word.upper() == word and (defined := corpus.short_form_frequency(word)):
        found.append(f"as={bucket(defined, (1, 3, 10))}")
    return found


def near(word: str, corpus: CorpusStatistics) -> list[list[str]]:
    """Features of the tokens around a word: for each of `OFFSETS`, those of the token that the word
    stands so many tokens after."""
    low = word.lower()
    shared = _near_sort(capital_pattern(word), _clusters(low, corpus))
    result = [[f"w{offset}={low}", *found] for offset, found in zip(OFFSETS, shared, strict=True)]
    for offset in (-1, 1):
        result[OFFSETS.index(offset)].append(f"s3{offset}={low[-3:]}")
    return result


@lru_cache(maxsize=20_000)
def _near_sort(capitals: str, clusters: tuple[int, int, int] | None) -> list[list[str]]:
    """Return what of `near` all words have that are written alike and resemble each other."""
    result = []
    for offset in OFFSETS:
        found = []
        if abs(offset) < REACH:
            found.append(f"c{offset}={capitals}")
            if clusters:
                found += [f"k5{offset}={clusters[0]}", f"k2{offset}={clusters[1]}"]
                if abs(offset) == 1:
                    found.append(f"k8{offset}={clusters[2]}")
        result.append(found)
    return result


Pair = tuple[str, str, int, int | None]
"""What kind of pair two neighbours are: how each is written, how often they stand side by side, and
how much more so than by chance (None where that says nothing)."""


def pair(left: str, right: str, corpus: CorpusStatistics) -> tuple[str, Pair]:
    """Return the words of two neighbours, and what kind of pair they are."""
    low_left, low_right = left.lower(), right.lower()
    words = low_left + " " + low_right
    frequency, association = 0, None
    if together := corpus.phrase_frequency(words):
        frequency = bucket(together, (0, 5, 20, 100))
        if low_left.isalpha() and low_right.isalpha():
            association = corpus.association(low_left, low_right, together)
    return words, (capital_pattern(left), capital_pattern(right), frequency, association)


def spelt_pair(words: str | None, kind: Pair) -> list[str]:
    """Return the features of two neighbours by name; both tokens get them, marked + and -."""
    left, right, frequency, association = kind
    found = ["bg=" + words] if words else []
    found += ["cc=" + left + right, f"n={frequency}"]
    if association is not None:
        found.append(f"pmi={association}")
    return found
