"""Files in several formats: what is one paper in them, and which papers are taken."""

import json

import pytest

from stemma import Stemma
from stemma.extract import Extractor
from stemma.graph import open_store
from stemma.graph.reader import WorkType
from stemma.schema.name import paper_id
from stemma.server.build import build, extract
from stemma.server.extraction_settings import ExtractionSettings

COUNT = 100


def title(number: int) -> str:
    return f"Kiln {number}: Firing Clay in {number} Steps"


def ris(number: int) -> str:
    return f"TY  - JOUR\nTI  - {title(number)}\nAU  - Sand, A.\nDO  - 10.1000/{number}\nER  -\n\n"


def openalex(number: int) -> dict[str, object]:
    return {
        "id": f"https://openalex.org/W{number}",
        "title": title(number),
        "locations": [{"landing_page_url": f"http://arxiv.org/abs/2104.{number:05}"}],
        "abstract_inverted_index": {"Short": [0]},
    }


def test_papers_of_one_title_stay_two_and_of_one_doi_are_one(tmp_path):
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
            report = build(store, [file], ExtractionSettings())
            assert (report.records, len(report.added)) == (records, added)
        assert build(store, [tmp_path / "c.json"], ExtractionSettings()).unchanged == 0
        with store.snapshot() as reader:
            works = {each.id: each for each in reader.page(WorkType.PAPER).items}
    assert list(works) == ["paper/firing", "paper/pots", "paper/pots--clay-2020"]
    firing = works["paper/firing"]
    assert (firing.abstract, len(firing.sources)) == ("We use Triton.", 3)
    files = [bib, tmp_path / "b.json", tmp_path / "c.json"]
    found = extract(files, ExtractionSettings())
    assert {each.paper.id: each.paper for each in found} == works


def test_only_the_papers_of_a_list_are_taken(tmp_path, monkeypatch):
    # What is found in them is no matter.
    monkeypatch.setattr(Extractor, "find", lambda self, texts: [((), ())] * len(texts))
    files = [tmp_path / "a.ris", tmp_path / "b.jsonl"]
    files[0].write_text("".join(map(ris, range(COUNT))))
    files[1].write_text("".join(json.dumps(openalex(i)) + "\n" for i in range(COUNT)))
    ids = tmp_path / "ids.txt"
    ids.write_text(
        "# mine\n2104.00007v3\nhttps://doi.org/10.1000/8  # as an address\n10.1000/NINE\n\nseven\n"
    )
    with open_store(str(tmp_path / "store")) as store:
        report = build(store, files, ExtractionSettings(ids=ids))
        assert sorted(report.added) == [paper_id(title(7)), paper_id(title(8))]
        assert [str(each) for each in report.problems] == [
            "ids.txt:6: neither an arXiv id nor a DOI: seven",
            "ids.txt:4: not in the files that were read: 10.1000/nine",
        ]
        assert not build(store, files, ExtractionSettings(ids=ids)).files
        assert len(build(store, files, ExtractionSettings()).added) == COUNT - 2
    with Stemma(tmp_path / "other") as graph, pytest.warns(UserWarning, match="seven"):
        report = graph.build(files[0], reader="ris", ids=ids)
        assert report.added == {paper_id(title(8))}
