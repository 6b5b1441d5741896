"""The relater: entities in, relations out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

import numpy as np

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.linear import Linear, aligned
from stemma.extract.learned.relation_features import Features, RelationFeatures
from stemma.extract.learned.relation_rows import numbers, together
from stemma.extract.learned.ruling import RELATIONS, Ruling
from stemma.extract.learned.trees import Trees

BLEND = 0.8
"""The weight of the trees against the linear models."""
_MOST_SENTENCES = 3
_ALSO_STATES = 0.6
"""How likely against the strongest a further sentence has to be to count as evidence."""
_HEADING = 0.99
"""How likely a paper introduces what stands before the colon of its title, alone or with one word
more: of 269 such names in annotated papers all were introduced."""
_SHORT_HEAD = 7
"""Tokens, of which hyphens are some."""
_ONLY_FOR = {"RUNS_ON": {"hardware"}, "EVALUATED_ON": {"dataset", "model"}}


Ruled = tuple[Document, Sequence[Entity], Sequence[Ruling]]
"""A paper with its entities, and what the rules say of each of them."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the paper to `entity`; `evidence`: sentences, the strongest first."""

    type: str
    entity: int
    confidence: float
    evidence: tuple[int, ...]


@dataclass(slots=True)
class Relater:
    """`words` weighs all that is said of an entity, `sentences` each sentence for itself.

    `least`: for each relation but MENTIONS the probability from which it is stated.
    `calibration`: for each relation raw probabilities and how often they are right.
    """

    words: Linear
    sentences: Linear
    trees: Trees
    least: Mapping[str, float]
    calibration: Mapping[str, Sequence[Sequence[float]]]

    def __post_init__(self) -> None:
        """Give `words` and `sentences` one index."""
        self.words, self.sentences = aligned(self.words, self.sentences)

    def relations(
        self, papers: Sequence[Ruled], corpus: CorpusStatistics, names: KnownNames
    ) -> list[list[Relation]]:
        """Return the relations of each of several papers: at least one for every entity, MENTIONS
        if no other is likely enough."""
        features = [
            [reader.of(k) for k in range(len(reader.entities))]
            for reader in (RelationFeatures(*paper, corpus, names) for paper in papers)
        ]
        flat = list(chain.from_iterable(features))
        if not flat:
            return [[] for _ in papers]
        by_words, by_sentence = self._by_words(flat)
        bounds = list(pairwise([0, *accumulate(map(len, features))]))
        rows = [
            numbers(document, entities, found, rulings, by_words[a:b], by_sentence[a:b])
            for (document, entities, rulings), found, (a, b) in zip(
                papers, features, bounds, strict=True
            )
            if found
        ]
        likely = blend(self.trees.probabilities(np.vstack(rows)), by_words, by_sentence)
        introduced = RELATIONS.index("INTRODUCES")
        for (document, entities, _), (a, _) in zip(papers, bounds, strict=True):
            for k in _heading(document, entities):
                likely[a + k, introduced] = max(likely[a + k, introduced], _HEADING)
        return [
            stated(likely[a:b], entities, found, by_sentence[a:b], self.least, self.calibration)
            for (_, entities, _), found, (a, b) in zip(papers, features, bounds, strict=True)
        ]

    def _by_words(self, features: Sequence[Features]) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return what the linear models say of each entity, and of each of its sentences."""
        known = self.words.known
        whole: list[set[int]] = []
        single: list[set[int]] = []
        for paper, sentences in features:
            own, each = known(paper), list(map(known, sentences.values()))
            whole.append(own.union(*each))
            single += [own | found for found in each]
        by_sentence = self.sentences.of_rows(single)
        ends = list(accumulate(len(sentences) for _, sentences in features))
        return self.words.of_rows(whole), np.split(by_sentence, ends[:-1])


def _heading(document: Document, entities: Sequence[Entity]) -> list[int]:
    """Return the entities that are the short head of a title ("LoRA: …")."""
    head = len(document.head_of_title() or ())
    if not 0 < head <= _SHORT_HEAD or document.surface((0, 0, head)).count(" ") > 1:
        return []
    return [k for k, each in enumerate(entities) if (0, 0, head) in each.spans]


def blend(
    by_trees: np.ndarray, by_words: np.ndarray, by_sentence: Sequence[np.ndarray]
) -> np.ndarray:
    """Return the probability of each relation, (entities, relations)."""
    likely: np.ndarray = BLEND * by_trees + (1 - BLEND) * (by_words + together(by_sentence)) / 2
    return likely


def stated(
    likely: np.ndarray,
    entities: Sequence[Entity],
    features: Sequence[Features],
    by_sentence: Sequence[np.ndarray],
    least: Mapping[str, float],
    calibration: Mapping[str, Sequence[Sequence[float]]],
) -> list[Relation]:
    """Return relations by their probabilities (entities, relations), with their evidence."""
    found = []
    for k, entity in enumerate(entities):
        row = dict(zip(RELATIONS, likely[k].tolist(), strict=True))
        allowed = _allowed(row, entity.kind, least)
        for relation in allowed:
            at, right = calibration[relation]
            confidence = float(np.interp(row[relation], at, right))
            scores = by_sentence[k][:, RELATIONS.index(relation)].tolist()
            sentences = _evidence(dict(zip(features[k][1], scores, strict=True)))
            found.append(Relation(relation, k, confidence, sentences))
    return found


def _allowed(row: Mapping[str, float], kind: str, least: Mapping[str, float]) -> list[str]:
    return [
        relation
        for relation in RELATIONS[:-1]
        if row[relation] > least[relation] and kind in _ONLY_FOR.get(relation, {kind})
    ] or ["MENTIONS"]


def _evidence(scores: Mapping[int, float]) -> tuple[int, ...]:
    ranked = sorted(scores, key=lambda s: (-scores[s], s))[:_MOST_SENTENCES]
    return tuple(s for s in ranked if scores[s] >= _ALSO_STATES * scores[ranked[0]])


def union(features: Features) -> set[str]:
    """Return the features of the paper and of all sentences together."""
    return features[0].union(*features[1].values())


def separate(features: Features) -> list[set[str]]:
    """Return the features of each sentence with those of the paper."""
    return [features[0] | found for found in features[1].values()]
