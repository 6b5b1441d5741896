"""Thresholds and curves of calibration, fitted to papers that the network was not trained on."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from stemma.extract.encoder.component import choose_names, interpret
from stemma.extract.encoder.grouping import choose_groups
from stemma.extract.encoder.network import RELATIONS, Calibration
from stemma.extract.recognition import found_in
from stemma.schema import Extraction, RelationType
from training.papers import recognised
from training.reading import Reading

_PARTS = 5
"""Parts of the papers; what is measured on one is set on the others."""
_TRIED = np.arange(0.1, 0.8, 0.02)
_NEIGHBOURS = 4
"""Thresholds on each side whose F1 counts as well."""
_FLAT = 0.002
"""The difference of F1 of a relation that says nothing: there are few statements."""
_FEWEST = 20
"""Of how many entities a relation has to be annotated, and not annotated."""


def fit_calibration(readings: Sequence[Reading], others: Calibration | None = None) -> Calibration:
    """Return the thresholds with the best F1 on annotated papers, and how often a relation is right
    at a probability. A relation that is rarely annotated has those of `others`."""
    wanted = sum(len(each.paper.kinds) for each in readings)
    least = _best(lambda tried: _entity_f1(readings, wanted, tried), flat=0.0)
    likely, truth = _chosen(readings, least)
    totals = [
        sum(k in stated for each in readings for stated in each.paper.relations)
        for k in range(len(RELATIONS))
    ]
    thresholds = dict(others.relation_thresholds) if others else {}
    curves = dict(others.curves) if others else {}
    for k, relation in enumerate(RELATIONS):
        if others and not _FEWEST <= truth[:, k].sum() <= len(truth) - _FEWEST:
            continue
        curves[relation] = _curve(likely[:, k], truth[:, k])
        if relation is not RelationType.MENTIONS:
            thresholds[relation] = _best(
                lambda tried, k=k: _f1(likely[:, k], truth[:, k], totals[k], tried),  # type: ignore[misc]
                flat=_FLAT,
            )
    return Calibration(least, thresholds, curves)


def cross_validated(
    readings: Sequence[Reading], others: Calibration | None = None
) -> Iterator[Extraction]:
    """Yield the extractions of papers, calibrated on other parts of the papers. `others`: see
    `fit_calibration`."""
    fitted = [
        fit_calibration([each for k, each in enumerate(readings) if k % _PARTS != part], others)
        for part in range(_PARTS)
    ]
    for k, each in enumerate(readings):
        yield stated(each, fitted[k % _PARTS])


def stated(reading: Reading, calibration: Calibration) -> Extraction:
    """Return the extraction that a reading gives with a calibration."""
    paper = reading.paper.marked.paper
    doc = recognised(paper)
    interpret(doc, reading.paper.document, reading.groups, reading.related, calibration)
    return Extraction(paper, *found_in(doc), "cross-validation")


def _best(f1: Callable[[float], float], flat: float) -> float:
    """Return the threshold with the best F1 over its neighbourhood, since single peaks are chance;
    of those that differ by `flat` at most, the one nearest to a half."""
    tried = np.pad([f1(each) for each in _TRIED], _NEIGHBOURS, mode="edge")
    width = 2 * _NEIGHBOURS + 1
    smooth = np.convolve(tried, np.full(width, 1 / width), "valid")
    equal = _TRIED[smooth >= smooth.max() - flat]
    return round(float(equal[np.abs(equal - 0.5).argmin()]), 2)


def _entity_f1(readings: Sequence[Reading], wanted: int, least: float) -> float:
    stated = hits = 0
    for paper, groups, related in readings:
        matches = paper.matches(groups)
        chosen = choose_groups(groups, related.entity.tolist(), least)
        stated += len(chosen)
        hits += len({matches[k] for k, _ in chosen} - {None})
    return 2 * hits / max(1, stated + wanted)


def _chosen(readings: Sequence[Reading], least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of each relation to each entity that stands, and whether it is
    annotated, (entities, relations). What is found twice is right once."""
    likely, truth = [], []
    for paper, groups, related in readings:
        chosen = choose_names(paper.document, groups, related, least)
        matches = paper.matches([dict.fromkeys(spans, 1.0) for _, spans in chosen])
        found: set[int | None] = set()
        for (k, _), each in zip(chosen, matches, strict=True):
            match = each if each not in found else None
            found.add(match)
            stated = paper.relations[match] if match is not None else {}
            likely.append(related.relations[k])
            truth.append([number in stated for number in range(len(RELATIONS))])
    shape = (-1, len(RELATIONS))
    return np.array(likely).reshape(shape), np.array(truth, bool).reshape(shape)


def _f1(likely: np.ndarray, truth: np.ndarray, wanted: int, least: float) -> float:
    """F1 of what is likelier than `least`; of the `wanted`, not all may be among `truth`."""
    stated = likely > least
    return 2 * float((stated & truth).sum()) / max(1.0, float(stated.sum() + wanted))


def _curve(likely: np.ndarray, truth: np.ndarray) -> list[list[float]]:
    """Return points of a curve from stated to observed probability.

    Beta calibration (Kull, Silva Filho and Flach, AISTATS 2017): it needs fewer papers than an
    isotonic regression.
    """
    model = LogisticRegression(C=1e3).fit(_logit(likely), truth)
    points = np.linspace(0.0, 1.0, 21)
    right = model.predict_proba(_logit(points))[:, 1]
    return [points.round(2).tolist(), right.round(4).tolist()]


def _logit(likely: np.ndarray) -> np.ndarray:
    likely = np.clip(likely, 0.01, 0.99)
    return np.stack([np.log(likely), np.log(1 - likely)], -1)
