"""Answers of services in JSON, and tables that they export, each in its own form."""

import json
from typing import Any

import pytest

from read_text import OnePaper, Read

TITLE, ABSTRACT = "A Kiln", "We fire clay."
SERVICES: dict[str, Any] = {
    "Papers with Code": [
        {
            **{"paper_url": "https://example.org/kiln", "arxiv_id": "2104.07857"},
            **{"title": TITLE, "abstract": ABSTRACT, "authors": ["Ann Sand"]},
            **{"url_abs": "https://doi.org/10.1000/kiln", "date": "2021-04-06"},
            **{"proceeding": "Kilns", "conference": None},
        }
    ],
    "S2ORC": {
        **{"paper_id": "1", "title": TITLE, "year": "2021", "abstract": ABSTRACT},
        "authors": [{"first": "Ann", "middle": ["B"], "last": "Sand", "suffix": ""}],
        "identifiers": {"doi": "10.1000/kiln"},
    },
    "unarXive": {
        "paper_id": "2104.07857",
        "metadata": {
            **{"id": "2104.07857", "title": TITLE, "abstract": ABSTRACT, "doi": "10.1000/kiln"},
            **{"authors_parsed": [["Sand", "Ann", ""]], "journal-ref": "Kilns"},
            "versions": [{"version": "v1", "created": "Tue, 6 Apr 2021 00:00:00 GMT"}],
        },
        "abstract": {"section": "Abstract", "text": "We."},
        "body_text": [],
    },
}
EXPECTED: dict[str, tuple[list[str], str, str | None, str | None, str | None]] = {
    "Papers with Code": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857"),
    "S2ORC": (["Ann B Sand"], "2021", None, "10.1000/kiln", None),
    "unarXive": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857v1"),
}
"""Authors, date, venue, DOI and arXiv id."""


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("service", SERVICES)
def test_answers_of_services_are_read(told: Read, service: str, indent: int | None) -> None:
    answer = json.dumps(SERVICES[service], indent=indent)
    (kiln,), problems = told(answer, "answer.json")
    assert (kiln.title, kiln.abstract) == (TITLE, ABSTRACT)
    assert not problems
    names, date, venue, doi, arxiv_id = EXPECTED[service]
    assert [each.name for each in kiln.authors] == names
    assert (str(kiln.published or ""), kiln.venue) == (date, venue)
    assert (kiln.doi, kiln.arxiv_id) == (doi, arxiv_id)
    assert ("https://doi.org/10.1000/kiln" in kiln.links) == ("10.1000/" in answer)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("['Ann Sand', \"Bo O'Clay\"]", ["Ann Sand", "Bo O'Clay"]),
        ('["Sand, Ann", "Clay, Bo"]', ["Ann Sand", "Bo Clay"]),
        ("['Ann Sand' 'Bo Clay']", ["Ann Sand", "Bo Clay"]),
    ],
)
def test_names_in_a_column_may_be_a_list(paper_in: OnePaper, names: str, found: list[str]) -> None:
    row = ['"' + names.replace('"', '""') + '"', TITLE, ABSTRACT]
    kiln = paper_in("authors,title,abstract\n" + ",".join(row) + "\n", "papers.csv")
    assert [each.name for each in kiln.authors] == found


@pytest.mark.parametrize("kind", ["new", "replace"])
def test_feeds_of_new_papers_on_arxiv(paper_in: OnePaper, kind: str) -> None:
    said = f"arXiv:2104.07857v1 Announce Type: {kind} \nAbstract: We fire clay."
    rss = f"""<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
version="2.0"><channel><title>cs.LG updates on arXiv.org</title><description>News</description>
<item><title>A Kiln</title><link>https://arxiv.org/abs/2104.07857</link>
<description>{said}</description><pubDate>Fri, 16 Apr 2021 00:00:00 -0400</pubDate>
<dc:creator>Ann Sand, Bo Clay</dc:creator></item></channel></rss>
"""
    atom = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom">
<title>cs.LG updates on arXiv.org</title><entry><id>oai:arXiv.org:2104.07857v1</id>
<title>A Kiln</title><summary>{said}</summary><published>2021-04-16T00:00:00-04:00</published>
<dc:creator>Ann Sand, Bo Clay</dc:creator></entry></feed>
"""
    for feed in (rss, atom):
        kiln = paper_in(feed, "feed")
        assert (kiln.title, kiln.abstract, kiln.arxiv_id) == (TITLE, ABSTRACT, "2104.07857v1")
        assert [each.name for each in kiln.authors] == ["Ann Sand", "Bo Clay"]
        assert str(kiln.published) == ("2021-04-16" if kind == "new" else "2021-04")


def test_quotation_marks_of_the_web_of_science_are_of_the_text(told: Read) -> None:
    header = "PT\tAU\tTI\tAB\tPY"
    rows = ['J\tSand, A\t"Hot\tWe fire clay.\t2021', 'J\tClay, B\t"Cool" Kilns\tWe cool.\t2020']
    (hot, cool), problems = told("\n".join((header, *rows)) + "\n", "savedrecs.txt")
    assert not problems
    assert (hot.title, hot.abstract, cool.title) == ('"Hot', ABSTRACT, '"Cool" Kilns')
