"""A search among the spellings of works, beside the plain definition of what it finds."""

from hypothesis import example, given
from hypothesis import strategies as st

from stemma.graph.sqlite.spelling_table import SpellingTable

keys = st.text("ab中", max_size=5)
kinds = st.sampled_from(["model", "dataset", None])
general = st.sampled_from([True, False, None])
works = st.lists(st.tuples(kinds, general, st.lists(keys, min_size=1, max_size=3)), max_size=8)


@given(
    works,
    keys,
    st.lists(keys, min_size=1, max_size=3),
    st.sets(kinds.filter(bool)),
    st.integers(1, 9),
    general,
)
@example([("model", False, ["ab", "b"])], "b", ["b"], set(), 1, None)
def test_it_finds_what_contains_all_words_the_best_first(
    works, key, words, wanted, first, general
) -> None:
    def distance(spellings: list[str]) -> int:
        fitting = [each for each in spellings if all(word in each for word in words)]
        return min((0 if s == key else 1 if s.startswith(key) else 2 for s in fitting), default=3)

    expected = sorted(
        (distance(spellings), number)
        for number, (kind, own, spellings) in enumerate(works)
        if distance(spellings) < 3 and (not wanted or kind in wanted) and general in (None, own)
    )
    table = SpellingTable(
        (key, number, kind, own)
        for number, (kind, own, spellings) in enumerate(works)
        for key in spellings
    )
    assert (
        table.search(key, words, wanted, first, general)
        == [number for _, number in expected][:first]
    )


def test_an_empty_table_finds_nothing() -> None:
    assert SpellingTable([]).search("a", ["a"], (), 5) == []
