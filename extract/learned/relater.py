"""The relater: entities in, relations out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.linear import Linear
from stemma.extract.learned.relation_features import Features, RelationFeatures, numbers
from stemma.extract.learned.ruling import RELATIONS, Ruling
from stemma.extract.learned.trees import Trees

BLEND = 0.6
"""The weight of the trees against the linear models."""
_MOST_SENTENCES = 3
_ALSO_STATES = 0.5
"""The probability from which a further sentence counts as evidence."""
_IS_RIVAL = 0.4
_TELLS_LIMITS = 0.4
"""What a paper surely compares with, and states limits of by its wording, it improves on."""
_ONLY_FOR = {"RUNS_ON": {"hardware"}, "EVALUATED_ON": {"dataset", "model"}}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the paper to `entity`; `evidence`: sentences, the strongest first."""

    type: str
    entity: int
    confidence: float
    evidence: tuple[int, ...]


@dataclass(slots=True)
class Relater:
    """`least`: for each relation but MENTIONS the probability from which it is stated.

    `calibration`: for each relation raw probabilities and how often they are right.
    """

    words: Linear
    trees: Trees
    evidence: Linear
    least: Mapping[str, float]
    calibration: Mapping[str, Sequence[Sequence[float]]]

    def relations(
        self,
        document: Document,
        entities: Sequence[Entity],
        rulings: Sequence[Ruling],
        corpus: CorpusStatistics,
        names: KnownNames,
    ) -> list[Relation]:
        """Return at least one relation for every entity, MENTIONS if no other is likely enough."""
        if not entities:
            return []
        reader = RelationFeatures(document, entities, rulings, corpus, names)
        features = [reader.of(k) for k in range(len(entities))]
        by_words = self.words.probabilities([union(f) for f in features])
        rows = numbers(document, entities, features, rulings, by_words)
        likely = BLEND * self.trees.probabilities(rows) + (1 - BLEND) * by_words
        return stated(
            likely, entities, features, rulings, self.evidence, self.least, self.calibration
        )


def stated(
    likely: np.ndarray,
    entities: Sequence[Entity],
    features: Sequence[Features],
    rulings: Sequence[Ruling],
    evidence: Linear,
    least: Mapping[str, float],
    calibration: Mapping[str, Sequence[Sequence[float]]],
) -> list[Relation]:
    """Return relations by their probabilities (entities, relations), with their evidence."""
    found = []
    for k, (entity, ruling) in enumerate(zip(entities, rulings, strict=True)):
        row = dict(zip(RELATIONS, likely[k].tolist(), strict=True))
        allowed = _allowed(row, entity.kind, least)
        for relation in allowed:
            at, right = calibration[relation]
            confidence = float(np.interp(row[relation], at, right))
            sentences = _evidence(relation, features[k][1], evidence)
            found.append(Relation(relation, k, confidence, sentences))
        limits, s = ruling.strongest("IMPROVES_ON")
        if (
            "IMPROVES_ON" not in allowed
            and limits >= _TELLS_LIMITS
            and "COMPARES_WITH" in allowed
            and row["COMPARES_WITH"] >= _IS_RIVAL
        ):
            found.append(Relation("IMPROVES_ON", k, limits, (s,)))
    return found


def _allowed(row: Mapping[str, float], kind: str, least: Mapping[str, float]) -> list[str]:
    return [
        relation
        for relation in RELATIONS[:-1]
        if row[relation] > least[relation] and kind in _ONLY_FOR.get(relation, {kind})
    ] or ["MENTIONS"]


def _evidence(relation: str, sentences: Mapping[int, set[str]], words: Linear) -> tuple[int, ...]:
    if len(sentences) == 1:
        return tuple(sentences)
    likely = words.probabilities(evidence_features(relation, f) for f in sentences.values())
    scores = dict(zip(sentences, likely[:, 0].tolist(), strict=True))
    ranked = sorted(scores, key=lambda s: (-scores[s], s))[:_MOST_SENTENCES]
    return tuple(s for s in ranked if s == ranked[0] or scores[s] >= _ALSO_STATES)


def evidence_features(relation: str, sentence: Collection[str]) -> list[str]:
    """Return the features of a sentence as the evidence of a relation."""
    return [*sentence, *(f"{relation}|{feature}" for feature in sentence)]


def union(features: Features) -> set[str]:
    """Return the features of the paper and of all sentences together."""
    return features[0].union(*features[1].values())
