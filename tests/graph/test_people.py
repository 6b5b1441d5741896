"""Which records are of one paper, who the authors of papers are, and which papers cite which."""

import random
from dataclasses import replace

import pytest

from filled import put
from latest import latest
from stemma.graph.identity import Identities, keys_of, keys_of_reference
from stemma.graph.linking.people import Person, people
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, Paper, Source
from stemma.schema.name import paper_id
from stemma.schema.paper import Author, Reference, merge

ORCID, OTHER = "0000-0002-1825-0097", "0000-0001-5109-3700"


def who(**papers: list[Author]) -> dict[str, list[str]]:
    """Return what each person wrote, whatever the order in which papers come."""
    given = [(f"paper/{name}", authors) for name, authors in papers.items()]
    persons = people(given)
    for seed in range(3):
        assert people(random.Random(seed).sample(given, len(given))) == persons
    return {
        person.id.removeprefix("author/"): [each.paper.removeprefix("paper/") for each in own]
        for person, own in persons
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


def change(store: SqliteStore, *papers: Paper) -> None:
    put(store, *map(Extraction, papers))


def test_a_reference_cites_the_one_other_paper_that_its_surest_key_names(store: SqliteStore):
    def paper(id_: str, title: str, doi: str | None, *references: Reference) -> Paper:
        return Paper(f"paper/{id_}", title, doi=doi, references=references)

    ours, other = Reference("doi:10.1000/0", "Nib"), Reference("doi:10.1000/9", "Ink")
    change(
        store,
        *(paper("ink", "Ink", "10.1000/0"), paper("nib", "Nib", "10.1000/1")),
        *(paper(f"nib-{year}", "Nib", None) for year in (2020, 2021)),
        paper("a", "Pen", None, ours, other),
        paper("b", "Pens", None, Reference(None, "Nib"), Reference(None, "Pens")),
        paper("c", "Quill", None, Reference("doi:10.1000/1", "Ink")),
    )
    cites = latest(store).cites([f"paper/{each}" for each in "abc"])
    assert list(cites.values()) == [["paper/ink"], [], ["paper/nib"]]


def test_only_what_is_connected_is_linked_again(store: SqliteStore) -> None:
    papers = (
        Paper(
            *(f"paper/{number}", f"Paper {number}"),
            authors=(Author(f"Ada Quill {number}"), Author("Bo Nib")),
            references=(Reference(None, f"Paper {number + 1}"),),
        )
        for number in range(50)
    )
    change(store, *papers)
    before = latest(store).changed_since(None).now
    added = Paper("paper/50", "Paper 50", authors=(Author("Ada Quill 3"), Author("Cy Ink")))
    change(store, added)
    changes = latest(store).changed_since(before)
    assert {*changes.changed, *changes.gone} == {
        *("author/ada-quill-3", "author/ada-quill-3--3", "author/ada-quill-3--50"),
        *("author/cy-ink", "paper/3", "paper/49", "paper/50"),
    }


def reading(row: str) -> Paper:
    """Make a record of "title | year | authors | identifiers", of which any may be left out."""
    title, year, authors, *ids = [*row.split(" | "), "", "", ""][:4]
    return Paper(
        paper_id(title),
        title,
        sources=(Source("papers", "0", 1, year or None),),
        authors=tuple(Author(author) for author in authors.split(", ") if author),
        **dict(id_.split(" ") for id_ in ids if id_),
    )


def papers(*records: Paper) -> dict[str, Paper]:
    identities, held = Identities(), dict[str, Paper]()
    for record in records:
        id_, *others = identities.identify(record, held.get)
        same = [held.pop(one) for one in (id_, *others) if one in held]
        held[id_] = replace(merge([*same, record]), id=id_)
        for one in (*same, record):
            identities.note(id_, one)
    return held


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("A Kiln for Clay", "A  kiln for {C}lay"),
        ("A Kiln for Clay | 2020", "A Kiln for Clay | 2022 | Ann Sand"),
        ("A Kiln for Clay | 2017 | Ann Sand", "A Kiln for Clay | 2022 | Pot, Bo, A. Sand"),
        ("A Clay Kiln |  |  | doi 10.1000/a", "A Kiln (extended) |  |  | doi 10.1000/a"),
        ("A Clay Kiln |  |  | arxiv_id 2104.07857v1", "Firing Clay |  |  | arxiv_id 2104.07857v3"),
        ("A Kiln |  |  | doi 10.48550/arxiv.2104.07857", "A Kiln |  |  | arxiv_id 2104.07857"),
        ("A Clay Kiln |  | Ann Sand | doi 10.1000/p", "A Clay Kiln |  | Ann Sand | doi 10.1000/j"),
        ("A Clay Kiln |  | Ann Sand | doi 10.1000/a", "Wheels |  | A. Sand | doi 10.1000/a"),
    ],
)
def test_readings_of_one_paper(a: str, b: str) -> None:
    one, other = reading(a), reading(b)
    assert list(papers(one, other)) == [one.id]
    assert list(papers(other, one)) == [other.id]


KILN = "A Clay Kiln"


@pytest.mark.parametrize(
    ("a", "b", "id_"),
    [
        (f"{KILN} | 2020 | Ann Sand", f"{KILN} | 2020 | Bo Pot, Cy Oven", "a-clay-kiln--pot-2020"),
        (
            f"{KILN} |  |  | arxiv_id 2104.07857",
            *(f"{KILN} |  |  | arxiv_id 2205.00001", "a-clay-kiln--2205-00001"),
        ),
        (f"{KILN} |  |  | doi 10.1/a", f"{KILN} |  |  | doi 10.1/b", "a-clay-kiln--10-1-b"),
        (f"{KILN} | 2010", f"{KILN} | 2020", "a-clay-kiln--2020"),
        (
            f"{KILN} |  |  | doi 10.1000/proceedings",
            *("Wheels and Ovens |  |  | doi 10.1000/proceedings", "wheels-and-ovens"),
        ),
    ],
)
def test_readings_of_two_papers(a: str, b: str, id_: str) -> None:
    one, other = reading(a), reading(b)
    merged = papers(one, other, one, other)
    assert set(merged) == {one.id, f"paper/{id_}"}


def test_a_reading_joins_papers_that_nothing_else_identifies() -> None:
    merged = papers(
        *map(reading, ("A Kiln", "Firing Clay in a Kiln |  |  | doi 10.1000/a")),
        *map(reading, ("A Kiln |  |  | doi 10.1000/a", "A Kiln")),
    )
    assert list(merged) == ["paper/firing-clay-in-a-kiln"]
