"""Which records are of one paper, and which of several."""

from dataclasses import replace

import pytest

from stemma.graph.identity import Identities
from stemma.schema import Paper, Source
from stemma.schema.name import paper_id
from stemma.schema.paper import Author, merge


def reading(row: str) -> Paper:
    """Make a record of "title | year | authors | identifiers", of which any may be left out."""
    title, year, authors, *ids = [*row.split(" | "), "", "", ""][:4]
    return Paper(
        paper_id(title),
        title,
        sources=(Source("papers", "0", 1, year or None),),
        authors=tuple(Author(each) for each in authors.split(", ") if each),
        **dict(each.split(" ") for each in ids if each),
    )


def papers(*records: Paper) -> dict[str, Paper]:
    identities, held = Identities(), dict[str, Paper]()
    for each in records:
        id_, *others = identities.identify(each, held.get)
        same = [held.pop(one) for one in (id_, *others) if one in held]
        held[id_] = replace(merge([*same, each]), id=id_)
        for one in (*same, each):
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
        (
            f"{KILN} |  |  | doi 10.1000/a",
            *(f"{KILN} |  |  | doi 10.1000/b", "a-clay-kiln--10-1000-b"),
        ),
        (f"{KILN} | 2010", f"{KILN} | 2020", "a-clay-kiln--2020"),
        (
            f"{KILN} |  |  | doi 10.1000/proceedings",
            *("Wheels and Ovens |  |  | doi 10.1000/proceedings", "wheels-and-ovens"),
        ),
    ],
)
def test_readings_of_two_papers(a: str, b: str, id_: str) -> None:
    one, other = reading(a), reading(b)
    found = papers(one, other, one, other)
    assert set(found) == {one.id, f"paper/{id_}"}


def test_a_reading_joins_papers_that_nothing_else_identifies() -> None:
    found = papers(
        *map(reading, ("A Kiln", "Firing Clay in a Kiln |  |  | doi 10.1000/a")),
        *map(reading, ("A Kiln |  |  | doi 10.1000/a", "A Kiln")),
    )
    assert list(found) == ["paper/firing-clay-in-a-kiln"]
