"""Boosted trees: the same as walking each tree from its root."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.learned.trees import MOST_LEAVES, Branch, Leaf, Trees

FEATURES = 4
NUMBERS = st.floats(-8, 8, width=32)
LEAVES = st.builds(Leaf, NUMBERS)
TREES = st.recursive(
    LEAVES,
    lambda below: st.builds(Branch, st.integers(0, FEATURES - 1), NUMBERS, below, below),
    max_leaves=MOST_LEAVES,
)
ROWS = st.lists(st.lists(NUMBERS, min_size=FEATURES, max_size=FEATURES), min_size=1, max_size=5)


def walk(tree: Branch | Leaf, row: list[float]) -> float:
    while isinstance(tree, Branch):
        tree = tree.right if row[tree.feature] > tree.threshold else tree.left
    return tree.value


@given(st.lists(TREES, min_size=1, max_size=6), ROWS)
def test_the_probability_is_that_of_the_sum_of_all_trees(
    trees: list[Branch | Leaf], rows: list[list[float]]
) -> None:
    expected = [1 / (1 + np.exp(-sum(walk(tree, row) for tree in trees))) for row in rows]
    found = Trees.of(trees, outputs=1).probabilities(np.array(rows, np.float32))
    assert np.allclose(found[:, 0], expected, atol=1e-5)


@given(st.lists(TREES, min_size=6, max_size=6), ROWS)
def test_the_trees_of_several_outputs_come_in_rounds(
    trees: list[Branch | Leaf], rows: list[list[float]]
) -> None:
    raw = np.array([[sum(walk(t, row) for t in trees[k::3]) for k in range(3)] for row in rows])
    likely = np.exp(raw - raw.max(axis=1, keepdims=True))
    expected = likely / likely.sum(axis=1, keepdims=True)
    found = Trees.of(trees, outputs=3, softmax=True).probabilities(np.array(rows, np.float32))
    assert np.allclose(found, expected, atol=1e-5)


@given(st.lists(TREES, min_size=4, max_size=4), ROWS)
def test_trees_are_written_and_read_whole(
    trees: list[Branch | Leaf], rows: list[list[float]]
) -> None:
    forest = Trees.of(trees, outputs=2)
    again = Trees.from_arrays(forest.arrays())
    table = np.array(rows, np.float32)
    assert np.array_equal(forest.probabilities(table), again.probabilities(table))
