"""Abstracts in JSON lines and JSON arrays, of which all or only those that are wanted are read."""

import json
from pathlib import Path
from typing import Any

import pytest

from stemma.extract.formats import Document, Options, read_document
from stemma.schema import Paper, PartialDate
from stemma.schema.paper import Author


def line(**fields) -> str:
    return json.dumps({"title": "A Kiln", "abstract": "We fire clay."} | fields) + "\n"


def test_authors_have_the_ids_that_records_give_them(told):
    sand = {"name": "Ann Sand", "orcid": "0000-0002-1825-0097", "id": "openreview:~Ann_Sand1"}
    ((paper,), _) = told(line(authors=[sand, {"name": "Bo Clay", "id": "7"}, "Cy Loam"]))
    assert paper.authors == (Author(**sand), Author("Bo Clay"), Author("Cy Loam"))


@pytest.mark.parametrize(
    ("field", "value", "date"),
    [
        ("published", "2021-04-15T17:00:00Z", "2021-04-15"),
        ("year", 2021.0, "2021"),
        ("date", "Apr 15, 2021", "2021-04-15"),
        ("date", "15-APR-2021", "2021-04-15"),
        ("date", "2021-04-00", "2021-04"),
        ("published", "XXXX-04-15", "1999-04-15"),
    ],
)
def test_reads_dates(told, field, value, date):
    papers, problems = told(line(**{field: value}), year=1999)
    assert not problems
    assert str(papers[0].published) == date


@pytest.mark.parametrize(
    ("identifier", "date"), [("2104.07857v2", "2021-04"), ("hep-th/9901001", "1999-01")]
)
def test_without_a_date_the_month_in_the_arxiv_id_counts(told, identifier, date):
    (paper, dated), problems = told(
        line(arxiv_id=identifier) + line(title="A Wheel", arxiv_id=identifier, year=2023)
    )
    assert not problems
    assert (str(paper.published), str(dated.published)) == (date, "2023")


@pytest.mark.parametrize(
    "value", ["soon", 0, float("inf"), True, "2021-13", [1], "0021-04-15", 1499, 3021]
)
def test_an_invalid_date_is_reported_and_its_paper_is_read(told, value):
    papers, problems = told(line(date=value))
    assert papers[0].published is None
    assert [problem.line for problem in problems] == [1]


def notes(**content: object) -> str:
    note = {"id": "x1", "forum": "f1", "cdate": 1618444800000, "content": content}
    return json.dumps({"notes": [note], "count": 1})


NOTE = {"title": "A Kiln", "abstract": "We fire clay.", "authors": ["Ann Sand"]}
DAILY = {"id": "2104.07857", "title": "A Kiln", "summary": "We fire.", "authors": [{"name": "A"}]}
OF_NOTE = {
    **{"title": "A Kiln", "abstract": "We fire clay.", "authors": (Author("Ann Sand"),)},
    "published": PartialDate(2021, 4, 15),
    "links": ("https://openreview.net/forum?id=f1",),
}
LINKED = line(
    **{"abstract": "See https://example.org/kiln.", "links": ["https://example.org/a", 5]},
    **{"url": "https://example.org/page", "doi": "10.1145/12.34 10.1000/x<y>", "id": "2104.07857"},
)
LINKS = """
    https://arxiv.org/abs/2104.07857 https://doi.org/10.1000/x%3Cy%3E https://doi.org/10.1145/12.34
    https://example.org/a https://example.org/kiln https://example.org/page
"""
READ: dict[str, tuple[str, dict[str, Any]]] = {
    "links of fields and of the abstract": (LINKED, {"links": tuple(LINKS.split())}),
    "an id that is not an arXiv identifier is not a link": (line(id="17"), {"links": ()}),
    "lines that are wrapped in a text are put together": (
        line(title="A\n  Kiln", abstract="  We fire \r\n  clay.\n\n It holds.\n"),
        {"title": "A Kiln", "abstract": "We fire clay.\nIt holds."},
    ),
    "a title alone": (line(abstract=None), {"title": "A Kiln", "abstract": ""}),
    "a note of OpenReview's API, version 1": (notes(**NOTE), OF_NOTE),
    "a note of OpenReview's API, version 2": (
        notes(**{name: {"value": value} for name, value in NOTE.items()}),
        OF_NOTE,
    ),
    "the paper within a record of Daily Papers": (
        json.dumps([{"paper": DAILY, "title": "A Kiln", "numComments": 1}]),
        {"abstract": "We fire.", "arxiv_id": "2104.07857", "authors": (Author("A"),)},
    ),
}


