"""What a sentence says of a comparison: amount, metric, direction and condition."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.comparison import compare, standard
from stemma.schema.comparison import LESS_IS_BETTER, MORE_IS_BETTER, Comparison


def compared(marked: str) -> Comparison | None:
    """What is said about the entity in [brackets]; other entities are in {braces}."""
    sentence, spans = "", []
    for part in re.split(r"([\[{][^\]}]*[\]}])", marked):
        text = part.strip("[]{}")
        if text != part:
            spans.append((part[0], len(sentence), len(sentence) + len(text)))
        sentence += text
    ((_, start, end),) = [span for span in spans if span[0] == "["]
    return compare(sentence, start, end, [span[1:] for span in spans if span[0] == "{"])


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Quill has up to 2.2x higher throughput than [Ledger].", "up to 2.2x higher throughput"),
        ("A 3x speedup over [Ledger] is seen.", "3x faster"),
        ("We need 10x fewer parameters than [Ledger].", "10x fewer parameters"),
        ("It is an order of magnitude faster than [Ledger].", "about 10x faster"),
        ("Quill is twice as fast, a 2-fold speedup over [Ledger].", "2x faster"),
        ("Quill is at least three times smaller than [Ledger].", "at least 3x smaller"),
        ("Quill reaches speedups of 1.3-2.2x over [Ledger].", "1.3-2.2x faster"),
        ("Speedups between 1.5x and 3x over [Ledger] were seen.", "1.5-3x faster"),
        ("Our kernels accelerate [Ledger] by a factor of 3.", "3x faster"),
        ("Quill outperforms [Ledger] by 3.4% in accuracy.", "3.4% higher accuracy"),
        ("Quill reduces memory by 45% compared to [Adam].", "45% lower memory"),
        ("It surpasses [Ledger] by 2.5 percentage points.", "2.5 points better"),
        ("Quill exceeds [Ledger] by 1.2 dB in PSNR.", "1.2 dB higher PSNR"),
        ("Quill reduces error from 2.1% to 1.5% compared to [Ledger].", "0.6 points lower error"),
        ("Compared with [Ledger], Quill lowers latency by around 30%.", "about 30% lower latency"),
        ("Scores show +4.1% over [Ledger].", "4.1% better"),
        ("Quill outperforms [Ledger].", "better"),
        ("Quill is comparable to [Ledger].", "comparable"),
        ("It is comparable to [Ledger] while using 31% of the parameters.", "0.31x the parameters"),
        ("Quill matches the accuracy of [Ledger].", "comparable accuracy"),
        ("Quill reaches [Ledger]-level accuracy.", "comparable accuracy"),
        ("Quill lags behind [Ledger] in recall.", "lower recall"),
        ("Quill is outperformed by [Ledger].", "worse"),
        ("Quill has higher perplexity than [Ledger].", "higher perplexity"),
        ("There is a 0.4% accuracy drop compared to [Ledger].", "0.4% lower accuracy"),
        ("We reduce the accuracy loss by 0.4% compared to [Ledger].", "0.4% higher accuracy"),
        ("Quill is 2x faster than [Ledger] on 8 A100 GPUs.", "2x faster, on 8 A100 GPUs"),
        ("Quill outperforms [Ledger] by 3% on {ImageNet}.", "3% better, on ImageNet"),
        ("At batch size 1, Quill is 2x faster than [Ledger].", "2x faster, At batch size 1"),
        ("On average, Quill is 2x faster than [Ledger].", "2x faster"),
        ("Quill is 1.5x and 2.3x faster than {Ledger} and [Scroll] respectively.", "2.3x faster"),
        (
            "Quill beats [Ledger] and {Scroll} by 2% and 3% on {COCO} and {LVIS} respectively.",
            "2-3% better",
        ),
        ("Quill is 3x faster than {Ledger} and 20% smaller than [Scroll]", "20% smaller"),
        ("a speedup of 1.3x over {Ledger} and 1.7x over [Scroll]", "1.7x faster"),
        ("Quill reaches a 42% success rate, much better than [Ledger] (3%).", "better"),
    ],
)
def test_what_is_said(sentence: str, said: str) -> None:
    assert str(compared(sentence)) == said


def test_shares_are_better_or_worse_as_the_metric_is() -> None:
    half = compared("It needs half the memory of [Ledger].")
    most = compared("Quill reaches only 90% of the accuracy of [Ledger].")
    assert half and (str(half), half.direction) == ("0.5x the memory", "better")
    assert most and (str(most), most.direction) == ("0.9x the accuracy", "worse")


def test_latex_remnants_of_amounts() -> None:
    times = (r"2.5$\times$", r"$2.5\times$", "$2.5\times$", "2.5times", "2.5×", "2.5 x")
    shares = (r"43.8\%", r"$43.8\%$", "43.8 %", "43.8 percent")
    said = [str(compared(f"Quill is {each} faster than [Ledger].")) for each in times + shares]
    assert said == ["2.5x faster"] * len(times) + ["43.8% faster"] * len(shares)


@pytest.mark.parametrize(
    "sentence",
    [
        "We compare Quill with [Ledger].",
        "Quill is not 2x faster than [Ledger].",
        "We ask whether Quill outperforms [Ledger].",
        "[Ledger] was proposed for large models.",
        "Quill reaches 81% accuracy beside [Ledger].",
        "Quill falls short overall, matching [Ledger] in less than 20% of the cases.",
        "Quill improves on earlier work by 5%; we also ran [Ledger].",
    ],
)
def test_what_is_not_stated_is_left_out(sentence: str) -> None:
    assert compared(sentence) is None


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
    comparison = compare(text, start, end, others)
    assert comparison is None or isinstance(comparison, Comparison)
    if comparison and comparison.condition:
        assert comparison.condition in text


@given(FRAGMENTS)
def test_figures_are_those_of_the_sentence(text: str) -> None:
    sentence = f"{text} than Ledger {text}"
    start = sentence.index("than Ledger") + 5
    comparison = compare(sentence, start, start + 6)
    if comparison and comparison.factor is not None and comparison.factor not in (2.0, 0.5, 10.0):
        assert f"{comparison.factor:.10g}x" in sentence.replace(",", "")


def test_a_text_too_long_for_a_sentence_is_skipped() -> None:
    sentence = "Quill is 2x faster than Ledger. "
    assert compare(sentence * 400, 24, 30) is None
    assert compare(sentence, 24, 30) is not None
