"""Fitting the parts of the model, each from examples."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pycrfsuite
from sklearn.isotonic import IsotonicRegression

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.lexicon import KnownNames, Lexicon, learn
from stemma.extract.learned.ruling import RELATIONS
from stemma.extract.learned.tagger import LABELS, Tagger, strings
from stemma.extract.learned.training.annotation import Annotated

TAGGER = {
    "c1": 0.15, "c2": 0.5, "max_iterations": 60, "feature.possible_transitions": True,
    "feature.minfreq": 2,
}  # fmt: skip
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


def best_threshold(f1: Callable[[float], float]) -> float:
    """Return the threshold with the best F1, the lowest of equals."""
    return float(max(np.arange(0.1, 0.72, 0.02), key=f1))


def calibration(likely: np.ndarray, truth: np.ndarray) -> list[list[float]]:
    """Return points of an isotonic regression from stated to observed probability."""
    model = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip").fit(likely, truth)
    points = np.linspace(0.0, 1.0, 21)
    return [points.tolist(), model.predict(points).tolist()]


def thresholds(table: np.ndarray, truth: np.ndarray, totals: Mapping[str, int]) -> dict[str, float]:
    """Return the threshold of each relation but MENTIONS; `totals` count the annotated ones."""
    return {
        r: best_threshold(partial(_f1, table[:, k], truth[:, k], totals[r]))
        for k, r in enumerate(RELATIONS[:-1])
    }


def _f1(likely: np.ndarray, truth: np.ndarray, wanted: int, least: float) -> float:
    """F1 of what is likelier than `least`; of the `wanted`, not all may be among `truth`."""
    stated = likely > least
    return 2 * float((stated & truth).sum()) / max(1.0, float(stated.sum() + wanted))
