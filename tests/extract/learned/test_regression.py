"""Regressions fitted over named features: what is learnt is what the model that ships reads."""

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="training needs the model group of dependencies")
pytest.importorskip("scipy")

from stemma.extract.learned.training.regression import Table

ITEMS = [["built", "on"], ["built", "atop"], ["faster", "than"], ["slower", "than"]] * 5
TRUTH = np.array([[True, False], [True, False], [False, True], [False, True]] * 5)
ALL = np.ones(len(ITEMS), bool)


def test_features_speak_for_the_outputs_that_they_go_with() -> None:
    model = Table(ITEMS).fit(ALL, TRUTH, [1.0, 1.0])
    likely = model.probabilities([["built"], ["than"], []])
    assert likely[0, 0] > 0.7 and likely[0, 1] < 0.3
    assert likely[1, 1] > 0.7 and likely[1, 0] < 0.3
    assert np.allclose(likely[2], 0.5, atol=0.1)


def test_the_table_says_of_its_items_what_the_model_says_of_their_features() -> None:
    table = Table(ITEMS)
    model = table.fit(ALL, TRUTH, [0.3, 0.1])
    assert np.allclose(table.probabilities(model, ALL), model.probabilities(ITEMS), atol=1e-5)


def test_classes_exclude_each_other() -> None:
    table = Table(ITEMS)
    model = table.fit_classes(ALL, TRUTH.argmax(axis=1) + 2 * (np.arange(len(ITEMS)) % 4 == 3), 1.0)
    likely = table.probabilities(model, ALL)
    assert np.allclose(likely.sum(axis=1), 1.0)
    assert np.allclose(likely, model.probabilities(ITEMS), atol=1e-5)
    assert likely[:4].argmax(axis=1).tolist() == [0, 0, 1, 2]


def test_only_the_rows_asked_for_are_learnt_from_and_rare_features_are_left_out() -> None:
    rows = np.arange(len(ITEMS)) % 4 < 2
    model = Table([*ITEMS[:-4], ["built", "once"], *ITEMS[-3:]]).fit(rows, TRUTH, [1.0, 1.0])
    assert set(model.index) == {"built", "on", "atop"}
