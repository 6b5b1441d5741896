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


def test_an_orcid_is_one_person_however_the_name_is_written():
    papers = {"a": [Author("Ada Quill", ORCID)], "b": [Author("A. Quill", ORCID)]}
    assert who(**papers) == {"ada-quill": ["a", "b"]}


def test_so_is_the_id_of_a_registry():
    papers = {
        "a": [Author("Ada Quill", id="openalex:A1")],
        "b": [Author("Quill", id="openalex:A1")],
    }
    assert who(**papers) == {"ada-quill": ["a", "b"]}


def test_two_of_one_name_stay_two():
    papers = {"a": [Author("Wei Wang")], "b": [Author("Wei Wáng")]}
    assert who(**papers) == {"wei-wang--a": ["a"], "wei-wang--b": ["b"]}


def test_a_coauthor_whom_they_share_makes_them_one():
    bo = Author("Bo Nib")
    papers = {
        "a": [Author("Wei Wang"), bo],
        "b": [bo, Author("Wei Wang")],
        "c": [Author("Wei Wang")],
    }
    assert who(**papers) == {"bo-nib": ["a", "b"], "wei-wang--a": ["a", "b"], "wei-wang--c": ["c"]}


def test_ids_that_differ_keep_them_two_whoever_the_coauthors_are():
    bo = Author("Bo Nib", "0000-0003-1415-9269")
    papers = {
        "a": [Author("Wei Wang", ORCID), bo],
        "b": [Author("Wei Wang", OTHER), bo],
        "c": [Author("Wei Wang"), bo],
    }
    assert who(**papers) == {
        "bo-nib": ["a", "b", "c"],
        f"wei-wang--{ORCID}": ["a"],
        f"wei-wang--{OTHER}": ["b"],
        "wei-wang--c": ["c"],
    }


def test_one_without_an_id_is_the_one_whose_coauthor_it_shares():
    papers = {
        "a": [Author("Wei Wang", ORCID), Author("Bo Nib")],
        "b": [Author("Wei Wang", OTHER), Author("Cy Ink")],
        "c": [Author("Wei Wang"), Author("Bo Nib")],
        "d": [Author("Wei Wang"), Author("Cy Ink"), Author("Bo Nib")],
    }
    found = who(**papers)
    assert found[f"wei-wang--{ORCID}"] == ["a", "c"]
    assert found[f"wei-wang--{OTHER}"] == ["b"]
    assert found["wei-wang--d"] == ["d"]


def test_one_person_is_not_two_authors_of_one_paper():
    papers = {"a": [Author("Wei Wang"), Author("Wei Wang"), Author("Bo Nib")],
              "b": [Author("Wei Wang"), Author("Bo Nib")]}  # fmt: skip
    found = who(**papers)
    assert sorted(found) == ["bo-nib", "wei-wang--a", "wei-wang--a-2", "wei-wang--b"]
    one_id = {"a": [Author("Ada Quill", ORCID), Author("Bo Nib", ORCID)]}
    assert who(**one_id) == {"ada-quill": ["a"], "bo-nib": ["a"]}


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


@pytest.mark.parametrize(
    ("reference", "is_named"),
    [
        (Reference("doi:10.1000/KILN"), True),
        (Reference("arxiv:2104.07857"), True),
        (Reference("arxiv:2104.07857v1"), True),
        (Reference("doi:10.48550/arXiv.2104.07857"), True),
        (Reference("openalex:W7"), True),
        (Reference(None, "kiln: firing  CLAY"), True),
        (Reference("doi:10.1000/unknown", "Kiln: Firing Clay"), True),
        (Reference("openalex:W77"), False),
        (Reference(None, "Kiln"), False),
    ],
    ids=str,
)
def test_a_reference_names_a_paper_by_any_id_or_its_title(reference: Reference, is_named: bool):
    kiln = Paper(
        "paper/kiln",
        "Kiln: Firing Clay",
        doi="10.1000/kiln",
        arxiv_id="2104.07857v2",
        links=("https://openalex.org/W7", "https://doi.org/10.1000/elsewhere"),
    )
    named = set(keys_of_reference(reference)) & set(keys_of(kiln))
    assert bool(named) is is_named
