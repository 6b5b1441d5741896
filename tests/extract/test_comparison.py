"""What a sentence says of a comparison: amount, metric, direction and condition."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.comparison import compare, standard
from stemma.schema.comparison import LESS_IS_BETTER, MORE_IS_BETTER, Comparison, to_json


def said(marked: str) -> dict[str, object] | None:
    """What is said about the entity in [brackets]; other entities are in {braces}."""
    sentence, spans = "", []
    for part in re.split(r"([\[{][^\]}]*[\]}])", marked):
        text = part.strip("[]{}")
        if text != part:
            spans.append((part[0], len(sentence), len(sentence) + len(text)))
        sentence += text
    ((_, start, end),) = [span for span in spans if span[0] == "["]
    others = [(span[1], span[2]) for span in spans if span[0] == "{"]
    found = compare(sentence, start, end, others)
    if found is None:
        return None
    data = to_json(found)
    if data.get("bound") == "exact":
        del data["bound"]
    return data


BETTER = {"direction": "better"}
WORSE = {"direction": "worse"}
EQUAL = {"direction": "equal"}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Quill has up to 2.2x higher throughput than [Ledger].",
            {"factor": 2.2, "bound": "up_to", "metric": "throughput"},
        ),
        ("Quill is 1.7 times faster than [Ledger].", {"factor": 1.7, "metric": "speed"}),
        ("Quill is twice as fast as [Ledger].", {"factor": 2.0, "metric": "speed"}),
        (
            "It runs about three times as fast as [Ledger].",
            {"factor": 3.0, "bound": "about", "metric": "speed"},
        ),
        ("A 3x speedup over [Ledger] is seen.", {"factor": 3.0, "metric": "speed"}),
        ("We need 10x fewer parameters than [Ledger].", {"factor": 10.0, "metric": "parameters"}),
        (
            "It is an order of magnitude faster than [Ledger].",
            {"factor": 10.0, "bound": "about", "metric": "speed"},
        ),
        (
            "Quill is two orders of magnitude faster than [Ledger].",
            {"factor": 100.0, "bound": "about", "metric": "speed"},
        ),
        (
            "Quill is twice as fast, a 2-fold speedup over [Ledger].",
            {"factor": 2.0, "metric": "speed"},
        ),
        (
            "Quill is at least three times smaller than [Ledger].",
            {"factor": 3.0, "bound": "at_least", "metric": "size"},
        ),
        (
            "Quill achieves a speedup of nearly 4x over [Ledger].",
            {"factor": 4.0, "bound": "about", "metric": "speed"},
        ),
        (
            "Quill runs 2.5x faster on average than [Ledger].",
            {"factor": 2.5, "metric": "speed"},
        ),
        (
            "Quill reaches speedups of 1.3-2.2x over [Ledger].",
            {"low": 1.3, "high": 2.2, "metric": "speed"},
        ),
        (
            "Speedups between 1.5x and 3x over [Ledger] were seen.",
            {"low": 1.5, "high": 3.0, "metric": "speed"},
        ),
        ("Our kernels accelerate [Ledger] by a factor of 3.", {"factor": 3.0, "metric": "speed"}),
    ],
)
def test_factors(sentence: str, expected: dict[str, object]) -> None:
    assert said(sentence) == BETTER | expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Quill outperforms [Ledger] by 3.4%.", {"difference": 3.4, "unit": "%"}),
        (
            "Quill outperforms [Ledger] by 3.4% in accuracy.",
            {"difference": 3.4, "unit": "%", "metric": "accuracy"},
        ),
        (
            "Quill reduces memory by 45% compared to [Adam].",
            {"difference": 45.0, "unit": "%", "metric": "memory"},
        ),
        (
            "It surpasses [Ledger] by 2.5 percentage points.",
            {"difference": 2.5, "unit": "points"},
        ),
        (
            "Quill exceeds [Ledger] by 1.2 dB in PSNR.",
            {"difference": 1.2, "unit": "dB", "metric": "PSNR"},
        ),
        ("Quill beats [Ledger] by 1.8 mAP.", {"difference": 1.8, "unit": "mAP", "metric": "mAP"}),
        (
            "Quill reduces the error from 2.1% to 1.5% compared to [Ledger].",
            {"difference": 0.6, "unit": "points", "metric": "error"},
        ),
        (
            "Compared with [Ledger], Quill lowers latency by around 30%.",
            {"difference": 30.0, "unit": "%", "bound": "about", "metric": "latency"},
        ),
        ("Scores show +4.1% over [Ledger].", {"difference": 4.1, "unit": "%"}),
    ],
)
def test_differences(sentence: str, expected: dict[str, object]) -> None:
    assert said(sentence) == BETTER | expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It needs half the memory of [Ledger].", BETTER | {"factor": 0.5, "metric": "memory"}),
        (
            "Quill reaches only 90% of the accuracy of [Ledger].",
            WORSE | {"factor": 0.9, "metric": "accuracy"},
        ),
        (
            "Quill is comparable to [Ledger] while using just 31% of the parameters.",
            BETTER | {"factor": 0.31, "metric": "parameters"},
        ),
    ],
)
def test_shares(sentence: str, expected: dict[str, object]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Quill outperforms [Ledger].", BETTER),
        ("Quill surpasses [Ledger] in accuracy.", BETTER | {"metric": "accuracy"}),
        ("Quill is comparable to [Ledger].", EQUAL),
        ("Quill is on par with [Ledger].", EQUAL),
        ("Quill matches the accuracy of [Ledger].", EQUAL | {"metric": "accuracy"}),
        ("Quill reaches [Ledger]-level accuracy.", EQUAL | {"metric": "accuracy"}),
        ("Quill falls behind [Ledger].", WORSE),
        ("Quill lags behind [Ledger] in recall.", WORSE | {"metric": "recall"}),
        ("Quill is not as good as [Ledger].", WORSE),
        ("Quill is outperformed by [Ledger].", WORSE),
        ("Quill has higher perplexity than [Ledger].", WORSE | {"metric": "perplexity"}),
        ("Quill has lower perplexity than [Ledger].", BETTER | {"metric": "perplexity"}),
        (
            "There is a 0.4% accuracy drop compared to [Ledger].",
            WORSE | {"difference": 0.4, "unit": "%", "metric": "accuracy"},
        ),
        (
            "We reduce the accuracy loss by 0.4% compared to [Ledger].",
            BETTER | {"difference": 0.4, "unit": "%", "metric": "accuracy"},
        ),
    ],
)
def test_directions(sentence: str, expected: dict[str, object]) -> None:
    assert said(sentence) == expected


def test_the_entity_as_subject_turns_the_direction_about() -> None:
    assert said("[Ledger] is 2x slower than ours.") == BETTER | {"factor": 2.0, "metric": "speed"}
    assert said("[Ledger] is outperformed by our method.") == BETTER
    assert said("[Ledger] outperforms our method.") == WORSE


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Quill is 2x faster than [Ledger] on 8 A100 GPUs.", "on 8 A100 GPUs"),
        ("Quill is 2x faster than [Ledger] for long sequences.", "for long sequences"),
        ("Quill outperforms [Ledger] by 3% on {ImageNet}.", "on ImageNet"),
        ("On {ImageNet}, Quill outperforms [Ledger] by 3%.", "On ImageNet"),
        ("At batch size 1, Quill is 2x faster than [Ledger].", "At batch size 1"),
        ("On average, Quill is 2x faster than [Ledger].", None),
        ("For example, Quill is 2x faster than [Ledger].", None),
        ("Quill speeds up online planning compared to [Ledger].", None),
    ],
)
def test_conditions(sentence: str, expected: str | None) -> None:
    found = said(sentence)
    assert found is not None
    assert found.get("condition") == expected


def test_figures_and_entities_in_lists_pair_in_order() -> None:
    first = "Quill is 1.5x and 2.3x faster than [Ledger] and {Scroll}, respectively."
    second = "Quill is 1.5x and 2.3x faster than {Ledger} and [Scroll], respectively."
    assert said(first) == BETTER | {"factor": 1.5, "metric": "speed"}
    assert said(second) == BETTER | {"factor": 2.3, "metric": "speed"}


def test_figures_of_another_list_are_not_paired_with_entities() -> None:
    sentence = "Quill beats [Ledger] and {Scroll} by 2% and 3% on {COCO} and {LVIS}, respectively."
    found = said(sentence)
    assert found is not None
    assert "difference" not in found


def test_each_entity_gets_its_own_comparison() -> None:
    sentence = "Quill is 3x faster than {A} and 20% smaller than {B}"
    assert said(sentence.replace("{A}", "[A]")) == BETTER | {"factor": 3.0, "metric": "speed"}
    assert said(sentence.replace("{B}", "[B]")) == BETTER | {
        "difference": 20.0,
        "unit": "%",
        "metric": "size",
    }
    elided = "a speedup of 1.3x over {A} and 1.7x over [B]"
    assert said(elided) == BETTER | {"factor": 1.7, "metric": "speed"}
    brackets = "Quill outperforms {A} (4.5x), [B] (7.1x) and {C} (2.0x)"
    assert said(brackets) == BETTER | {"factor": 7.1}


@pytest.mark.parametrize(
    "amount", [r"2.5$\times$", r"$2.5\times$", "2.5times", "2.5×", "2.5 x", "$2.5\times$"]
)
def test_latex_remnants_of_factors(amount: str) -> None:
    expected = BETTER | {"factor": 2.5, "metric": "speed"}
    assert said(f"Quill is {amount} faster than [Ledger].") == expected


@pytest.mark.parametrize("amount", [r"43.8\%", r"$43.8\%$", "43.8 %", "43.8 percent"])
def test_latex_remnants_of_percentages(amount: str) -> None:
    expected = BETTER | {"difference": 43.8, "unit": "%", "metric": "memory"}
    assert said(f"It saves memory by {amount} compared to [Ledger].") == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "We compare Quill with [Ledger].",
        "Quill is not twice as fast as [Ledger].",
        "We ask whether Quill outperforms [Ledger].",
        "Quill does not outperform [Ledger].",
        "[Ledger] was proposed for large models.",
        "Quill reaches 81% accuracy beside [Ledger].",
        "Quill improves on earlier work by 5%; we also ran [Ledger].",
        "",
    ],
)
def test_what_is_not_stated_is_left_out(sentence: str) -> None:
    if sentence:
        assert said(sentence) is None
    else:
        assert compare("", 0, 0) is None


def test_scores_are_not_taken_for_differences() -> None:
    found = said("Quill reaches a 42% success rate, much better than [Ledger] (3%).")
    assert found is not None
    assert "difference" not in found


def test_metrics_have_names_of_the_data_model() -> None:
    names = tomllib.loads(
        Path(standard.__file__).with_name("metrics.toml").read_text("utf-8")
    ).keys()
    assert names - MORE_IS_BETTER - LESS_IS_BETTER == {"attack success rate"}


WORDS = """
    Quill Ledger is faster than compared to over outperforms by 3.4% 2.2x up to 1.3-2.2x and ,
    respectively reduces memory half the of twice ( ) ; . on ImageNet from 2.1% 1.5% ours $ \\times
    speedup an order magnitude between comparable while using 10x fewer parameters in terms
    accuracy -level not 0x 0% 999999999999999999999x + ~ > İ 1,000x a factor
"""
FRAGMENTS = st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join)


@given(st.one_of(st.text(), FRAGMENTS), st.data())
def test_no_text_raises_and_conditions_are_in_the_sentence(text: str, data: st.DataObject) -> None:
    offsets = st.integers(-2, len(text) + 2)
    start, end = data.draw(offsets), data.draw(offsets)
    others = data.draw(st.lists(st.tuples(offsets, offsets), max_size=4))
    found = compare(text, start, end, others)
    assert found is None or isinstance(found, Comparison)
    if found and found.condition:
        assert found.condition in text


@given(FRAGMENTS)
def test_figures_are_those_of_the_sentence(text: str) -> None:
    sentence = f"{text} than Ledger {text}"
    start = sentence.index("than Ledger") + 5
    found = compare(sentence, start, start + 6)
    if found and found.factor is not None and found.factor not in (2.0, 0.5, 10.0):
        assert f"{found.factor:.10g}x" in sentence.replace(",", "")


def test_a_text_too_long_for_a_sentence_is_skipped() -> None:
    sentence = "Quill is 2x faster than Ledger. "
    assert compare(sentence * 400, 24, 30) is None
    assert compare(sentence, 24, 30) is not None
