"""One paper out of several readings of it."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from stemma.schema import Paper, Source
from stemma.schema.paper import merge


def reading(
    file: str, abstract: str = "", published: str | None = None, assumed_year: int | None = None
) -> Paper:
    source = Source(file, "0" * 64, 1, published, assumed_year)
    return Paper("paper/a-title", "A Title", abstract, sources=(source,))


def test_the_fullest_abstract_wins_and_all_sources_are_kept() -> None:
    merged = merge([reading("a.txt", "Cut o"), reading("b.txt", "Cut off no more.")])
    assert merged.abstract == "Cut off no more."
    assert [source.file for source in merged.sources] == ["a.txt", "b.txt"]


def test_a_stated_year_is_worth_more_than_an_assumed_one() -> None:
    assumed = reading("a.txt", published="XXXX-07-18", assumed_year=2024)
    stated = reading("b.txt", published="2025-07-18")
    assert str(merge([assumed, stated]).published) == "2025-07-18"


def test_a_day_without_a_year_stays_so_until_another_source_supplies_it() -> None:
    alone = reading("a.txt", published="XXXX-07-18")
    assert str(alone.published) == "XXXX-07-18"
    assert str(merge([alone, reading("b.txt", published="2025-07-18")]).published) == "2025-07-18"


def test_without_any_date_there_is_none() -> None:
    assert reading("a.txt").published is None


@given(
    st.lists(
        st.builds(
            reading,
            file=st.sampled_from(["a.txt", "b.txt", "c.txt"]),
            abstract=st.sampled_from(["", "short", "longer one", "another1"]),
            published=st.sampled_from([None, "2021", "2021-04-15", "2022-01-01", "XXXX-04-15"]),
            assumed_year=st.sampled_from([None, 2020, 2021]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_merging_does_not_depend_on_order(readings: list[Paper]) -> None:
    merged = merge(readings)
    assert all(merge(list(order)) == merged for order in permutations(readings))
    assert merge([merged, *readings]) == merged
