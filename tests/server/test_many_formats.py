"""The same papers in several formats are the same papers, with what each format says of them."""

import csv
import json
from pathlib import Path

import pytest

from stemma.graph import open_store
from stemma.graph.store import WorkType
from stemma.schema import Paper
from stemma.schema.paper import Author
from stemma.server.build import build

COUNT = 100


def title(number: int) -> str:
    return f"Kiln {number}: Firing Clay in {number} Steps"


def bibtex(number: int) -> str:
    return (
        f"@article{{kiln{number}, title = {{{{Kiln}} {number}: Firing Clay in {number} Steps}},\n"
        "  author = {Sand, A. and {\\'E}clat, B.}, journal = {J. Kilns}, year = 2021}\n"
    )


def ris(number: int) -> str:
    return f"TY  - JOUR\nTI  - {title(number)}\nAU  - Sand, A.\nDO  - 10.1000/{number}\nER  -\n\n"


def csl(number: int) -> dict[str, object]:
    issued = {"date-parts": [[2021, 4, 1 + number % 28]]}
    return {"type": "article-journal", "title": title(number), "issued": issued}


def openalex(number: int) -> dict[str, object]:
    orcid = "https://orcid.org/0000-0002-1825-0097"
    names = [("Ann Sand", orcid), ("Bo Éclat", None)]
    return {
        "id": f"https://openalex.org/W{number}",
        "title": title(number),
        "authorships": [{"author": {"display_name": a, "orcid": b}} for a, b in names],
        "locations": [{"landing_page_url": f"http://arxiv.org/abs/2104.{number:05}"}],
        "referenced_works": [f"https://openalex.org/W{number + 1}"],
        "abstract_inverted_index": {"Short": [0]},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    papers = tmp_path / "papers"
    papers.mkdir()
    numbers = range(COUNT)
    (papers / "a.bib").write_text("".join(map(bibtex, numbers)))
    (papers / "b.ris").write_text("".join(map(ris, numbers)))
    (papers / "c.json").write_text(json.dumps([*map(csl, numbers)]))
    (papers / "d.jsonl").write_text("".join(json.dumps(openalex(i)) + "\n" for i in numbers))
    with (papers / "e.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Title", "Abstract"])
        writer.writerows([title(i), f"We fire clay number {i} with PyTorch."] for i in numbers)
    return papers


def test_a_hundred_papers_in_five_formats_are_a_hundred_papers(folder: Path, tmp_path: Path):
    with open_store(str(tmp_path / "store")) as store:
        report = build(store, [folder], fast=True)
        assert not report.problems
        assert (report.records, len(report.added)) == (5 * COUNT, COUNT)
        with store.snapshot() as reader:
            works = reader.page(WorkType.PAPER, first=1000).works
    papers = {each.title: each for each in works if isinstance(each, Paper)}
    assert len(works) == len(papers) == COUNT
    for number in range(COUNT):
        paper = papers[title(number)]
        assert paper.abstract == f"We fire clay number {number} with PyTorch."
        assert paper.authors == (Author("Ann Sand", "0000-0002-1825-0097"), Author("Bo Éclat"))
        assert (paper.venue, paper.doi) == ("J. Kilns", f"10.1000/{number}")
        assert paper.arxiv_id == f"2104.{number:05}"
        assert str(paper.published) == f"2021-04-{1 + number % 28:02}"
        assert [str(each) for each in paper.references] == [f"openalex:W{number + 1}"]
        assert len(paper.sources) == 5
