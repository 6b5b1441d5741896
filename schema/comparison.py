"""Comparisons: what a sentence says about a contribution, compared with an entity."""

import math
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any


def _metrics(names: str) -> frozenset[str]:
    return frozenset(map(str.strip, names.split(",")))


MORE_IS_BETTER = _metrics("""
accuracy, AP, AUC, bandwidth, batch size, BLEU, compression ratio, correctness, data efficiency,
Dice score, efficiency, energy efficiency, F1, FLOPS, frame rate, generalization, IoU, mAP,
memory efficiency, mIoU, pass rate, performance, precision, PSNR, quality, recall, resolution,
reward, robustness, ROUGE, scalability, sparsity, speed, SSIM, stability, success rate,
throughput, utilization
""")
"""Metrics of which more is better, as comparisons name them."""

LESS_IS_BETTER = _metrics("""
area, bits, communication, computation, cost, data transfer, distance, energy, error, FID, FLOPs,
inference time, iterations, jitter, KV cache size, latency, LPIPS, memory, model size, overhead,
parameters, perplexity, planning time, power, regret, rendering time, resources, running time,
size, storage, training cost, training data, training loss, training time, variance,
word error rate
""")
"""Metrics of which less is better, as comparisons name them."""

_COUNTED = _metrics("parameters, FLOPs, bits, iterations, resources")
_SOFT = _metrics("performance, quality, efficiency, generalization, robustness, scalability")
_WORDS = {"speed": ("faster", "slower"), "size": ("smaller", "larger")}


class Bound(StrEnum):
    """How to interpret the amount of a comparison."""

    EXACT = "exact"
    """Exact: “2.2x”."""
    UP_TO = "up_to"
    """The maximum: “up to”, “as much as”."""
    AT_LEAST = "at_least"
    """The minimum: “at least”, “more than”, “over”."""
    ABOUT = "about"
    """Rounded: “around”, “nearly”, “an order of magnitude”."""
    AVERAGE = "average"
    """The average: “on average”."""


class Direction(StrEnum):
    """How the paper's contribution performs relative to the entity."""

    BETTER = "better"
    """Better than the entity."""
    WORSE = "worse"
    """Worse than the entity."""
    EQUAL = "equal"
    """About as good as the entity."""


NUMBERS = ("factor", "difference", "low", "high")
"""The fields of a comparison that are numbers; all others are texts."""
_BOUND_WORDS: dict[Bound | None, str] = {
    Bound.UP_TO: "up to ",
    Bound.AT_LEAST: "at least ",
    Bound.ABOUT: "about ",
    Bound.AVERAGE: "on average ",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a contribution compares with an entity, as far as one sentence says; at least one field.

    `factor` is the number of times as the sentence words it: 2.2 of "2.2x faster", 10 of "10x
    fewer parameters"; below 1 it is a share of what the entity has, 0.5 of "half the memory".
    `difference` is an amount in `unit`: "%" (as a sentence gives it: mostly relative, of
    percentages often absolute), "points" (percentage points or points of a score), or a unit of
    measurement or metric such as "dB", "ms", "mAP". It is never negative: `direction` distinguishes
    gain from loss.
    `low` and `high` are there together, instead of `factor` and `difference`, where the sentence
    gives a range or several figures: differences where there is a `unit`, else factors.
    `bound` says how such an amount is meant and is there only with one.
    `metric` is what was measured, of `MORE_IS_BETTER` or `LESS_IS_BETTER` where they have it.
    `condition` is the part of the sentence that says where it holds: "on 8 A100 GPUs".
    Raises ValueError where the fields contradict each other.
    """

    factor: float | None = None
    difference: float | None = None
    unit: str | None = None
    low: float | None = None
    high: float | None = None
    bound: Bound | None = None
    metric: str | None = None
    direction: Direction | None = None
    condition: str | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, field.name) is None for field in fields(self)):
            raise ValueError("a comparison must not be empty: give at least one field")
        for name in NUMBERS:
            number = getattr(self, name)
            if number is not None and not (math.isfinite(number) and number >= 0):
                raise ValueError(f"{name} should be a non-negative number, not {number!r}")
        for name in ("unit", "metric", "condition"):
            text = getattr(self, name)
            if text is not None and not text.strip():
                raise ValueError(f"{name} is empty: omit it")
        if self.factor == 0:
            raise ValueError("a factor must be greater than 0")
        if (self.low is None) != (self.high is None):
            raise ValueError("a range needs both low and high")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low is above high: {self.low} > {self.high}")
        amounts = [n for n in (self.factor, self.difference, self.low) if n is not None]
        if len(amounts) > 1:
            raise ValueError("give one of factor, difference, and low with high")
        if self.bound is not None and not amounts:
            raise ValueError("a bound needs a factor, a difference or a range")
        if self.unit is not None and (not amounts or self.factor is not None):
            raise ValueError("a unit needs a difference or a range")
        if self.difference is not None and self.unit is None:
            raise ValueError("a difference needs a unit")

    def __str__(self) -> str:
        """Say it in a few words of English: "up to 2.2x higher throughput, on 8 GPUs"."""
        statement = self._statement()
        return ", ".join(part for part in (statement, self.condition) if part)

    def _statement(self) -> str:
        amount = self._amount()
        if self.direction is None:
            return " in ".join(part for part in (amount, self.metric) if part)
        if self.direction is Direction.EQUAL:
            compared = f"comparable {self.metric}" if self.metric else "comparable"
            return f"{compared} ({amount})" if amount else compared
        if self._is_share():
            return f"{amount} the {self.metric or 'amount'}"
        return f"{amount} {self._comparative()}".lstrip()

    def _is_share(self) -> bool:
        largest = self.factor if self.factor is not None else self.high
        return self.unit is None and largest is not None and largest < 1

    def _comparative(self) -> str:
        better = self.direction is Direction.BETTER
        metric = self.metric
        if metric in _WORDS:
            return _WORDS[metric][0 if better else 1]
        if metric is None:
            return "better" if better else "worse"
        if metric in LESS_IS_BETTER:
            less = "fewer" if metric in _COUNTED else "lower"
            return f"{less if better else 'more' if metric in _COUNTED else 'higher'} {metric}"
        if metric in MORE_IS_BETTER and metric not in _SOFT:
            return f"{'higher' if better else 'lower'} {metric}"
        return f"{'better' if better else 'worse'} {metric}"

    def _amount(self) -> str:
        number = self.factor if self.factor is not None else self.difference
        if self.low is not None and self.high is not None:
            text = f"{_plain(self.low)}-{_plain(self.high)}"
        elif number is not None:
            text = _plain(number)
        else:
            return ""
        if self.unit is None:
            text += "x"
        else:
            text += self.unit if self.unit == "%" else f" {self.unit}"
        return _BOUND_WORDS.get(self.bound, "") + text


def to_json(comparison: Comparison) -> dict[str, Any]:
    """Return `comparison` as JSON-ready data; what is not known is left out."""
    return {
        field.name: value
        for field in fields(comparison)
        if (value := getattr(comparison, field.name)) is not None
    }


def _plain(number: float) -> str:
    return f"{number:.10g}"
