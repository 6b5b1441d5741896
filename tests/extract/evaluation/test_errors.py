"""Errors are reported by type, and match the counts."""

from collections.abc import Callable

import pytest

from stemma.extract.evaluation import Annotation, Error, errors, evaluate
from stemma.schema import Extraction, RelationType

Annotated = Callable[..., Annotation]
Extracted = Callable[..., Extraction]


def labels(gold: Annotation, predicted: Extraction) -> dict[str, str]:
    return {each.label: each.entity for each in found(gold, predicted)}


def found(gold: Annotation, predicted: Extraction) -> list[Error]:
    (paper,) = evaluate([gold], [predicted]).papers
    return errors(paper)


def test_a_right_extraction_has_no_errors(annotated: Annotated, extracted: Extracted) -> None:
    said = ({"GPU": "hardware"}, [("RUNS_ON", "GPU", "It runs on a GPU.", 0.9)])
    assert not found(annotated(*said), extracted(*said))


def test_entities(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"LoRA": "technique", "OPT": "model"})
    predicted = extracted({"LoRA": "model", "Rust": "framework"})
    assert labels(gold, predicted) == {
        "model instead of technique": "LoRA",
        "missed model": "OPT",
        "spurious framework": "Rust",
    }


def test_a_relation_in_place_of_another_is_one_error(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated({"vLLM": "framework"}, [("BUILDS_ON", "vLLM", "It lives in vLLM.", 1)])
    predicted = extracted({"vLLM": "framework"}, [("USES", "vLLM", "It calls vLLM.", 0.7)])
    (error,) = found(gold, predicted)
    assert error.label == "USES instead of BUILDS_ON"
    assert error.gold_support
    assert error.gold_support.evidence == ("It lives in vLLM.",)
    assert error.predicted_support
    assert error.predicted_support.evidence == ("It calls vLLM.",)
    assert error.predicted_support.confidence == 0.7


def test_relations_that_one_side_lacks(annotated: Annotated, extracted: Extracted) -> None:
    both = {"vLLM": "framework", "GPU": "hardware"}
    gold = annotated(both, [("BUILDS_ON", "vLLM", "", 1)])
    predicted = extracted(both, [("RUNS_ON", "GPU", "", 0.5)])
    assert labels(gold, predicted) == {"missed BUILDS_ON": "vLLM", "spurious RUNS_ON": "GPU"}


def test_background_is_an_error_only_in_place_of_something(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "", 1)])
    background = extracted({"GPU": "hardware"}, [("MENTIONS", "GPU", "", 0.9)])
    silent = annotated({"GPU": "hardware"})
    assert labels(gold, background) == {"MENTIONS instead of RUNS_ON": "GPU"}
    assert not found(silent, background)


def test_evidence_of_another_sentence(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "All was run on one GPU.", 1)])
    other = extracted({"GPU": "hardware"}, [("RUNS_ON", "GPU", "Costs keep rising.", 0.9)])
    assert labels(gold, other) == {"wrong evidence for RUNS_ON": "GPU"}


@pytest.mark.parametrize("side", ["missed", "spurious"])
def test_errors_add_up_to_the_figures(
    side: str, annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated(
        {"A1": "model", "B2": "technique", "C3": "dataset"},
        [("BUILDS_ON", "A1", "", 1), ("USES", "B2", "", 1), ("EVALUATED_ON", "C3", "", 1)],
    )
    predicted = extracted(
        {"A1": "model", "B2": "technique", "D4": "model"},
        [("USES", "A1", "", 0.5), ("COMPARES_WITH", "A1", "", 0.5), ("USES", "D4", "", 0.5)],
    )
    lacking = "gold" if side == "missed" else "predicted"
    told = [getattr(each, lacking) for each in found(gold, predicted)]
    counted = [each for each in told if isinstance(each, RelationType)]
    scores = evaluate([gold], [predicted]).scores
    assert len(counted) == getattr(scores["relation"], side)
