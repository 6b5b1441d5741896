"""Papers are found by identifiers and by titles that word what is sought, works by their names."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import stemma.graph.sqlite
from filled import put
from latest import latest
from stemma.graph import AmbiguousNameError, Reader, Store, UnknownNameError
from stemma.graph.matching import wordings
from stemma.graph.searching import search
from stemma.graph.selection import Selection
from stemma.graph.sqlite import selection_sql
from stemma.graph.sqlite.selection_sql import search_names
from stemma.schema.name import match_key

PUBMED = "https://pubmed.ncbi.nlm.nih.gov/31452104/"


@pytest.fixture(scope="module")
def library(store_of_module: Store, describe) -> Reader:
    records = {
        "Sorting Kilns with LLMs": {"doi": "10.1000/kiln.(1)", "links": (PUBMED,)},
        "Large Language Models in the Kiln": {"arxiv_id": "2104.07857v2"},
        "A Smallmouth of a Kiln": {"arxiv_id": "cs/9901001"},
        "Small models of kilns": {"doi": "10.1000/proceedings"},
        "Glazing kilns": {"doi": "10.1000/proceedings"},
    }
    papers = {title: describe(title, "Of kilns.") for title in records}
    for title, known in records.items():
        papers[title] = replace(papers[title], paper=replace(papers[title].paper, **known))
    put(store_of_module, *papers.values())
    return latest(store_of_module)


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("10.1000/kiln.(1)", "sorting-kilns-with-llms"),
        ("https://doi.org/10.1000%2Fkiln.(1)", "sorting-kilns-with-llms"),
        ("PMID: 31452104", "sorting-kilns-with-llms"),
        (PUBMED, "sorting-kilns-with-llms"),
        ("2104.07857", "large-language-models-in-the-kiln"),
        ("https://arxiv.org/pdf/2104.07857v3.pdf", "large-language-models-in-the-kiln"),
        ("10.48550/arXiv.2104.07857", "large-language-models-in-the-kiln"),
        ("cs/9901001", "a-smallmouth-of-a-kiln"),
    ],
)
def test_an_identifier_is_a_name_of_its_paper(library, name, paper):
    assert library.resolve(name) == f"paper/{paper}"
    assert [work.id for work in search(library, name).items] == [f"paper/{paper}"]


def test_an_identifier_of_several_papers_or_of_none_is_not_guessed(library):
    with pytest.raises(AmbiguousNameError, match="Glazing kilns"):
        library.resolve("10.1000/proceedings")
    for unknown in ("10.1000/nothing", "2104.0785", "7", "pmid:x"):
        with pytest.raises(UnknownNameError):
            library.resolve(unknown)


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("large language model", ["Large Language Models in the Kiln", "Sorting Kilns with LLMs"]),
        (
            "large language models kiln",
            ["Large Language Models in the Kiln", "Sorting Kilns with LLMs"],
        ),
        ("LLMs sorting", ["Sorting Kilns with LLMs"]),
    ],
)
def test_a_search_and_a_title_are_worded_as_the_catalogue_knows(library, sought, found):
    assert sorted(work.name for work in search(library, sought).items) == found


@pytest.mark.parametrize("text", ["", "kiln", "LLM " * 51, " ".join(["LLM", "GPU", "RL"] * 15)])
def test_few_other_wordings_are_looked_for(text):
    assert len(wordings(text)) < 16


TABLES = Path(stemma.graph.sqlite.__file__).with_name("schema.sql").read_text("utf-8")

keys = st.text('ab中"', max_size=6)
kinds = st.sampled_from(["model", "dataset", None])
general = st.sampled_from([True, False])
works = st.lists(
    st.tuples(kinds, general, st.lists(keys, min_size=1, max_size=3), st.integers(0, 4)), max_size=8
)


def called(kind: str | None, names: Sequence[str]) -> list[str]:
    """Return the keys of a work; a paper has that of its title alone."""
    return list(names) if kind else [match_key(each) for each in names[:1]]


class Names:
    """An index of the works of a test, each with (kind, whether it is general, names, papers)."""

    def __init__(self, works: Sequence[tuple[str | None, bool, Sequence[str], int]]) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.executescript(TABLES)
        for number, (kind, own, names, papers) in enumerate(works):
            type_ = "entity" if kind else "paper"
            row = [number, str(number), type_, names[0], kind]
            self.db.execute(
                "INSERT INTO work VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, '', ?)",
                [*row, own if kind else None, papers if kind else 0],
            )
            self.db.executemany(
                "INSERT OR IGNORE INTO spelling VALUES (NULL, ?, ?, ?, '')",
                [(each, 1 if kind else 2, number) for each in called(kind, names)],
            )

    def search(self, key, words, kinds=(), first=9, general=None) -> list[int]:
        def ask(query: str, values: Sequence[object]) -> list[tuple]:
            return self.db.execute(query, values).fetchall()

        chosen = Selection(kinds=tuple(kinds), general=general, first=first)
        return [int(id_) for id_ in search_names(ask, key, words, chosen)]


@given(
    works,
    keys,
    st.lists(keys, min_size=1, max_size=3),
    st.sets(kinds.filter(bool)),
    st.integers(1, 9),
    st.one_of(general, st.none()),
    st.sampled_from([1, 3, 2000]),
)
@example([("model", False, ["ab", "b"], 1)], "b", ["b"], set(), 1, None, 2000)
def test_it_finds_what_contains_all_words_the_best_first(
    works, key, words, wanted, first, general, many
) -> None:
    def distance(spellings: list[str]) -> int:
        fitting = [each for each in spellings if all(word in each for word in words)]
        return min((0 if s == key else 1 if s.startswith(key) else 2 for s in fitting), default=3)

    expected = sorted(
        (distance(spellings), -papers if kind else 0, not kind, str(number), number)
        for number, (kind, own, names, papers) in enumerate(works)
        for spellings in [called(kind, names)]
        if distance(spellings) < 3
        and (not wanted or kind in wanted)
        and (general is None or (kind and own is general))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection_sql, "_MANY", many)
        found = Names(works).search(key, words, wanted, first, general)
    assert found == [number for *_, number in expected][:first]


def test_a_text_may_have_thousands_of_words():
    names = Names([("model", False, ["kiln oven"], 1)])
    many = [f"w{number}" for number in range(5000)]
    assert names.search("kiln oven", ["kiln", "oven"] * 5000) == [0]
    assert names.search("", many) == names.search("", [*many, "kiln"]) == []
