"""Records and files that are too large: they are reported, and the rest is read in flat memory."""

import gzip
import json
import re
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from stemma.extract.formats import document, read
from stemma.schema import Paper, Problem

LIMIT = 1 << 16
FLAT = 64 * LIMIT
"""Bytes of memory that reading may take, besides the papers."""
A_KILN = {"title": "A Kiln", "abstract": "We fire clay."}
A_WHEEL = {"title": "A Wheel", "abstract": "We turn clay."}

Told = tuple[list[str], list[Problem]]


@pytest.fixture
def bounded(tmp_path: Path) -> Callable[..., Told]:
    """Write a file from parts, compressed, and read it with a small bound and little memory."""

    def _read(parts: Iterable[str], name: str) -> Told:
        path = tmp_path / f"{name}.gz"
        with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
            file.writelines(parts)
        tracemalloc.start()
        titles, problems = [], []
        for each in read(path, name, max_record_size=LIMIT):
            if isinstance(each, Paper):
                titles.append(each.title)
            else:
                problems.append(each)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < FLAT
        return titles, problems

    return _read


def filler(size: int, text: str = "x") -> Iterator[str]:
    """Return `size` limits of one text."""
    return (text * (LIMIT // len(text)) for _ in range(size))


LARGE = ('{"title": "A Monument", "abstract": "', *filler(80), '"}')


@pytest.mark.parametrize(
    ("name", "begin", "between", "end"),
    [
        ("papers.jsonl", "", "\n", ""),
        *(("papers.json", "[", each, "]") for each in (",", ",\n", "\n,\n")),
    ],
)
def test_a_line_or_an_object_that_is_too_long_is_one_bad_record(bounded, name, begin, between, end):
    parts = [begin, json.dumps(A_KILN), between, *LARGE, between, json.dumps(A_WHEEL), end]
    titles, problems = bounded(parts, name)
    assert titles == ["A Kiln", "A Wheel"]
    line = 1 + between.count("\n")
    assert [(each.file, each.line, each.skipped) for each in problems] == [(name, line, True)]
    assert re.search("more than 64 KiB.*max-record-size", problems[0].reason)


def test_a_record_just_within_the_bound_is_read(bounded) -> None:
    abstract = "x" * (LIMIT - len(json.dumps({"title": "A Kiln", "abstract": ""})))
    record = json.dumps({"title": "A Kiln", "abstract": abstract})
    for text in (record, f"[{record}]"):
        assert bounded([text], "papers.json") == (["A Kiln"], [])
        longer = text.replace("x", "xx", 1)
        assert bounded([longer], "papers.json")[0] == []


def test_paragraphs_that_are_too_long_together_cost_their_paper(bounded) -> None:
    paragraphs = ("We fire clay, and fire it again until it holds.\n\n" for _ in range(1400))
    byline = "• 3 authors\n·\nFeb 3, 2024\n\n"
    listing = [*("A Monument\n\n", *paragraphs, byline), *("A Wheel\n\nWe turn clay.\n\n", byline)]
    titles, problems = bounded(listing, "papers.txt")
    assert titles == ["A Wheel"]
    assert [problem.line for problem in problems] == [1]


@pytest.mark.parametrize("name", ["papers.jsonl", "papers.json", "papers.txt"])
def test_a_file_of_line_ends_holds_nothing(bounded, name: str) -> None:
    assert bounded(filler(80, "\n"), name)[0] == []


@pytest.mark.parametrize(("name", "blank"), [("papers.jsonl", "\n"), ("papers.json", "\r\n \t")])
def test_lines_are_counted_through_what_is_blank(bounded, name: str, blank: str) -> None:
    parts = [json.dumps(A_KILN) + "\n", *filler(2, blank), "\n", '{"title": 5}\n']
    titles, problems = bounded(parts, name)
    assert titles == ["A Kiln"]
    lines = 2 + "".join(parts[1:-1]).count("\n")
    assert [problem.line for problem in problems if "no title" in problem.reason] == [lines]


@pytest.mark.parametrize("begin", ["", "[", '{"title": "', '[{"title": "A", "abstract": ["'])
def test_a_file_of_one_endless_line_is_one_problem(bounded, begin: str) -> None:
    titles, problems = bounded([begin, *filler(80)], "papers.json")
    assert titles == []
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ("[", "the array is truncated"),
        *((each, "1,000 problems and no paper: the rest") for each in ("1,", "{},")),
    ],
)
def test_a_file_that_would_be_read_for_ever_is_given_up(bounded, monkeypatch, part, reason):
    monkeypatch.setattr(document, "_MOST_UNREAD", 1000)
    titles, problems = bounded(["[", json.dumps(A_KILN), ",", *filler(80, part)], "papers.json")
    assert titles == ["A Kiln"]
    assert len(problems) <= 1001
    assert reason in problems[-1].reason


def test_a_listing_that_is_too_large_is_not_read(bounded) -> None:
    papers = (f"Kiln number {i}\n\nWe fire clay, and fire it again.\n\n" for i in range(12_000))
    titles, problems = bounded(papers, "papers.txt")
    assert not titles
    assert "max-record-size accepts larger ones" in problems[0].reason


def test_a_text_that_no_store_could_hold_costs_its_paper(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    monument = {"title": "A Monument", "abstract": "x" * 1_000_001}
    path.write_text("\n".join(json.dumps(each) for each in (A_KILN, monument, A_WHEEL)))
    kiln, problem, wheel = read(path, path.name)
    assert isinstance(kiln, Paper) and isinstance(wheel, Paper) and isinstance(problem, Problem)
    assert (problem.line, problem.skipped) == (2, True)
    assert "1,000,000" in problem.reason
