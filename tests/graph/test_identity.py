"""Which records are of one paper, and which of several."""

from dataclasses import replace

import pytest

from stemma.graph.identity import Identities
from stemma.schema import Paper, Source
from stemma.schema.name import paper_id
from stemma.schema.paper import Author, merge


def reading(title: str, year: str | None = None, authors: str = "", **ids: str) -> Paper:
    return Paper(
        paper_id(title),
        title,
        sources=(Source("papers", "0", 1, year),),
        authors=tuple(Author(each) for each in authors.split(", ") if each),
        **ids,
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


KILN = "A Kiln for Clay"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (reading(KILN), reading("A  kiln for {C}lay")),
        (reading(KILN, "2020"), reading(KILN, "2022", "Ann Sand")),
        (reading(KILN, "2017", "Ann Sand"), reading(KILN, "2022", "Pot, Bo, A. Sand")),
        (reading(KILN, doi="10.1000/a"), reading("Clay: A Kiln (extended)", doi="10.1000/a")),
        (reading(KILN, arxiv_id="2104.07857v1"), reading("Firing Clay", arxiv_id="2104.07857v3")),
        (reading(KILN, doi="10.48550/arxiv.2104.07857"), reading(KILN, arxiv_id="2104.07857")),
        (
            reading(KILN, None, "Ann Sand", doi="10.1000/preprint"),
            reading(KILN, None, "Ann Sand", doi="10.1000/journal"),
        ),
        (
            reading(KILN, None, "Ann Sand", doi="10.1000/a"),
            reading("Wheels", None, "A. Sand", doi="10.1000/a"),
        ),
    ],
)
def test_readings_of_one_paper(a: Paper, b: Paper) -> None:
    assert list(papers(a, b)) == [a.id]
    assert list(papers(b, a)) == [b.id]


@pytest.mark.parametrize(
    ("a", "b", "id_"),
    [
        (
            reading(KILN, "2020", "Ann Sand"),
            reading(KILN, "2020", "Bo Pot, Cy Oven"),
            "paper/a-kiln-for-clay--pot-2020",
        ),
        (
            reading(KILN, arxiv_id="2104.07857"),
            reading(KILN, arxiv_id="2205.00001"),
            "paper/a-kiln-for-clay--2205-00001",
        ),
        (
            reading(KILN, doi="10.1000/a"),
            reading(KILN, doi="10.1000/b"),
            "paper/a-kiln-for-clay--10-1000-b",
        ),
        (reading(KILN, "2010"), reading(KILN, "2020"), "paper/a-kiln-for-clay--2020"),
        (
            reading(KILN, doi="10.1000/proceedings"),
            reading("Wheels and Ovens", doi="10.1000/proceedings"),
            "paper/wheels-and-ovens",
        ),
    ],
)
def test_readings_of_two_papers(a: Paper, b: Paper, id_: str) -> None:
    found = papers(a, b, a, b)
    assert list(found) == [a.id, id_] or list(found) == [id_, a.id]


def test_a_reading_joins_papers_that_nothing_else_identifies() -> None:
    found = papers(
        reading(KILN),
        reading("Firing Clay in a Kiln", doi="10.1000/a"),
        reading(KILN, doi="10.1000/a"),
        reading(KILN),
    )
    assert list(found) == ["paper/firing-clay-in-a-kiln"]
