"""Fitting boosted trees."""

from collections.abc import Mapping
from typing import Any

from lightgbm import LGBMClassifier

from stemma.extract.learned.trees import Branch, Leaf, Matrix, Trees

_SETTINGS: dict[str, Any] = {
    "num_leaves": 15, "learning_rate": 0.045, "min_child_samples": 20, "subsample": 0.8,
    "subsample_freq": 1, "colsample_bytree": 0.5, "reg_lambda": 2.0, "verbose": -1, "n_jobs": 1,
    "random_state": 1, "deterministic": True, "force_row_wise": True,
}  # fmt: skip


def fit(
    rows: Matrix, targets: Matrix, rounds: int, *, softmax: bool = False, **settings: Any
) -> Trees:
    """Train on `targets`: (items, outputs) of 0 and 1, or for `softmax` (items,) class numbers."""
    columns = [targets] if softmax else list(targets.T)
    forests = []
    for column in columns:
        model = LGBMClassifier(n_estimators=rounds, **{**_SETTINGS, **settings})
        dump = model.fit(rows.astype("float64"), column).booster_.dump_model()
        forests.append([_tree(each["tree_structure"]) for each in dump["tree_info"]])
    if softmax:
        return Trees.of(forests[0], dump["num_tree_per_iteration"], softmax=True)
    by_round = [tree for trees in zip(*forests, strict=True) for tree in trees]
    return Trees.of(by_round, len(columns))


def _tree(node: Mapping[str, Any]) -> Branch | Leaf:
    if "split_feature" not in node:
        return Leaf(node["leaf_value"])
    left, right = _tree(node["left_child"]), _tree(node["right_child"])
    return Branch(node["split_feature"], node["threshold"], left, right)
