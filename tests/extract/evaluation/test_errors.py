"""Errors match the counts (test_scoring_elsewhere.py), and confidence how often it is right."""

import random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated import annotated, extracted
from stemma.extract.evaluation import Annotation, Error, errors, evaluate
from stemma.extract.evaluation.evaluation import Tally, binned, quotes_the_same
from stemma.schema import Extraction, RelationType


def found(gold: Annotation, predicted: Extraction) -> list[Error]:
    (paper,) = evaluate([gold], [predicted]).papers
    return errors(paper)


def test_quotations_share_half_of_the_shorter() -> None:
    assert quotes_the_same("one two  three", "x one two\nthree y")
    assert quotes_the_same("abcdefgh", "abcdXXXXYYYY")
    assert not quotes_the_same("abcdefgh", "abcXXXXXYYYY")


def test_a_paper_that_no_prediction_has_is_missed_whole() -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "", 1)], title="Not Found")
    evaluation = evaluate([gold], [])
    assert evaluation.missing == ["Not Found"]
    assert evaluation.scores["entity"] == evaluation.scores["relation"] == Tally(missed=1)


VLLM, GPU = {"vLLM": "framework"}, {"GPU": "hardware"}
CASES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], dict[str, str]]] = {
    "entities": (
        ({"LoRA": "technique", "OPT": "model"},),
        ({"LoRA": "model", "Rust": "framework"},),
        {
            **{"model instead of technique": "LoRA", "missed model": "OPT"},
            "spurious framework": "Rust",
        },
    ),
    "relations that one side lacks": (
        (VLLM | GPU, [("BUILDS_ON", "vLLM", "", 1)]),
        (VLLM | GPU, [("RUNS_ON", "GPU", "", 0.5)]),
        {"missed BUILDS_ON": "vLLM", "spurious RUNS_ON": "GPU"},
    ),
    "background in place of something": (
        (GPU, [("RUNS_ON", "GPU", "", 1)]),
        (GPU, [("MENTIONS", "GPU", "", 0.9)]),
        {"MENTIONS instead of RUNS_ON": "GPU"},
    ),
    "else background is none": ((GPU,), (GPU, [("MENTIONS", "GPU", "", 0.9)]), {}),
    "what is right is none": (RUNS := (GPU, [("RUNS_ON", "GPU", "It runs.", 0.9)]), RUNS, {}),
    "evidence of another sentence": (
        (GPU, [("RUNS_ON", "GPU", "All was run on one GPU.", 1)]),
        (GPU, [("RUNS_ON", "GPU", "Costs keep rising.", 0.9)]),
        {"wrong evidence for RUNS_ON": "GPU"},
    ),
}


@pytest.mark.parametrize(("gold", "predicted", "told"), CASES.values(), ids=CASES)
def test_what_is_an_error(gold, predicted, told):
    errors = found(annotated(*gold), extracted(*predicted))
    assert {error.label: error.entity for error in errors} == told


def test_a_relation_in_place_of_another_is_one_error():
    gold = annotated({"vLLM": "framework"}, [("BUILDS_ON", "vLLM", "It lives in vLLM.", 1)])
    predicted = extracted({"vLLM": "framework"}, [("USES", "vLLM", "It calls vLLM.", 0.7)])
    (error,) = found(gold, predicted)
    assert error.label == "USES instead of BUILDS_ON"
    assert error.gold_support and error.gold_support.evidence == ("It lives in vLLM.",)
    said = error.predicted_support
    assert said and (said.evidence, said.confidence) == (("It calls vLLM.",), 0.7)


def test_errors_add_up_to_the_figures():
    gold = annotated(
        {"A1": "model", "B2": "technique", "C3": "dataset"},
        [("BUILDS_ON", "A1", "", 1), ("USES", "B2", "", 1), ("EVALUATED_ON", "C3", "", 1)],
    )
    predicted = extracted(
        {"A1": "model", "B2": "technique", "D4": "model"},
        [("USES", "A1", "", 0.5), ("COMPARES_WITH", "A1", "", 0.5), ("USES", "D4", "", 0.5)],
    )
    told = found(gold, predicted)
    missed, spurious = (
        sum(isinstance(each, RelationType) for each in side)
        for side in ([each.gold for each in told], [each.predicted for each in told])
    )
    tally = evaluate([gold], [predicted]).scores["relation"]
    assert (missed, spurious) == (tally.missed, tally.spurious)


def test_perfect_confidences_have_the_error_of_chance() -> None:
    chance = random.Random(1)
    errors, expected = [], []
    for _ in range(100):
        stated = [chance.random() for _ in range(400)]
        calibration = binned([(each, chance.random() < each) for each in stated])
        errors.append(calibration.expected_error)
        expected.append(calibration.error_by_chance)
    assert fmean(errors) == pytest.approx(fmean(expected), rel=0.05)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())))
def test_every_statement_is_in_one_bin(judged: list[tuple[float, bool]]) -> None:
    calibration = binned(judged)
    assert calibration.statements == len(judged)
    assert sum(bin_.right for bin_ in calibration.bins) == sum(right for _, right in judged)
    assert 0 <= calibration.expected_error <= 1
    for bin_ in calibration.bins:
        assert bin_.lower - 1e-9 <= bin_.mean_confidence <= bin_.upper + 1e-9


def test_a_statement_is_right_if_gold_has_it_for_the_paired_entity():
    relations = [("COMPARES_WITH", "vLLM", "", 1), ("MENTIONS", "GPU", "", 1)]
    gold = annotated({"vLLM": "framework", "GPU": "hardware"}, relations)
    predicted = extracted(
        {"VLLM": "framework", "GPUs": "hardware", "Rust": "framework"},
        [
            *(("COMPARES_WITH", "VLLM", "", 0.95), ("RUNS_ON", "GPUs", "", 0.65)),
            *(("USES", "Rust", "", 0.35), ("MENTIONS", "Rust", "", 0.15)),
        ],
    )
    evaluation = evaluate([gold], [predicted])
    bins = evaluation.calibration.bins
    counted = [(bin_.lower, bin_.right, bin_.statements) for bin_ in bins]
    assert counted == [(0.3, 0, 1), (0.6, 0, 1), (0.9, 1, 1)]
    assert evaluation.scores["relation"].precision == pytest.approx(1 / 3)
