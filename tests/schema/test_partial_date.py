"""Dates, as far as they are known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.schema import PartialDate


@given(st.dates().map(str) | st.sampled_from(["2021", "2021-04", "XXXX-04-15", "XXXX-02-29"]))
def test_a_date_reads_back_as_written(text: str) -> None:
    assert str(PartialDate.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "XXXX", "2021-13", "2021-02-30", "21-04-15", "April 2021", "2021-4-5"]
)
def test_an_invalid_date_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        PartialDate.parse(text)


def test_what_is_unknown_comes_last() -> None:
    written = ["2021-04-15", "2021-04", "2021", "2022-01-01", "XXXX-01-01"]
    assert sorted(written, key=lambda text: PartialDate.parse(text).sort_key) == written


def test_a_leap_day_moves_to_a_year_that_has_one() -> None:
    assert str(PartialDate.parse("XXXX-02-29").in_year(2025)) == "2024-02-29"
    assert str(PartialDate.parse("XXXX-02-29").in_year(3)) == "0004-02-29"


@pytest.mark.parametrize("year", [0, -5, 10_000])
def test_there_are_years_from_1_to_9999(year: int) -> None:
    with pytest.raises(ValueError, match="no such year"):
        PartialDate.parse("XXXX-02-29").in_year(year)
