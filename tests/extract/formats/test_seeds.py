"""Real listings in both layouts, where they are at hand."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from stemma.extract.formats import find, read
from stemma.schema.paper import Paper, merge


@pytest.fixture(scope="module")
def papers(shared: Path) -> dict[str, Paper]:
    documents, problems = find([shared / "seeds"])
    assert not problems
    records = defaultdict(list)
    for document in documents:
        for each in read(document.path, document.name):
            assert isinstance(each, Paper), each
            records[each.id].append(each)
    merged = [merge(each) for each in records.values()]
    return {paper.title: paper for paper in merged}


def test_papers_are_counted_once_whatever_files_they_are_in_with_titles_and_dates(papers, shared):
    files = [len({source.file for source in paper.sources}) for paper in papers.values()]
    assert (len(papers), sum(count > 1 for count in files)) == (212, 50)
    gold = (shared / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["title"] for line in gold} <= papers.keys()
    dates = [paper.published for paper in papers.values() if paper.published]
    assert len(dates) == 127
    assert all(date.year and date.month and date.day for date in dates)
    organizations = {paper.organization for paper in papers.values()} - {None}
    assert organizations == {"Reactive AI", "Zyphra", "Tongyi-MAI"}


def test_twenty_thousand_abstracts_are_read_without_a_problem(shared: Path):
    path = shared / "corpora" / "abstracts-20k.jsonl.gz"
    read_papers = [each for each in read(path, path.name) if isinstance(each, Paper)]
    assert len(read_papers) == 20_000
