"""Papers are found by identifiers and by titles that word what is sought, works by their names."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from described import describe, described
from filled import put
from latest import latest
from stemma.graph import AmbiguousNameError, Reader, Store, UnknownNameError
from stemma.graph.searching import search
from stemma.graph.selection import Selection
from stemma.graph.sqlite import SqliteStore, selection_sql
from stemma.schema import EntityKind

KINDS = EntityKind.DATASET, EntityKind.TECHNIQUE
PUBMED = "https://pubmed.ncbi.nlm.nih.gov/31452104/"


@pytest.fixture(scope="module")
def library(store_of_module: Store) -> Reader:
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


@pytest.fixture(scope="module", params=[3, 2000], ids=lambda many: f"{many} are many")
def names(request, tmp_path_factory) -> Iterator[Reader]:
    """Works of several kinds; with many, those are looked at that most papers name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection_sql, "_MANY", request.param)
        store = SqliteStore(tmp_path_factory.mktemp("names") / "stemma.db")
        put(store, *described("""
            Oven | An oven kiln and a kiln. | model kiln oven: INTRODUCES | model kiln: USES
            Another | Kilnery, Kiln Oven; clayKilns.
                | dataset Kilnery: INTRODUCES | model Kiln Oven: USES | model clayKilns: USES
            Kiln | Of a stove. | technique stove kilner: USES
        """))  # fmt: skip
        with store.snapshot() as reader:
            yield reader


@pytest.mark.parametrize(
    ("sought", "chosen", "found"),
    [
        ("kiln", {}, ["kiln", "Kiln", "kiln oven", "Kilnery", "clayKilns", "stove kilner"]),
        ("kiln", {"first": 3}, ["kiln", "Kiln", "kiln oven"]),
        ("kil", {"first": 1}, ["kiln oven"]),
        ("kil", {"first": 2}, ["kiln oven", "kiln"]),
        ("oven kiln", {}, ["kiln oven"]),
        (
            "kiln",
            {"kinds": (EntityKind.DATASET, EntityKind.TECHNIQUE)},
            ["Kilnery", "stove kilner"],
        ),
        ("kiln", {"general": False, "first": 2}, ["kiln oven", "Kilnery"]),
        ('"', {}, []),
        ("ov", {}, ["Oven", "kiln oven"]),
        ("iln", {}, []),
        ("ilnery", {}, ["Kilnery"]),
    ],
)
def test_it_finds_what_contains_all_words_the_best_first(names, sought, chosen, found) -> None:
    ids = names.matching(sought, Selection(**{"first": 9, **chosen}))
    assert [work.name for work in names.works(ids).values()] == found


def test_a_text_may_have_thousands_of_words(names):
    many = [f"w{number}" for number in range(5000)]
    assert names.matching("kiln oven " * 5000) == ["entity/kiln-oven"]
    assert names.matching("LLM GPU RL " * 15) == [], "nor are all of its wordings tried"
    assert names.matching(" ".join(many)) == names.matching(" ".join([*many, "kiln"])) == []
