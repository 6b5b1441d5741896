"""Ranking: papers by what a search is about, with the same scores for every store."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

_FOR_A_MATCH = 0.5
"""The share of a topic's weight for any match; the rest is for how much the text is about it."""
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
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class RankedPaper:
    """A paper (an id) that a search finds; `score` is 1 for one that is all about all topics."""

    id: str
    score: float


def ranked(
    topics: Sequence[Topic], matches: Sequence[Mapping[str, float]], papers: int, first: int
) -> list[RankedPaper]:
    """Return the best papers, the best match first; of equal ones, those with the first ids.

    `matches` has, for each topic, the papers (ids) that are about it, with how much, from 0 to 1.
    A topic counts as much as it is rare among all `papers`. Papers come first that are about most
    topics of full weight: who asks for two things wants both.
    """
    scores: Counter[str] = Counter()
    about: Counter[str] = Counter()
    best = 0.0
    for topic, found in zip(topics, matches, strict=True):
        rarity = log(1 + (papers - len(found) + 0.5) / (len(found) + 0.5))
        weight = topic.weight * rarity
        # That no paper has two words beside each other says nothing of the others.
        best += weight if found or topic.weight == 1 else 0.0
        for id_, strength in found.items():
            scores[id_] += weight * (_FOR_A_MATCH + (1 - _FOR_A_MATCH) * strength)  # type: ignore[assignment]
        about.update(list(found) if topic.weight == 1 else ())
    order = sorted(scores, key=lambda id_: (-scores[id_] * about[id_], id_))[:first]
    return [RankedPaper(id_, scores[id_] / best) for id_ in order]


def strengths(scores: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return scores of any scale, the greatest of which is best, as shares of the greatest."""
    found = dict(scores)
    greatest = max(found.values(), default=0.0)
    return {id_: score / greatest if greatest else 0.0 for id_, score in found.items()}
