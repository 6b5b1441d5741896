"""Matching: what names and papers a text that is searched for means, in every kind of store.

Wordings are other ways to write it, by the names of the catalogue: who searches for "LLM inference"
also means the title "Inference of large language models". The nearest names are those that it may
be a misspelling of. Papers are ranked by how much they are about what is searched for.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, product
from math import log
from typing import NamedTuple

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
_MOST_SOUGHT = 100
"""Words that a name is searched for: SQLite bounds the number of conditions."""
_ABBREVIATION = re.compile(r"(?=\w*[A-Z])\w{1,5}")
_SHORT_WORD = 5
"""Letters of a word that is only found where it begins one: "lora" is in "exploration" as well."""


class Wording(NamedTuple):
    """What names contain that word a text: in their match keys, and matching them as a whole.

    Patterns are regular expressions that Python and Java read alike.
    """

    keys: tuple[str, ...]
    patterns: tuple[str, ...] = ()


def sought(text: str) -> tuple[Wording, ...]:
    """Return the wordings by which a search finds names, the best first: each word of the text at
    the beginning of a word of the name, then long ones anywhere, then other words for the text."""
    typed = (word for word in text.lower().split() if any(map(str.isalnum, word)))
    words = sorted(dict.fromkeys(typed), key=len, reverse=True)[:_MOST_SOUGHT]
    own = (_wording(words, len(text)), _wording(words)) if words else ()
    return tuple(dict.fromkeys((*own, *wordings(text))))


def phrasings(text: str) -> tuple[Wording, ...]:
    """Return how names word a text whose words follow each other there."""
    return (_wording([text.lower()]), *wordings(text))


def wordings(text: str) -> list[Wording]:
    """Return the other wordings of a text that the shipped catalogue knows."""
    words = text.split()
    if len(words) > _LONGEST:
        return []
    return [_wording(each) for each in islice(product(*_parts(words)), 1, _MOST)]


def _parts(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the parts of a text, each with its other names if it is a name."""
    by_key = Catalogue.shipped().by_key
    start = names = 0
    while start < len(words):
        for end in range(min(len(words), start + _MOST_WORDS), start, -1):
            part = " ".join(words[start:end])
            key = match_key(part)
            concepts = by_key.get(key, ()) if names < _MOST_NAMES else ()
            if concepts or end == start + 1:
                break
        named = (name for concept in concepts for name in (concept.name, *concept.aliases))
        # What contains the part is found by it.
        others = {match_key(name): name for name in named if key not in match_key(name)}
        names += bool(others)
        start = end
        yield [part.lower(), *others.values()]


def _wording(parts: Iterable[str], longest: int = _SHORT_WORD) -> Wording:
    keys = {match_key(part): part for part in parts}
    patterns = (_pattern(part, key, longest) for key, part in keys.items())
    return Wording(tuple(filter(None, keys)), tuple(filter(None, patterns)))


def _pattern(part: str, key: str, longest: int) -> str:
    """Return what names match that have a part with a match key, or nothing if the key is enough.

    An abbreviation of the catalogue is a word: "small models" has the letters of LLM. What has so
    many letters at most begins a word, or a part with a capital (QLoRA), if it is written as in its
    key; of names with accents, only the keys are known to be so.
    """
    if _ABBREVIATION.fullmatch(part):
        return rf"(?is)(?:.*[^A-Za-z0-9])?{part.lower()}s?(?:[^A-Za-z0-9].*)?"
    if len(key) > longest or not (part.startswith(key) and key.isascii() and key.isalpha()):
        return ""
    word, rest = (re.sub("y$", "(?:y|ie)", each) for each in ("-?".join(key), key[1:]))  # Queries.
    begun = f"(?<![A-Za-z])(?i:{word})|{key[0].upper()}(?i:{rest})"
    return rf"(?s).*(?:{begun}).*|.*[\u00c0-\u1fff].*"


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


_FOR_A_MATCH = 0.5
"""The share of what a topic counts for any match; the rest is for how much the text is about it."""
STATED = 0.4
"""How much a paper with a statement about an entity is about it at least, from 0 to 1: less than
one that speaks of it often."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that papers are searched for.

    A paper is about it if its title or abstract has one of the `phrases` (words in any grammatical
    number), or if it has a statement about one of the `entities` (ids).
    """

    phrases: tuple[str, ...]
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedPaper:
    """A paper (an id) that a search finds; `score` is 1 for one that is all about all topics."""

    id: str
    score: float


def ranked(matches: Sequence[Mapping[str, float]], papers: int, first: int) -> list[RankedPaper]:
    """Return the best papers, the best match first; of equal ones, those with the first ids.

    `matches` has, for each topic, the papers (ids) that are about it, with how much, from 0 to 1.
    A topic counts as much as it is rare among all `papers`.
    """
    scores: dict[str, float] = defaultdict(float)
    best = 0.0
    for found in matches:
        rarity = log(1 + (papers - len(found) + 0.5) / (len(found) + 0.5))
        best += rarity
        for id_, strength in found.items():
            scores[id_] += rarity * (_FOR_A_MATCH + (1 - _FOR_A_MATCH) * strength)
    order = sorted(scores, key=lambda id_: (-scores[id_], id_))[:first]
    return [RankedPaper(id_, scores[id_] / best) for id_ in order]
