"""Logistic regressions over named features."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from stemma.extract.learned.packing import joined, packed, split, unpacked

Matrix = np.ndarray
_NEGLIGIBLE = 0.004
_UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Linear:
    """`weights[i]` holds one weight an output for feature i; `index`: feature -> i.

    `softmax`: an item has one of the outputs, else any of them.
    """

    index: Mapping[str, int]
    weights: Matrix
    bias: Matrix
    softmax: bool = False

    def probabilities(self, items: Iterable[Iterable[str]]) -> Matrix:
        """Return the probability of each output for items, each given by its features, which
        count once."""
        return self.of_rows([self.known(item) for item in items])

    def known(self, features: Iterable[str]) -> set[int]:
        """Return the numbers of those features that have one."""
        found = set(map(self.index.get, features, repeat(_UNKNOWN)))
        found.discard(_UNKNOWN)
        return found

    def of_rows(self, items: Iterable[Collection[int]]) -> Matrix:
        """Return the same for items given by the numbers of their features."""
        # Sorted, since a set has another order in every process, and sums are rounded.
        rows = [sorted(each) for each in items]
        raw = np.tile(self.bias.astype(np.float32), (len(rows), 1))
        if flat := list(chain.from_iterable(rows)):
            counts = np.array([len(each) for each in rows])
            filled = counts > 0
            starts = np.cumsum(counts) - counts
            raw[filled] += np.add.reduceat(self.weights.take(flat, axis=0), starts[filled], axis=0)
        return softmax(raw) if self.softmax else sigmoid(raw)


def aligned(first: Linear, second: Linear) -> tuple[Linear, Linear]:
    """Return both with one index, so that features have to be looked up only once."""
    index = {f: i for i, f in enumerate(sorted(first.index.keys() | second.index.keys()))}

    def moved(model: Linear) -> Linear:
        weights = np.zeros((len(index), model.weights.shape[1]), np.float32)
        weights[[index[f] for f in model.index]] = model.weights[list(model.index.values())]
        return Linear(index, weights, model.bias, model.softmax)

    return moved(first), moved(second)


def sigmoid(raw: Matrix) -> Matrix:
    """Return the probabilities of outputs each for itself, (items, outputs)."""
    likely: Matrix = 1.0 / (1.0 + np.exp(-raw))
    return likely


def softmax(raw: Matrix) -> Matrix:
    """Return the probabilities of outputs that exclude each other, (items, outputs)."""
    likely: Matrix = np.exp(raw - raw.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def arrays(model: Linear) -> dict[str, Matrix]:
    """Return numpy arrays; features all of whose weights are negligible are left out."""
    kept = [(f, i) for f, i in model.index.items() if np.abs(model.weights[i]).max() >= _NEGLIGIBLE]
    return {
        "features": joined(f for f, _ in kept),
        **packed(model.weights[[i for _, i in kept]]),
        "bias": model.bias,
        "softmax": np.array(model.softmax),
    }


def from_arrays(a: Mapping[str, Matrix]) -> Linear:
    """Return the inverse of `arrays`."""
    return Linear(
        {f: i for i, f in enumerate(split(a["features"]))},
        unpacked(a),
        a["bias"],
        bool(a["softmax"]),
    )
