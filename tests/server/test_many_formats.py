"""The same papers in several formats are the same papers, with what each format says of them."""

import csv
import json
from pathlib import Path

import pytest

from stemma import Stemma
from stemma.graph import open_store
from stemma.graph.store import WorkType
from stemma.schema import Paper
from stemma.schema.name import paper_id
from stemma.schema.paper import Author
from stemma.server.build import build, extract
from stemma.server.extraction_settings import ExtractionSettings

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
        report = build(store, [folder], ExtractionSettings(fast=True))
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


def test_papers_of_one_title_stay_two_and_of_one_doi_are_one(tmp_path: Path):
    bib = tmp_path / "a.bib"
    bib.write_text(
        "@article{a, title={Pots}, author={Ann Sand}, year=2020, abstract={We use PyTorch.}}\n"
        "@article{b, title={Pots}, author={Bo Clay}, year=2020, abstract={We use CUDA.}}\n"
        "@article{c, title={Firing}, author={Cy Kiln}, doi={10.1000/c}}\n"
    )
    listed = [
        {"title": "Firing Pots", "doi": "10.1000/c", "abstract": "We use Triton."},
        {"title": "Pots", "authors": ["B. Clay"], "year": 2021, "abstract": "We use CUDA."},
    ]
    (tmp_path / "b.json").write_text(json.dumps(listed))
    (tmp_path / "c.json").write_text(json.dumps([{"title": "Firing Pots"}]))
    with open_store(str(tmp_path / "store")) as store:
        for file, records, added in ((bib, 3, 3), (tmp_path / "b.json", 2, 0)):
            report = build(store, [file], ExtractionSettings(fast=True))
            assert (report.records, len(report.added)) == (records, added)
        assert build(store, [tmp_path / "c.json"], ExtractionSettings(fast=True)).unchanged == 0
        with store.snapshot() as reader:
            works = {each.id: each for each in reader.page(WorkType.PAPER, first=10).works}
    assert list(works) == ["paper/firing", "paper/pots", "paper/pots--clay-2020"]
    firing = works["paper/firing"]
    assert isinstance(firing, Paper)
    assert (firing.abstract, len(firing.sources)) == ("We use Triton.", 3)
    extracted = {
        each.paper.id: each.paper
        for each in extract(
            [bib, tmp_path / "b.json", tmp_path / "c.json"], ExtractionSettings(fast=True)
        )
    }
    assert extracted == works


def test_only_the_papers_of_a_list_are_taken(folder: Path, tmp_path: Path):
    ids = tmp_path / "ids.txt"
    ids.write_text(
        "# mine\n2104.00007v3\nhttps://doi.org/10.1000/8  # as an address\n10.1000/NINE\n\nseven\n"
    )
    with open_store(str(tmp_path / "store")) as store:
        files = [folder / "b.ris", folder / "d.jsonl"]
        report = build(store, files, ExtractionSettings(ids=ids, fast=True))
        assert sorted(report.added) == [paper_id(title(7)), paper_id(title(8))]
        assert [str(each) for each in report.problems] == [
            "ids.txt:6: neither an arXiv id nor a DOI: seven",
            "ids.txt:4: not in the files that were read: 10.1000/nine",
        ]
        assert not build(store, files, ExtractionSettings(ids=ids, fast=True)).files
        assert len(build(store, files, ExtractionSettings(fast=True)).added) == COUNT - 2
    with Stemma(tmp_path / "other") as graph, pytest.warns(UserWarning, match="seven"):
        report = graph.build(folder / "b.ris", fast=True, reader="ris", ids=ids)
        assert report.added == {paper_id(title(8))}
