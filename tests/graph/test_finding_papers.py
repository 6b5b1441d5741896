"""Papers are found by their identifiers, and by titles that word differently what is sought."""

from dataclasses import replace

import pytest

from filled import put
from latest import latest
from stemma.graph import AmbiguousNameError, Reader, Store, UnknownNameError
from stemma.graph.matching import wordings
from stemma.graph.searching import search

PUBMED = "https://pubmed.ncbi.nlm.nih.gov/31452104/"


@pytest.fixture(scope="module")
def library(store_of_module: Store, describe) -> Reader:
    records = [
        ("Sorting Kilns with LLMs", {"doi": "10.1000/kiln.(1)", "links": (PUBMED,)}),
        ("Large Language Models in the Kiln", {"arxiv_id": "2104.07857v2"}),
        ("A Smallmouth of a Kiln", {"arxiv_id": "cs/9901001"}),
        ("Small models of kilns", {"doi": "10.1000/proceedings"}),
        ("Glazing kilns", {"doi": "10.1000/proceedings"}),
    ]
    papers = [describe(title, "Of kilns.") for title, _ in records]
    put(
        store_of_module,
        *[
            replace(each, paper=replace(each.paper, **known))
            for each, (_, known) in zip(papers, records, strict=True)
        ],
    )
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
    assert [work.id for work in search(library, name).works] == [f"paper/{paper}"]


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
    assert sorted(work.name for work in search(library, sought).works) == found


@pytest.mark.parametrize("text", ["", "kiln", "LLM " * 51, " ".join(["LLM", "GPU", "RL"] * 15)])
def test_few_other_wordings_are_looked_for(text):
    assert len(wordings(text)) < 16
