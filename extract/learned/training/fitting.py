"""Fitting the parts of the model, each from examples."""

import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import pycrfsuite
from sklearn.isotonic import IsotonicRegression

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.lexicon import KnownNames, Lexicon, learn
from stemma.extract.learned.linear import Linear
from stemma.extract.learned.relater import evidence_features
from stemma.extract.learned.ruling import RELATIONS
from stemma.extract.learned.tagger import LABELS, Tagger, strings
from stemma.extract.learned.training import boosting, regression
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.example import EntityExample, RelationExample
from stemma.extract.learned.trees import Trees

TAGGER = {"c1": 0.15, "c2": 0.5, "max_iterations": 80, "feature.possible_transitions": True}
RELATION_STRENGTH = [0.1, 0.05, 0.05, 0.05, 0.05, 0.1, 0.1, 0.05]
"""Inverse of the regularisation, by relation."""
ENTITY_ROUNDS, KIND_ROUNDS, RELATION_ROUNDS = 220, 100, 150
RELATION_TREES: dict[str, Any] = {"num_leaves": 9, "learning_rate": 0.04, "reg_lambda": 3.0}
_UNSEEN, _FORBIDDEN = -8.0, -4.0
_NEGLIGIBLE = 0.01


def lexicon(papers: Sequence[Annotated]) -> Lexicon:
    """Learn what the annotations of `papers` say of names."""
    return learn([(p.document, p.marked, [span for span, _ in p.spans]) for p in papers])


def tagger(papers: Sequence[Annotated], corpus: CorpusStatistics, names: KnownNames) -> Tagger:
    """Fit the conditional random field."""
    known = lexicon(papers)
    trainer = pycrfsuite.Trainer(verbose=False)
    for paper in papers:
        rows = strings(paper.document, corpus, names, known, paper.marked)
        for features, labels in zip(rows, paper.labels(), strict=True):
            trainer.append(features, labels)
    trainer.set_params(TAGGER)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/tagger")
        reader = pycrfsuite.Tagger()
        reader.open(f"{folder}/tagger")
        info = reader.info()
        reader.close()
    weights: dict[str, np.ndarray] = {}
    for (feature, label), weight in info.state_features.items():
        weights.setdefault(feature, np.zeros(len(LABELS), np.float32))[LABELS.index(label)] = weight
    kept = {f: weights[f] for f in sorted(weights) if np.abs(weights[f]).max() >= _NEGLIGIBLE}
    return Tagger(kept, _transitions(info.transitions), corpus, names, known)


def _transitions(seen: dict[tuple[str, str], float]) -> np.ndarray:
    # Unseen steps, such as from O into a name, are as good as forbidden.
    transitions = np.full((len(LABELS), len(LABELS)), _UNSEEN)
    for (before, after), weight in seen.items():
        transitions[LABELS.index(before), LABELS.index(after)] = weight
    for a, before in enumerate(LABELS):
        for b, after in enumerate(LABELS):
            if after.startswith("I-") and before[1:] != after[1:]:
                transitions[a, b] = min(transitions[a, b], _FORBIDDEN)
    return transitions


def entity_words(examples: Sequence[EntityExample]) -> Linear:
    """Is a group an entity, by its words?"""
    items = [w for e in examples for w in e.words]
    targets = np.array([[m is not None] for e in examples for m in e.matches])
    return regression.fit(items, targets, [0.1])


def kind_words(examples: Sequence[EntityExample]) -> Linear:
    """Of which kind, by its words?"""
    pairs = [(w, k) for e in examples for w, k in zip(e.words, e.kinds, strict=True) if k >= 0]
    return regression.fit(
        [w for w, _ in pairs], np.array([k for _, k in pairs]), [0.2], softmax=True
    )


def entity_trees(examples: Sequence[EntityExample]) -> Trees:
    """Is a group an entity?"""
    rows = np.vstack([e.rows() for e in examples if e.groups])
    targets = np.array([[m is not None] for e in examples for m in e.matches])
    return boosting.fit(rows, targets, ENTITY_ROUNDS)


def kind_trees(examples: Sequence[EntityExample]) -> Trees:
    """Of which kind?"""
    rows = np.vstack([e.kind_rows() for e in examples if e.groups])
    kinds = np.array([k for e in examples for k in e.kinds])
    held = kinds >= 0
    return boosting.fit(rows[held], kinds[held], KIND_ROUNDS, softmax=True, num_leaves=9)


def relation_words(examples: Sequence[RelationExample]) -> Linear:
    """All relations by words."""
    items = [w for e in examples for w in e.words]
    targets = np.vstack([e.truth for e in examples])
    return regression.fit(items, targets, RELATION_STRENGTH, least=3)


def relation_trees(examples: Sequence[RelationExample]) -> Trees:
    """All relations by signs and by the paper's other entities."""
    held = [e for e in examples if e.entities]
    rows = np.vstack([e.rows() for e in held])
    targets = np.vstack([e.truth for e in held])
    return boosting.fit(rows, targets, RELATION_ROUNDS, **RELATION_TREES)


def evidence_words(examples: Sequence[RelationExample]) -> Linear:
    """Which of the sentences that name an entity states a relation?

    `examples` are of the annotated entities.
    """
    items: list[list[str]] = []
    targets: list[list[bool]] = []
    for example in examples:
        for (_, sentences), stated in zip(example.features, example.stated, strict=True):
            if len(sentences) < 2:
                continue
            for relation, evidence in stated.items():
                for s, found in sentences.items():
                    text = example.document.sentence(s)
                    items.append(evidence_features(relation, found))
                    targets.append([any(e in text or text in e for e in evidence)])
    return regression.fit(items, np.array(targets), [0.05], least=3)


def threshold(likely: np.ndarray, truth: np.ndarray, missed: int, slack: float = 0.0) -> float:
    """Return the lowest threshold whose F1 is within `slack` of the best.

    `missed` true ones are out of reach whatever the threshold.
    """

    def f1(least: float) -> float:
        stated = likely > least
        hits = float((stated & truth).sum())
        return 2 * hits / max(1.0, float(stated.sum() + truth.sum() + missed))

    grid = np.arange(0.1, 0.72, 0.02)
    best = max(f1(x) for x in grid)
    return float(next(x for x in grid if f1(x) >= best - slack))


def calibration(likely: np.ndarray, truth: np.ndarray) -> list[list[float]]:
    """Return points of an isotonic regression from stated to observed probability."""
    model = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip").fit(likely, truth)
    points = np.linspace(0.0, 1.0, 21)
    return [points.tolist(), model.predict(points).tolist()]


def thresholds(table: np.ndarray, truth: np.ndarray, totals: np.ndarray) -> dict[str, float]:
    """Return the threshold of each relation but MENTIONS; `totals` count the annotated ones."""
    return {
        r: threshold(table[:, k], truth[:, k], int(totals[k] - truth[:, k].sum()))
        for k, r in enumerate(RELATIONS[:-1])
    }
