"""One paper out of several records of it, and its date, as far as it is known."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.schema import Paper, PartialDate, Source
from stemma.schema.paper import Author, Reference, merge


def reading(
    file: str,
    abstract: str = "",
    published: str | None = None,
    assumed_year: int | None = None,
    **fields: Any,
) -> Paper:
    source = Source(file, "0" * 64, 1, published, assumed_year)
    return Paper("paper/a-title", "A Title", abstract, sources=(source,), **fields)


def test_a_day_without_a_year_stays_so_until_another_source_supplies_it() -> None:
    alone = reading("a.txt", published="XXXX-07-18")
    assert str(alone.published) == "XXXX-07-18"
    stated = reading("b.txt", published="2025-07-18")
    assumed = reading("c.txt", published="XXXX-07-18", assumed_year=2024)
    assert str(merge([alone, stated, assumed]).published) == "2025-07-18"


def test_what_readings_say_is_joined_and_the_fullest_and_best_is_kept() -> None:
    arxiv = replace(
        reading("a.txt", "Cut o"),
        authors=(Author("A. Sand"), Author("B. Clay", "0000-0001-5109-3700", id="s2:5")),
        doi="10.48550/arxiv.2104.07857",
        arxiv_id="2104.07857v1",
        references=(Reference("doi:10.1000/x"),),
    )
    journal = replace(
        reading("b.txt", "Cut off no more."),
        authors=(Author("Ann Sand", "0000-0002-1825-0097"), Author("Bo Clay")),
        venue="Journal of Kilns",
        doi="10.1000/kiln",
        references=(Reference(None, "A Pot"),),
    )
    latest = replace(reading("c.txt"), arxiv_id="2104.07857v12")
    merged = merge([arxiv, journal, latest])
    assert merged.abstract == "Cut off no more."
    assert [source.file for source in merged.sources] == ["a.txt", "b.txt", "c.txt"]
    assert merged.authors == (
        Author("Ann Sand", "0000-0002-1825-0097"),
        Author("Bo Clay", "0000-0001-5109-3700", id="s2:5"),
    )
    assert (merged.venue, merged.doi) == ("Journal of Kilns", "10.1000/kiln")
    assert merged.arxiv_id == "2104.07857v12"
    assert [str(reference) for reference in merged.references] == ["A Pot", "doi:10.1000/x"]


@pytest.mark.parametrize(
    "reference",
    [Reference("doi:10.1000/x", "A Kiln"), Reference("arxiv:2104.07857"), Reference(None, "A: B")],
)
def test_a_reference_is_read_from_the_text_that_it_is_written_as(reference: Reference) -> None:
    assert Reference.parse(str(reference)) == reference


@given(
    st.lists(
        st.builds(
            reading,
            file=st.sampled_from(["a.txt", "b.txt", "c.txt"]),
            abstract=st.sampled_from(["", "short", "longer one", "another1"]),
            published=st.sampled_from([None, "2021", "2021-04-15", "2022-01-01", "XXXX-04-15"]),
            assumed_year=st.sampled_from([None, 2020, 2021]),
            authors=st.sampled_from(
                [
                    *((), (Author("A"),), (Author("A. B"),), (Author("A"),) * 2),
                    (Author("Ada B", "0000-0002-1825-0097"),),
                    (Author("A B", id="s2:5", affiliation="Pen"),),
                ]
            ),
            doi=st.sampled_from([None, "10.48550/arxiv.1", "10.1000/x", "10.1000/y"]),
            arxiv_id=st.sampled_from([None, "2104.07857", "2104.07857v2", "2104.07857v10"]),
            venue=st.sampled_from([None, "A", "B", "AB"]),
            references=st.sampled_from([(), (Reference("doi:x"),), (Reference(None, "A"),)]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_merging_does_not_depend_on_order(records: list[Paper]) -> None:
    merged = merge(records)
    assert all(merge(list(order)) == merged for order in permutations(records))
    assert merge([merged, *records]) == merged


@given(st.dates().map(str) | st.sampled_from(["2021", "2021-04", "XXXX-04-15", "XXXX-02-29"]))
def test_a_date_reads_back_as_written(text: str) -> None:
    assert str(PartialDate.parse(text)) == text


@pytest.mark.parametrize("text", ["", "XXXX", "2021-13", "2021-02-30", "21-04-15", "April 2021"])
def test_an_invalid_date_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        PartialDate.parse(text)


def test_what_is_unknown_comes_last() -> None:
    written = ["2021-04-15", "2021-04", "2021", "2022-01-01", "XXXX-01-01"]
    assert sorted(written, key=lambda text: PartialDate.parse(text).sort_key) == written


def test_a_leap_day_moves_to_a_year_that_has_one() -> None:
    leap = PartialDate.parse("XXXX-02-29")
    assert (str(leap.in_year(2025)), str(leap.in_year(3))) == ("2024-02-29", "0004-02-29")
    for year in (0, 10_000):
        with pytest.raises(ValueError, match="no such year"):
            leap.in_year(year)
