"""Boosted trees, run with numpy on all items at once.

After C. Lucchese and others, "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015: every node is asked, each answer rules leaves out, and
the leftmost leaf that remains is the one that a walk from the root would reach.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from stemma.extract.learned.linear import softmax

Matrix = np.ndarray
MOST_LEAVES = 16
_ALL = np.uint16(0xFFFF)
_LOWEST_BIT = np.array([(n & -n).bit_length() - 1 if n else 0 for n in range(1 << 16)], np.uint8)


class Leaf(NamedTuple):
    """What a tree adds for the items that end here."""

    value: float


class Branch(NamedTuple):
    """Asks whether a feature exceeds the threshold: those that do go right."""

    feature: int
    threshold: float
    left: "Branch | Leaf"
    right: "Branch | Leaf"


@dataclass(frozen=True)
class Trees:
    """`features`, `thresholds` and `masks` are (nodes, trees), `values` is (trees, leaves).

    `masks[i, t]` has a bit for each leaf of tree t that remains if node i is answered with yes.
    The trees stand in rounds, in each one for every output.
    """

    features: Matrix
    thresholds: Matrix
    masks: Matrix
    values: Matrix
    outputs: int
    softmax: bool = False

    @classmethod
    def of(cls, trees: Sequence[Branch | Leaf], outputs: int, *, softmax: bool = False) -> "Trees":
        """Lay trees of at most 16 leaves out in arrays."""
        nodes, leaves = MOST_LEAVES - 1, MOST_LEAVES
        features = np.zeros((nodes, len(trees)), np.intp)
        thresholds = np.full((nodes, len(trees)), np.inf, np.float32)
        masks = np.full((nodes, len(trees)), _ALL, np.uint16)
        values = np.zeros((len(trees), leaves), np.float32)
        for t, tree in enumerate(trees):
            for i, value in enumerate(_leaves(tree)):
                values[t, i] = value
            for i, (branch, first) in enumerate(_branches(tree, 0)):
                middle = first + sum(1 for _ in _leaves(branch.left))
                features[i, t] = branch.feature
                thresholds[i, t] = branch.threshold
                masks[i, t] = _ALL ^ np.uint16((1 << middle) - (1 << first))
        return cls(features, thresholds, masks, values, outputs, softmax)

    @cached_property
    def _steps(self) -> "_Steps":
        return _Steps.of(self)

    def probabilities(self, rows: Matrix) -> Matrix:
        """Return (items, outputs) from (items, features)."""
        leaves = self._steps.remaining(rows.astype(np.float32))
        reached = _LOWEST_BIT[leaves] + np.arange(0, self.values.size, MOST_LEAVES)
        added = self.values.ravel()[reached.T].reshape(-1, self.outputs, len(rows))
        raw: Matrix = added.sum(axis=0, dtype=np.float64).T
        if self.softmax:
            return softmax(raw)
        likely: Matrix = 1.0 / (1.0 + np.exp(-raw))
        return likely

    def arrays(self) -> dict[str, Matrix]:
        """Return everything as numpy arrays."""
        return {
            "features": self.features.astype(np.uint8), "thresholds": self.thresholds,
            "masks": self.masks, "values": self.values,
            "outputs": np.array(self.outputs), "softmax": np.array(self.softmax),
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, a: Mapping[str, Matrix]) -> "Trees":
        """Return the inverse of `arrays`."""
        return cls(
            a["features"].astype(np.intp), a["thresholds"], a["masks"], a["values"],
            int(a["outputs"]), bool(a["softmax"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Steps:
    """The answers of all trees, by feature: those that ask for one feature are asked at once.

    `features` and `thresholds` are those of each step, in order; `first` is the first step of each
    feature asked for. `masks[i]` has for each tree the leaves that remain if the feature's value
    exceeds the thresholds up to step i - 1; `masks[0]` has all of them.
    """

    features: Matrix
    thresholds: Matrix
    first: Matrix
    masks: Matrix

    @classmethod
    def of(cls, trees: Trees) -> "_Steps":
        node, tree = np.nonzero(np.isfinite(trees.thresholds))
        features, thresholds = trees.features[node, tree], trees.thresholds[node, tree]
        order = np.lexsort([thresholds, features])
        node, tree, features, thresholds = (a[order] for a in (node, tree, features, thresholds))
        is_new = np.ones(len(order), bool)
        is_new[1:] = (np.diff(features) != 0) | (np.diff(thresholds) != 0)
        begins = np.ones(len(order), bool)
        begins[1:] = np.diff(features) != 0
        masks = np.full((is_new.sum() + 1, trees.features.shape[1]), _ALL)
        for k, (n, t, step) in enumerate(zip(node, tree, np.cumsum(is_new), strict=True)):
            if is_new[k] and not begins[k]:
                masks[step] = masks[step - 1]
            masks[step, t] &= trees.masks[n, t]
        return cls(features[is_new], thresholds[is_new], np.flatnonzero(begins[is_new]), masks)

    def remaining(self, rows: Matrix) -> Matrix:
        """Return for each item and tree the leaves that remain, (items, trees)."""
        if not len(self.first):
            return np.repeat(self.masks[:1], len(rows), axis=0)
        exceeds = rows[:, self.features] > self.thresholds
        passed = np.add.reduceat(exceeds, self.first, axis=1, dtype=np.intp)
        remaining = np.empty((len(rows), self.masks.shape[1]), np.uint16)
        for k, steps in enumerate(passed):
            asked = np.flatnonzero(steps)
            reached = steps[asked] + self.first[asked]
            np.bitwise_and.reduce(self.masks.take(reached, axis=0), axis=0, out=remaining[k])
        return remaining


def _leaves(tree: Branch | Leaf) -> Iterator[float]:
    """Yield the values of the leaves, from left to right."""
    if isinstance(tree, Leaf):
        yield tree.value
    else:
        yield from _leaves(tree.left)
        yield from _leaves(tree.right)


def _branches(tree: Branch | Leaf, first: int) -> Iterator[tuple[Branch, int]]:
    """Yield the branches, each with the number of its first leaf; `first` is that of `tree`."""
    if isinstance(tree, Branch):
        yield tree, first
        yield from _branches(tree.left, first)
        yield from _branches(tree.right, first + sum(1 for _ in _leaves(tree.left)))