@pytest.mark.parametrize(("content", "expected"), READ.values(), ids=READ)
def test_what_is_read_of_a_record(paper_in, content: str, expected) -> None:
    paper = paper_in(content, "papers.json")
    assert {each: getattr(paper, each) for each in expected} == expected


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"title": "A', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"abstract": "We fire clay."}', "title"),
        ('"A Kiln"', "object"),
    ],
)
def test_a_bad_line_is_reported_and_the_rest_is_read(told, bad, reason):
    papers, (problem,) = told(line() + bad + "\n" + line(title="A Wheel"))
    assert [paper.title for paper in papers] == ["A Kiln", "A Wheel"]
    assert problem.line == 2 and reason in problem.reason


def test_characters_that_no_text_can_hold_are_replaced_one_for_one(told):
    papers, problems = told('{"title": "A \\ud800 Kiln", "abstract": "We\\u0000fire."}')
    assert (papers[0].title, papers[0].abstract) == ("A \ufffd Kiln", "We\ufffdfire.")
    assert [problem.line for problem in problems] == [1]


def test_extracted_papers_belong_to_another_command(told):
    papers, (problem,) = told('{"stemma": 1, "paper": {"title": "A Kiln"}}\n' * 3)
    assert not papers and "stemma load" in problem.reason


@pytest.mark.parametrize("indent", [None, 2])
def test_objects_may_stand_in_an_array_or_by_their_ids(told, indent: int | None) -> None:
    objects = [json.loads(line(title=title)) for title in ("A Kiln", "A Wheel")]
    for value, lines in ((objects, [2, 6]), (dict(enumerate(objects)), [1, 1])):
        papers, problems = told(json.dumps(value, indent=indent), "papers.json")
        assert not problems
        assert [paper.title for paper in papers] == ["A Kiln", "A Wheel"]
        assert [paper.sources[0].position for paper in papers] == (lines if indent else [1, 1])


RECORDS = [
    {"id": "2104.07857", "title": "Kiln", "doi": "10.1000/KILN"},
    {"id": "math/0309136", "title": "Wheel", "doi": None},
    {"id": "2104.07858", "title": "Pot", "doi": "10.1000/pot 10.1000/pot.v2"},
    {"id": "2104.07859v3", "title": "Bowl", "doi": "10.48550/arXiv.2104.07859"},
    {"id": "", "title": "", "doi": None},
    {"id": 7, "title": "Jug", "doi": ["10.1000/jug"]},
]


@pytest.fixture
def dump(tmp_path: Path) -> Document:
    path = tmp_path / "arxiv-metadata-oai-snapshot.json"
    versions = [{"version": "v1", "created": "Fri, 16 Apr 2021 02:22:12 GMT"}]
    lines = ({**record, "abstract": "Clay.", "versions": versions} for record in RECORDS)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Document(path, path.name)


@pytest.mark.parametrize(
    "wanted",
    [
        {"doi:10.1000/kiln"},
        {"arxiv:math/0309136", "doi:10.1000/pot"},
        {"arxiv:2104.07859"},
        {"arxiv:2104.07860", "doi:10.1000/none"},
        set(),
    ],
)
def test_all_that_a_whole_reading_finds_of_them_is_read(dump: Document, wanted: set[str]) -> None:
    whole = [each for each in read_document(dump, Options()) if isinstance(each, Paper)]
    readings = list(read_document(dump, Options(wanted=wanted)))
    read = [each for each in readings if isinstance(each, Paper)]
    assert len(whole) == 5
    assert [each for each in read if wanted & {*each.identifiers}] == [
        each for each in whole if wanted & {*each.identifiers}
    ]
    assert len(read) <= len(wanted)
    assert len(read) == len(readings), "what is wrong with others is not reported"
