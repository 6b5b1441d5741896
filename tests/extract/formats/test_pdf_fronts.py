"""PDF: titles, authors and dates of first pages, and what is no paper."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stemma.extract.formats import read
from stemma.schema import Problem
from tests.support.pdf_page import LEFT, WORDS, Page, pdf, read_pages, titled


def with_text(page: Page) -> Page:
    """Add an abstract and a section."""
    page.gap().line("Abstract", 12).lines(WORDS)
    return page.line("1 Introduction", 12).line("Clay is old. Kilns are not.")


def commas(page: Page) -> None:
    page.line("Ann B. Sand, Bo van den Pot and R.X. Li", 12)
    page.line("University of Clay, Sand City, CA 94720, USA").line("{ann,bo}@clay.org")


def wide_gaps(page: Page) -> None:
    page.line("Ann B. Sand", 12).beside("Bo van den Pot", 200, 12).beside("R.X. Li", 330, 12)
    page.line("Clay Research").line("ann@clay.org, bo@clay.org")


def blocks(page: Page) -> None:
    for i, name in enumerate(("Ann B. Sand", "Bo van den Pot", "R.X. Li")):
        page.at(LEFT + 170 * i, 690, name, 10, "B").at(LEFT + 170 * i, 678, "5000 Clay Street", 10)
        page.at(LEFT + 170 * i, 666, "Lyon, France", 10).at(LEFT + 170 * i, 654, "a@clay.org", 10)
    page.gap(80)


def addresses_beside(page: Page) -> None:
    for name in ("Ann B. Sand", "Bo van den Pot", "R.X. Li"):
        page.line(name, 10, "B").beside(f"{name[:2].upper()}@CLAY.ORG", 400)
        page.line("Department of Clay, Sand College")


def capitals(page: Page) -> None:
    page.line("ANN B. SAND, Clay Institute of Sand, USA")
    page.line("BO VAN DEN POT, French Clay and Glaze Commission, France")
    page.line("R.X. LI, The Clay Works, France", 9, "B")


def marks(page: Page) -> None:
    page.line("Ann B. Sand", 12).mark("1,2", 126).beside("Bo van den Pot", 145, 12).mark("2", 231)
    page.line("R.X. Li", 12).mark("2,*", 100)
    page.line("1 Clay Therapeutics").line("2 Sand City")


def letters(page: Page) -> None:
    page.line("Ann B. Sand", 12).mark("a,b", 130).beside(", Bo van den Pot", 142, 12)
    page.line("R.X. Li", 12).mark("b,*", 100)


def signs(page: Page) -> None:
    page.line("Ann B. Sand+#, Bo van den", 12).line("Pot*, R.X. Li$", 12).line("Sand College+")


def contents(page: Page) -> None:
    page.line("ANN B. SAND, BO VAN DEN POT AND R.X. LI", 12).line("Contents", 12)
    page.line("Theoretical Background", 12)


@pytest.mark.parametrize(
    "write",
    [commas, wide_gaps, blocks, addresses_beside, capitals, marks, letters, signs, contents],
)
def test_authors(tmp_path: Path, write: Callable[[Page], None]) -> None:
    page = titled()
    write(page)
    paper = read_pages(tmp_path, with_text(page))
    names = [author.name.replace("Van Den", "van den") for author in paper.authors]
    assert names == ["Ann B. Sand", "Bo van den Pot", "R.X. Li"]


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("Ann B. Sand, Bo Pot, Cy Loam", ["Ann B. Sand", "Bo Pot", "Cy Loam"]),
        ("Ann B. Sand and Nobody Else", ["Ann B. Sand", "Bo Pot"]),
        ("root", ["Ann B. Sand", "Bo Pot"]),
    ],
)
def test_authors_of_the_metadata_count_if_they_are_on_the_page(tmp_path, stated, names):
    page = titled().line("Ann B. Sand, Bo Pot", 12).line("who were helped by Cy Loam.")
    paper = read_pages(tmp_path, with_text(page), Author=stated)
    assert [author.name for author in paper.authors] == names


@pytest.mark.parametrize("line", ["The Clay Team", "Anonymous Authors", "TECHNICAL REPORT"])
def test_a_team_is_an_author(tmp_path: Path, line: str) -> None:
    page = titled().line(line, 12).line("https://clay.org")
    names = [author.name for author in read_pages(tmp_path, with_text(page)).authors]
    assert names == (["The Clay Team"] if "Team" in line else [])


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("June 24, 2022", "", "2022-06-24"),
        ("Published as a conference paper at ICKL 2018", "", "2018"),
        ("", "KILN '19, October 27-30, 2019, Sand City, USA", "2019-10"),
        ("", "Proceedings of Clay, pages 1990-2003. Copyright 2015 by the author(s).", "2015"),
        ("", "Proc. Clay, Vol. 1. Publication date: October 2017.", "2017-10"),
        ("", "KILN '98, Sand City", "1998"),
        ("arXiv:2403.01234v1 [cs.DC] 14 Mar 2024", "", "2024-03-14"),
        ("arXiv:2403.01234v2 [cs.DC] 14 Mar 2025", "Copyright 2025 by the author(s).", "2024-03"),
        ("", "It is older than that of Mud (2013).", "2021"),
    ],
)
def test_dates(tmp_path: Path, above: str, below: str, expected: str) -> None:
    page = Page().line(above, 8) if above else Page()
    page.line("Kiln: Firing Clay on One Card", 20).line("Ann Sand, Bo Pot", 12)
    page = with_text(page).foot().line(below, 8)
    created = {"CreationDate": "D:20210304", "Producer": "pdfTeX"}
    assert str(read_pages(tmp_path, page, **created).sources[0].published) == expected


def test_the_year_in_which_a_pdf_was_made_counts_for_tex_alone(tmp_path: Path) -> None:
    made = {"CreationDate": "D:20210304", "Producer": "A Browser"}
    assert read_pages(tmp_path, with_text(titled()), **made).sources[0].published is None


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("KilnFire: Firing Clayon One Card", "KilnFire: Firing Clay on One Card"),
        ("KilnFire:FiringClay onOne Card", "KilnFire: Firing Clay on One Card"),
        ("KILNFIRE: Firing Clay on One Card", "KILNFIRE: Firing Clay on One Card"),
        ("kiln camera ready final", "KilnFire: Firing Clay on One Card"),
    ],
)
def test_a_stated_title_counts_if_it_is_the_printed_one_and_whole(tmp_path, stated, expected):
    page = with_text(
        Page()
        .line("KPJ Journal of Kilns and Pots", 24)
        .line("KilnFire: Firing Clay", 20)
        .line("on One Card", 20)
    )
    assert read_pages(tmp_path, page, Title=stated).title == expected


def test_a_title_in_small_capitals(tmp_path: Path) -> None:
    """Of the second line, more letters are large ones."""
    page = Page().line("KILNFIRE, AND ALL THE WAYS OF FIRING CLAY", 14).line("ON ONE CARD", 17)
    page.line("Ann Sand, Bo Pot", 10)
    paper = read_pages(tmp_path, with_text(page))
    assert paper.title == "KILNFIRE, AND ALL THE WAYS OF FIRING CLAY ON ONE CARD"


def test_the_cover_page_of_a_repository_is_not_the_title_page(tmp_path: Path) -> None:
    cover = Page().line("This is the version of the authors of a paper in", 24)
    cover.line("Sand, Ann. Kiln: Firing Clay on One Card. Clay, 2020.")
    cover.line("https://doi.org/10.1234/kiln.5").line("0927-0248/Downloaded from Sand", 8)
    paper = read_pages(tmp_path, cover, with_text(titled().line("Ann Sand, Bo Pot", 12)))
    assert (paper.title, paper.doi) == ("Kiln: Firing Clay on One Card", "10.1234/kiln.5")
    assert [author.name for author in paper.authors] == ["Ann Sand", "Bo Pot"]


@pytest.mark.parametrize(
    "foot",
    [
        "\xa9 2020 Clay Press. All rights reserved.",
        "Permission to copy this work for use in classes is granted.",
        "https://doi.org/10.1234/kiln.5",
    ],
)
def test_what_a_publisher_prints_below_an_abstract_is_no_part_of_it(tmp_path, foot):
    first = titled().line("Abstract", 12).lines(WORDS).foot().line(foot).line("Clay 12, 1-9.")
    paper = read_pages(tmp_path, first, Page().line("1 Introduction", 12).line("Clay is old."))
    assert paper.abstract == " ".join(WORDS)


def test_a_figure_below_an_abstract_is_no_part_of_it(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("It is fast.").line("0 10 20", 6)
    first.line("Heat (K)", 6).line("Figure 1: Heat by hour.", 9)
    paper = read_pages(tmp_path, first, Page().line("1 Introduction", 12).line("Clay is old."))
    assert paper.abstract == " ".join([*WORDS, "It is fast."])


def test_a_figure_is_no_paper(tmp_path: Path) -> None:
    figure = Page().line("Heat of Kiln by Hour", 16).line("0 10 20 30").line("hours", 8)
    (tmp_path / "heat.pdf").write_bytes(pdf([figure]))
    (problem,) = read(tmp_path / "heat.pdf", "heat.pdf")
    assert isinstance(problem, Problem)
    assert problem.reason == "no paper: neither an abstract nor sections were found"
