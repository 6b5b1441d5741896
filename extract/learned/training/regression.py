"""Fitting logistic regressions over named features."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from stemma.extract.learned.linear import Linear, Matrix


def fit(
    items: Sequence[Sequence[str]],
    targets: Matrix,
    strength: Sequence[float],
    softmax: bool = False,
    least: int = 2,
) -> Linear:
    """Regularised regressions: `targets` (items, outputs) of 0 and 1, or (items,) class numbers
    for `softmax`.

    `strength`: scikit-learn's C, one an output. Features of fewer than `least` items are left out.
    """
    counts = Counter(f for features in items for f in set(features))
    index = {f: i for i, f in enumerate(sorted(f for f, n in counts.items() if n >= least))}
    rows = [sorted({index[f] for f in features if f in index}) for features in items]
    pointers = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
    flat = np.array([i for r in rows for i in r], np.int32)
    table = csr_matrix((np.ones(len(flat)), flat, pointers), (len(items), len(index)))
    if softmax:
        model = LogisticRegression(C=strength[0], max_iter=400).fit(table, targets)
        return Linear(
            index,
            model.coef_.T.astype(np.float16).astype(np.float32),
            model.intercept_.astype(np.float32),
            softmax=True,
        )
    models = [
        LogisticRegression(C=c, solver="liblinear", random_state=1).fit(table, targets[:, k])
        for k, c in enumerate(strength)
    ]
    weights = np.stack([m.coef_[0] for m in models], axis=1).astype(np.float16).astype(np.float32)
    return Linear(index, weights, np.array([m.intercept_[0] for m in models], np.float32))
