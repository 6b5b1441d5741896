"""Who the authors of papers are, and which papers cite which."""

import random

import pytest

from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linking.people import Person, people
from stemma.schema import Paper
from stemma.schema.paper import Author, Reference

ORCID, OTHER = "0000-0002-1825-0097", "0000-0001-5109-3700"


def who(**papers: list[Author]) -> dict[str, list[str]]:
    """Return what each person wrote, whatever the order in which papers come."""
    given = [(f"paper/{name}", authors) for name, authors in papers.items()]
    found = people(given)
    for seed in range(3):
        assert people(random.Random(seed).sample(given, len(given))) == found
    return {
        person.id.removeprefix("author/"): [each.paper.removeprefix("paper/") for each in own]
        for person, own in found
    }


BO, CY, WEI = Author("Bo Nib"), Author("Cy Ink"), Author("Wei Wang")
ONE, ANOTHER = Author("Wei Wang", ORCID), Author("Wei Wang", OTHER)
CASES: dict[str, tuple[dict[str, list[Author]], dict[str, list[str]]]] = {
    "an ORCID is one person however the name is written": (
        {"a": [Author("Ada Quill", ORCID)], "b": [Author("A. Quill", ORCID)]},
        {"ada-quill": ["a", "b"]},
    ),
    "so is the id of a registry": (
        {"a": [Author("Ada Quill", id="openalex:A1")], "b": [Author("Quill", id="openalex:A1")]},
        {"ada-quill": ["a", "b"]},
    ),
    "two of one name stay two": (
        {"a": [WEI], "b": [Author("Wei Wáng")]},
        {"wei-wang--a": ["a"], "wei-wang--b": ["b"]},
    ),
    "a coauthor whom they share makes them one": (
        {"a": [WEI, BO], "b": [BO, WEI], "c": [WEI]},
        {"bo-nib": ["a", "b"], "wei-wang--a": ["a", "b"], "wei-wang--c": ["c"]},
    ),
    "one with an id is the one whose coauthor it shares": (
        {"a": [ONE, BO], "b": [ANOTHER, CY], "c": [WEI, BO], "d": [WEI, CY, BO]},
        {
            **{"bo-nib": ["a", "c", "d"], "cy-ink": ["b", "d"], "wei-wang--d": ["d"]},
            **{f"wei-wang--{ORCID}": ["a", "c"], f"wei-wang--{OTHER}": ["b"]},
        },
    ),
    "ids that differ keep them two whoever the coauthors are": (
        {"a": [ONE, BO], "b": [ANOTHER, BO], "c": [WEI, BO]},
        {
            **{"bo-nib": ["a", "b", "c"], "wei-wang--c": ["c"]},
            **{f"wei-wang--{ORCID}": ["a"], f"wei-wang--{OTHER}": ["b"]},
        },
    ),
    "one person is not two authors of one paper": (
        {"a": [WEI, WEI, BO], "b": [WEI, BO]},
        {"bo-nib": ["a", "b"], "wei-wang--a": ["a"], "wei-wang--a-2": ["a"], "wei-wang--b": ["b"]},
    ),
    "not even where another has the ids of both": (
        {
            "a": [Author("Ada Quill", ORCID), Author("A. Quill", id="s2:7")],
            "b": [Author("Ada Quill", ORCID, id="s2:7")],
        },
        {"a-quill": ["a"], f"ada-quill--{ORCID}": ["a"], f"ada-quill--{ORCID}-2": ["b"]},
    ),
    "not even by an id": (
        {"a": [Author("Ada Quill", ORCID), Author("Bo Nib", ORCID)]},
        {"ada-quill": ["a"], "bo-nib": ["a"]},
    ),
}


@pytest.mark.parametrize(("papers", "expected"), CASES.values(), ids=CASES)
def test_authors_are_people(papers: dict[str, list[Author]], expected: dict[str, list[str]]):
    assert who(**papers) == expected


def test_being_one_of_thousands_says_nothing():
    crowd = [Author(f"Member {number}", id=f"s2:{number}") for number in range(200)]
    papers = {"a": [*crowd, Author("Wei Wang")], "b": [Author("Wei Wang"), *crowd]}
    assert who(**papers)["wei-wang--a"] == ["a"]


def test_a_person_has_what_papers_say_of_them():
    ((person, _),) = people(
        [("paper/a", [Author("A. Quill", ORCID, "Pen & Co")]),
         ("paper/b", [Author("Ada Quill", ORCID, None, "s2:7")])]
    )  # fmt: skip
    assert person == Person(
        "author/ada-quill", "Ada Quill", ("A. Quill",), ORCID, ("s2:7",), ("Pen & Co",), 2
    )


NAMES = [
    *(Reference(f"doi:10.1000/{each}") for each in ("KILN", "kiln")),
    *(Reference(f"arxiv:2104.07857{version}") for version in ("", "v1")),
    *(Reference("doi:10.48550/arXiv.2104.07857"), Reference("openalex:W7")),
    *(Reference(None, "kiln: firing  CLAY"), Reference("doi:10.1000/x", "Kiln: Firing Clay")),
]
OTHERS = [Reference("openalex:W77"), Reference(None, "Kiln")]


@pytest.mark.parametrize("reference", [*NAMES, *OTHERS], ids=str)
def test_a_reference_names_a_paper_by_any_id_or_its_title(reference: Reference):
    kiln = Paper(
        "paper/kiln",
        "Kiln: Firing Clay",
        doi="10.1000/kiln",
        arxiv_id="2104.07857v2",
        links=("https://openalex.org/W7", "https://doi.org/10.1000/elsewhere"),
    )
    named = set(keys_of_reference(reference)) & set(keys_of(kiln))
    assert bool(named) is (reference in NAMES)
