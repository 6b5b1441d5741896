"""Logistic regressions over named features."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

Matrix = np.ndarray
_NEGLIGIBLE = 0.004


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
        """Return the probability of each output for items, each given by its features."""
        get = self.index.get
        # Sorted, since a set has another order in every process, and sums are rounded.
        rows = [sorted([i for f in item if (i := get(f)) is not None]) for item in items]
        counts = np.array([len(each) for each in rows])
        raw = np.tile(self.bias.astype(np.float32), (len(rows), 1))
        if filled := [i for each in rows for i in each]:
            starts = np.concatenate([[0], np.cumsum(counts)[:-1]])[counts > 0]
            raw[counts > 0] += np.add.reduceat(self.weights[filled], starts, axis=0)
        if self.softmax:
            return softmax(raw)
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
        "features": np.frombuffer("\n".join(f for f, _ in kept).encode(), np.uint8),
        "weights": model.weights[[i for _, i in kept]].astype(np.float16),
        "bias": model.bias,
        "softmax": np.array(model.softmax),
    }


def from_arrays(a: Mapping[str, Matrix]) -> Linear:
    """Return the inverse of `arrays`."""
    features = a["features"].tobytes().decode().split("\n")
    return Linear(
        {f: i for i, f in enumerate(features)},
        a["weights"].astype(np.float32),
        a["bias"],
        bool(a["softmax"]),
    )
