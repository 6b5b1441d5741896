"""Comparisons as data: what they hold, how they read, and their JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError, convert

from stemma.schema import comparison
from stemma.schema.comparison import Bound, Comparison, Direction

AMOUNTS = st.floats(min_value=0.001, max_value=1e9)
WORDS = st.text(min_size=1).filter(str.strip)


amounts = st.one_of(
    st.fixed_dictionaries({"factor": AMOUNTS, "bound": st.sampled_from(Bound)}),
    st.fixed_dictionaries({"difference": AMOUNTS, "unit": WORDS}),
    st.tuples(AMOUNTS, AMOUNTS).map(lambda two: {"low": min(two), "high": max(two)}),
)
others = st.fixed_dictionaries(
    {}, optional={"metric": WORDS, "direction": st.sampled_from(Direction), "condition": WORDS}
)
fields = st.tuples(amounts | st.just({}), others).map(lambda two: two[0] | two[1]).filter(bool)


@given(fields.map(lambda each: Comparison(**each)))
def test_what_is_written_reads_back_through_json(given: Comparison) -> None:
    written = json.loads(json.dumps(comparison.to_json(given)))
    assert convert(written, Comparison) == given
    assert None not in written.values()
    assert str(given)


@pytest.mark.parametrize(
    ("fields", "english"),
    [
        ({"factor": 2.0, "metric": "speed", "direction": "worse"}, "2x slower"),
        (
            {"low": 0.9, "high": 0.95, "metric": "accuracy", "direction": "worse"},
            "0.9-0.95x the accuracy",
        ),
        ({"metric": "performance", "direction": "worse"}, "worse performance"),
        ({"factor": 2.0, "bound": "average"}, "on average 2x"),
    ],
)
def test_it_reads_as_a_line_of_english(fields: dict[str, object], english: str) -> None:
    """More lines are in the tests of what sentences say."""
    assert str(convert(fields, Comparison)) == english


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "at least one field"),
        ({"factor": 2.0, "difference": 3.0, "unit": "%"}, "one of factor, difference"),
        ({"low": 3.0, "high": 2.0}, "low is above high"),
        ({"low": 3.0}, "both low and high"),
        ({"bound": "about"}, "bound needs"),
        ({"factor": 2.0, "unit": "%"}, "unit needs"),
        ({"difference": 3.0}, "needs a unit"),
        ({"factor": -1.0}, "non-negative"),
        ({"factor": float("nan")}, "non-negative"),
        ({"factor": 0.0}, "greater than 0"),
        ({"metric": " "}, "metric is empty"),
        ({"factor": 2.0, "bound": "perhaps"}, "perhaps"),
        ({"direction": "sideways"}, "sideways"),
    ],
)
def test_contradictions_are_reported(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        convert(fields, Comparison)


@pytest.mark.parametrize("fields", [{"factor": "2"}, {"factor": True}, {"metric": 3}, [], None])
def test_wrong_types_are_reported(fields: object) -> None:
    with pytest.raises(ValidationError):
        convert(fields, Comparison)


def test_no_metric_is_better_both_ways() -> None:
    assert not comparison.MORE_IS_BETTER & comparison.LESS_IS_BETTER
