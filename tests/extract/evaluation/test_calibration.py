"""Confidence is compared with how often it is right."""

import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.evaluation import evaluate
from stemma.extract.evaluation.evaluation import binned


def test_perfect_confidences_have_the_error_of_chance() -> None:
    chance = random.Random(1)
    errors, expected = [], []
    for _ in range(300):
        stated = [chance.random() for _ in range(400)]
        calibration = binned([(each, chance.random() < each) for each in stated])
        errors.append(calibration.expected_error)
        expected.append(calibration.error_by_chance)
    assert fmean(errors) == pytest.approx(fmean(expected), rel=0.03)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())))
def test_every_statement_is_in_one_bin(judged: list[tuple[float, bool]]) -> None:
    calibration = binned(judged)
    assert calibration.statements == len(judged)
    assert sum(each.right for each in calibration.bins) == sum(right for _, right in judged)
    assert 0 <= calibration.expected_error <= 1
    for each in calibration.bins:
        assert each.lower - 1e-9 <= each.mean_confidence <= each.upper + 1e-9


def test_a_statement_is_right_if_gold_has_it_for_the_paired_entity(annotated, extracted):
    relations = [("COMPARES_WITH", "vLLM", "", 1), ("MENTIONS", "GPU", "", 1)]
    gold = annotated({"vLLM": "framework", "GPU": "hardware"}, relations)
    found = extracted(
        {"VLLM": "framework", "GPUs": "hardware", "Rust": "framework"},
        [
            *(("COMPARES_WITH", "VLLM", "", 0.95), ("RUNS_ON", "GPUs", "", 0.65)),
            *(("USES", "Rust", "", 0.35), ("MENTIONS", "Rust", "", 0.15)),
        ],
    )
    evaluation = evaluate([gold], [found])
    bins = evaluation.calibration.bins
    counted = [(each.lower, each.right, each.statements) for each in bins]
    assert counted == [(0.3, 0, 1), (0.6, 0, 1), (0.9, 1, 1)]
    assert evaluation.scores.relation.precision == pytest.approx(1 / 3)
