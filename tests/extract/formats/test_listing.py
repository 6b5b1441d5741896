"""Saved listings: what is read of them, made up and real, and what is said of their faults."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stemma.extract.formats import find, read
from stemma.schema.name import paper_id
from stemma.schema.paper import Paper, merge

BLOCKS = """new

Get trending papers in your email inbox!

Subscribe

Daily Papers

byAK and the research community

Dec 11

KilnCache: Firing Attention Blocks Once

We present KilnCache, which keeps 30\\% of keys~(and values) in {\\it host.memory}. Code is at \\url{https://example.org/kiln_cache}.

  • 5 authors
·
Oct 10, 2017

Mélange-δ for Small Machines

Small machines are slow. We make them faster (see https://example.org/a(b)).

PotteryAI Pottery AI
·
Oct 6 2

Glazing Without Labels

A glaze needs labels. Ours needs none, as https://glaze.example.org/~demo/. shows.

Does a Wheel Turn?

It turns. We measured how fast.

  • 1 authors
·
Jan 3, 2021 14
"""
BARE = """Get trending papers in your email inbox once a day!
Get trending papers in your email inbox!
SubscribeKilnCache: Firing Attention Blocks Once
We present KilnCache, which keeps keys in host memory.
eBPF for Potters
Potters have no kernel. We give them one.
"""


@pytest.fixture
def listing(told):
    return lambda content, year=None: told(content, "page.txt", year=year)


def dates(papers: list[Paper]) -> list[str]:
    return [str(paper.published) for paper in papers]


def test_reads_blocks_of_title_abstract_authors_and_date(listing):
    papers, problems = listing(BLOCKS)
    assert not problems
    assert "; ".join(paper.title for paper in papers) == (
        "KilnCache: Firing Attention Blocks Once; Mélange-δ for Small Machines; "
        "Glazing Without Labels; Does a Wheel Turn?"
    )
    assert [each.author_count for each in papers] == [5, None, None, 1]
    assert [each.organization for each in papers] == [None, "Pottery AI", None, None]
    assert [each.sources[0].position for each in papers] == [13, 21, 29, 33]
    assert papers[0].id == paper_id(papers[0].title)
    assert "30\\% of keys~(and values) in {\\it host.memory}" in papers[0].abstract
    assert [paper.links for paper in papers] == [
        ("https://example.org/kiln_cache",),
        ("https://example.org/a(b)",),
        ("https://glaze.example.org/~demo/",),
        (),
    ]


@pytest.mark.parametrize("given_year", [None, 2019])
def test_a_date_without_a_year_is_of_the_given_year_or_after_the_latest(listing, given_year):
    papers, _ = listing(BLOCKS, year=given_year)
    year = given_year or 2022
    assert dates(papers) == ["2017-10-10", f"{year}-10-06", "None", "2021-01-03"]
    assert papers[1].sources[0].published == "XXXX-10-06"
    assert [paper.sources[0].assumed_year for paper in papers[:2]] == [None, year]
    papers, _ = listing("Dec 1\n\nA Title\n\nAn abstract.\n\n• 2 authors\n·\nFeb 29\n")
    assert (dates(papers), papers[0].sources[0].assumed_year) == (["XXXX-02-29"], None)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(BLOCKS, "utf-8"), (BARE, "utf-16-le"), (BLOCKS, "utf-16-be"), (BARE, "utf-32-le")],
)
def test_line_ends_and_encodings_make_no_difference(listing, text, encoding):
    def read_(data: bytes) -> list[tuple]:
        papers, problems = listing(data)
        assert not problems
        return [(paper.title, paper.abstract, paper.sources[0].position) for paper in papers]

    expected = read_(text.encode())
    for line_end in ("\r\n", "\r"):
        assert read_(("\ufeff" + text.replace("\n", line_end)).encode(encoding)) == expected
    assert read_(text.rstrip("\n").encode()) == expected


def test_bytes_that_are_not_utf8_are_read_as_windows_1252_and_reported(listing):
    papers, (problem,) = listing(BLOCKS.replace("δ", "x").encode("cp1252", "ignore"))
    assert papers[1].title == "Mélange-x for Small Machines"
    assert "UTF-8" in problem.reason and problem.line == 17, "the first bullet"
    papers, (problem,) = listing(BLOCKS.encode() + "\nCafé\n\nGood.\n".encode("latin-1"))
    assert (papers[1].title, papers[-1].title) == ("Mélange-δ for Small Machines", "Café")
    assert problem.line == BLOCKS.count("\n") + 2


def test_abstracts_may_have_several_paragraphs_and_wrapped_lines(listing):
    papers, problems = listing(
        "A Kiln\nfor Everyone\n\nA first paragraph,\nwhich goes on.\n\nA second one.\n\n"
        "  • 2 authors\n·\nMay 4, 2020\n\nA Wheel\n\nIt turns.\n\n  • 3 authors\n·\nMay 5, 2020\n"
    )
    assert not problems
    kiln = ("A Kiln for Everyone", "A first paragraph, which goes on.\nA second one.")
    assert [(paper.title, paper.abstract) for paper in papers] == [kiln, ("A Wheel", "It turns.")]


@pytest.mark.parametrize(
    ("end", "titles", "line", "reason"),
    [
        ("\nA Lonely Ti", 4, 2, "ends after a title"),
        ("\nA Title\n\nIt breaks off here and th", 5, 4, "in the middle of this abstract"),
        ("\nA Title\n\nAn abstract.\n\n  • 5 authors\n", 5, 6, "no date follows"),
        ("\nA Title\n\nAn abstract.\n\n  • 5 authors\n·\n", 5, 7, "ends before this date"),
    ],
)
def test_a_cut_off_listing_is_reported_and_the_rest_is_read(listing, end, titles, line, reason):
    papers, (problem,) = listing(BLOCKS + end)
    assert len(papers) == titles
    assert problem.line == BLOCKS.count("\n") + line and reason in problem.reason


@pytest.mark.parametrize(
    ("text", "dates_read", "reason"),
    [
        ("A Title\n\n", ["2020-05-04"], "no abstract: only the title was read"),
        ("", [], "authors or a date without a title were skipped"),
    ],
)
def test_a_byline_without_an_abstract_or_a_title_is_reported(listing, text, dates_read, reason):
    papers, problems = listing(f"Daily Papers\n\n{text}  • 5 authors\n·\nMay 4, 2020\n")
    assert dates(papers) == dates_read
    assert [(problem.line, problem.reason) for problem in problems] == [(3, reason)]


@pytest.mark.parametrize("date", ["Feb 30, 2017", "vor 3 Tagen"])
def test_an_invalid_date_is_reported_and_its_paper_is_read(listing, date):
    papers, problems = listing(BLOCKS.replace("Oct 10, 2017", date))
    assert dates(papers)[0] == "None"
    assert papers[1].title == "Mélange-δ for Small Machines"
    assert [problem.line for problem in problems] == [19] and date in problems[0].reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("Daily Papers\n\nDec 11\n", "no papers"),
        ("Dear reader,\n\nthis is a letter, and it has no title. Yours.\n", "not a listing"),
        ("<!DOCTYPE html>\n<html><body>Daily</body></html>\n", "HTML"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "not text"),
        ("A Title\nAn abstract.\n".encode("utf-16-le"), "UTF-16"),
    ],
)
def test_an_invalid_listing_gets_one_clear_message(listing, content, reason):
    papers, (problem,) = listing(content)
    assert not papers and reason in problem.reason


@pytest.mark.parametrize(
    ("account", "name"),
    [("nvidia", "NVIDIA"), ("zai-org", "Z.ai"), ("", "Allen Institute"), ("HKU", "Hong Kong U")],
)
def test_an_organization_is_freed_of_its_account_s_name(listing, account, name):
    papers, problems = listing(BLOCKS.replace("PotteryAI Pottery AI", f"{account} {name}".strip()))
    assert not problems
    assert papers[1].organization == name


words = st.text("abcxyzABCé∂-", min_size=2, max_size=9).filter(
    lambda word: word.strip("-") and word.casefold() not in {"daily", "new", "subscribe"}
)
titles = st.lists(words, min_size=2, max_size=4).map(" ".join)
abstracts = st.lists(titles, min_size=2, max_size=3).map(". ".join).map("In {}.".format)
bylines = st.none() | st.tuples(
    st.integers(1, 4000), st.dates().map(lambda day: day.replace(year=max(day.year, 1000)))
)
listings = st.lists(st.tuples(titles, abstracts, bylines), min_size=1, max_size=5)
newline = st.sampled_from(["\n", "\r\n"])


def in_blocks(papers) -> str:
    text = BLOCKS[: BLOCKS.index("KilnCache")]
    for title, abstract, byline in papers:
        text += f"{title}\n\n{abstract}\n\n"
        if byline:
            count, date = byline
            text += f"  • {count} authors\n·\n{date:%b} {date.day}, {date.year}\n\n"
    return text


def bare(papers) -> str:
    lines = [text for title, abstract, _ in papers for text in (title, abstract)]
    return "Get trending papers in your email inbox!\nSubscribe" + "\n".join(lines)


one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("written", [in_blocks, bare])
@one_folder
@given(listings, newline)
def test_any_listing_reads_back(listing, written, papers, line_end):
    found, problems = listing(written(papers).replace("\n", line_end))
    assert not problems
    assert [(paper.title, paper.abstract) for paper in found] == [each[:2] for each in papers]
    for paper, (_, _, byline) in zip(found, papers, strict=True):
        count, date = byline if byline and written is in_blocks else (None, None)
        assert paper.author_count == count
        assert str(paper.published) == str(date)


@one_folder
@given(st.integers(0, len(BLOCKS.encode())))
def test_a_listing_cut_anywhere_loses_only_what_is_cut(listing, end):
    found, _ = listing(BLOCKS.encode()[:end])
    whole = BLOCKS.encode()[:end].decode(errors="ignore").count("\n\n  • ")
    assert len(found) >= whole
    assert all(BLOCKS.find(paper.title) >= 0 for paper in found)


def test_real_listings_have_titles_dates_and_organizations(shared: Path):
    documents, problems = find([shared / "seeds"])
    assert not problems
    records = defaultdict(list)
    for each in (each for one in documents for each in read(one.path, one.name)):
        assert isinstance(each, Paper), each
        records[each.id].append(each)
    papers = {each.title: each for each in map(merge, records.values())}
    files = [len({source.file for source in paper.sources}) for paper in papers.values()]
    assert (len(papers), sum(count > 1 for count in files)) == (212, 50)
    gold = (shared / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["title"] for line in gold} <= papers.keys()
    dates = [paper.published for paper in papers.values() if paper.published]
    assert len(dates) == 127
    assert all(date.year and date.month and date.day for date in dates)
    organizations = {paper.organization for paper in papers.values()} - {None}
    assert organizations == {"Reactive AI", "Zyphra", "Tongyi-MAI"}
