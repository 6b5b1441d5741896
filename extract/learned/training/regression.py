"""Fitting logistic regressions over named features."""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from stemma.extract.learned.linear import Linear, Matrix, sigmoid, softmax

_ITERATIONS = 60


class Table:
    """The features of many items, spelt once and fitted on as often as there are folds."""

    def __init__(self, items: Iterable[Iterable[str]]) -> None:
        index: dict[str, int] = {}
        seen: list[int] = []
        ends = [0]
        for features in items:
            seen += {index.setdefault(f, len(index)) for f in features}
            ends.append(len(seen))
        # By name, so that nothing depends on the order in which sets are gone through.
        self.names = sorted(index)
        columns = np.empty(len(index), np.int32)
        columns[[index[name] for name in self.names]] = np.arange(len(index))
        ones = np.ones(len(seen), np.float32)
        shape = (len(ends) - 1, len(index))
        self.cells = csr_matrix((ones, columns[seen], np.array(ends)), shape)
        self.cells.sort_indices()

    def fit(
        self,
        rows: Matrix,
        targets: Matrix,
        strength: Sequence[float],
        least: int = 2,
        negligible: float = 0.0,
    ) -> Linear:
        """Fit regularised regressions on the items of `rows`: `targets` (items, outputs) of 0, 1.

        `strength`: the weight of the data against the regularisation, one an output. Features of
        fewer than `least` items, and those all of whose weights are `negligible`, are left out.
        """
        kept, cells = self._kept(rows, least)
        across = cells.T.tocsr()
        truth = targets[rows].astype(np.float32)
        shape = (len(kept) + 1, truth.shape[1])
        trust = np.array(strength, np.float32)

        def loss(flat: Matrix) -> tuple[float, Matrix]:
            weights = flat.reshape(shape).astype(np.float32)
            raw = cells @ weights[:-1] + weights[-1]
            doubt = np.maximum(raw, 0) - raw * truth + np.log1p(np.exp(-np.abs(raw)))
            slope = (sigmoid(raw) - truth) * trust
            total = (doubt.sum(axis=0, dtype=np.float64) * trust).sum()
            total += 0.5 * np.square(weights[:-1], dtype=np.float64).sum()
            gradient = np.vstack([across @ slope + weights[:-1], slope.sum(axis=0)])
            return float(total), gradient.astype(np.float64).ravel()

        options = {"maxiter": _ITERATIONS, "maxcor": 6}
        start = np.zeros(shape).ravel()
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x.reshape(shape)
        telling = np.abs(found[:-1]).max(axis=1) >= negligible
        return self._linear(kept[telling], found[:-1][telling], found[-1])

    def fit_classes(self, rows: Matrix, classes: Matrix, strength: float, least: int = 2) -> Linear:
        """The same for one output that is one of several: `classes` (items,) are their numbers."""
        kept, cells = self._kept(rows, least)
        model = LogisticRegression(C=strength, max_iter=400).fit(cells, classes[rows])
        return self._linear(kept, model.coef_.T, model.intercept_, softmax=True)

    def probabilities(self, model: Linear, rows: Matrix) -> Matrix:
        """Return what `model`, fitted on this table, says of the items of `rows`."""
        weights = np.zeros((len(self.names), len(model.bias)), np.float32)
        place = {name: i for i, name in enumerate(self.names)}
        weights[[place[name] for name in model.index]] = model.weights
        raw = self.cells[rows] @ weights + model.bias
        return softmax(raw) if model.softmax else sigmoid(raw)

    def _kept(self, rows: Matrix, least: int) -> tuple[Matrix, csr_matrix]:
        cells = self.cells[rows]
        kept = np.flatnonzero(np.bincount(cells.indices, minlength=len(self.names)) >= least)
        return kept, cells[:, kept]

    def _linear(self, kept: Matrix, weights: Matrix, bias: Matrix, softmax: bool = False) -> Linear:
        return Linear(
            {self.names[column]: i for i, column in enumerate(kept.tolist())},
            weights.astype(np.float16).astype(np.float32),
            bias.astype(np.float32),
            softmax,
        )
