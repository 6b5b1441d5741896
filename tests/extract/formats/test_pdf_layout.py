"""PDF: what is read by where it stands on the page, and by how it looks."""

from pathlib import Path

import pytest

from tests.support.pdf_page import LEFT, TOP, WORDS, Page, read_pages, sections, titled

WHO = ("Potters", "Smiths", "Bakers", "Weavers", "Tanners", "Brewers", "Masons", "Millers", "Dyers")
TEXT = tuple(f"{who} of the valley did their work by hand, as all others did." for who in WHO)


@pytest.mark.parametrize(
    ("size", "x", "heading"),
    [
        (10, LEFT, ("1 Introduction", 12)),
        (10, LEFT, ("Keywords: clay, kilns",)),
        (10, LEFT, ("What Clay Is", 12, "B")),
        (8, LEFT, ()),
        (10, 100, ()),
    ],
    ids=["introduction", "key words", "heading of the same look", "smaller", "narrower"],
)
def test_an_abstract_without_a_heading(tmp_path, size, x, heading):
    page = titled().line("Ann Sand, Bo Pot", 12).line("University of Clay, ann@clay.org").gap()
    page.lines(WORDS, size, x).gap()
    if heading:
        page.line(*heading)
    page.lines(f"{each} It is much wider than what stands above it on this page." for each in TEXT)
    page.gap().line("Conclusion", 12, "B").lines(TEXT[:3])
    paper = read_pages(tmp_path, page)
    assert paper.title == "Kiln: Firing Clay on One Card"
    assert paper.abstract == " ".join(WORDS)


def test_text_that_looks_as_the_rest_is_no_abstract(tmp_path: Path) -> None:
    page = titled().line("Ann Sand, Bo Pot", 12).gap().lines([*WORDS, *TEXT])
    page.gap().lines(TEXT).gap().line("1 Introduction", 12).lines(TEXT[:3])
    assert not read_pages(tmp_path, page).abstract


def test_headings_without_numbers_are_found_by_their_look(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12, "B").lines(WORDS).gap()
    page.line("What Clay Is", 12, "B").lines(TEXT[:2])
    page.line("The Kiln and", 12, "B").line("Its Chimney", 12, "B").lines(TEXT[2:4])
    paper = read_pages(tmp_path, page.line("Conclusion", 12, "B").lines(TEXT[4:6]))
    assert paper.abstract == " ".join(WORDS)
    assert sections(paper) == [
        ("What Clay Is", " ".join(TEXT[:2])),
        ("The Kiln and Its Chimney", " ".join(TEXT[2:4])),
        ("Conclusion", " ".join(TEXT[4:6])),
    ]


def test_footnotes_and_labels_of_figures_are_left_out(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    first.lines(TEXT[:8]).raised("Clay from the hill", "2", " is red, and clay from the river is")
    first.foot().line("2 There are two hills.", 7).line("Permission to copy is granted.", 7)
    second = Page().lines(TEXT).gap().line("0 20 40", 7).line("Oven", 7).line("30")
    second.line("(a) The clay of the hill and the heat.", 8).line("Figure 1: Heat").lines(TEXT)
    text = dict(sections(read_pages(tmp_path, first, second)))["Introduction"]
    red = "Clay from the hill is red, and clay from the river is"
    assert text == " ".join([*TEXT[:8], red, *TEXT, "Figure 1: Heat", *TEXT])


def test_a_table_in_small_letters_at_the_foot_is_no_footnote(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12).lines(TEXT[:8])
    second = Page().lines(TEXT[:8]).gap().line("Table 1: What is fired.", 10).gap()
    for row in ("Clay 1 2", "Loam 3 4"):
        second.line(row, 8)
    paper = read_pages(tmp_path, first, second.line("1 It is red clay.", 8))
    assert paper.full_text is not None
    text, table = paper.full_text.sections
    assert "Loam | 3 | 4" in table.text and "red clay" not in text.text


def test_appendices_before_the_references_begin_with_letters(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12).lines(TEXT[:4])
    first.line("2 Conclusion", 12).lines(TEXT[:2])
    second = Page().line("A Kilns", 12).lines(TEXT[2:4]).line("B. Fuel", 12).lines(TEXT[4:5])
    assert sections(read_pages(tmp_path, first, second))[1:] == [
        ("Conclusion", " ".join(TEXT[:2])),
        ("Kilns", " ".join(TEXT[2:4])),
        ("Fuel", TEXT[4]),
    ]


def test_a_table_of_contents_has_no_headings(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).gap()
    first.line("1 Introduction . . . . 2").line("2 Kilns . . . . . 2").line("3 Conclusion . . . 2")
    second = Page().line("1 Introduction", 12).lines(TEXT[:2]).line("2 Kilns", 12).lines(TEXT[2:4])
    second.line("3 Conclusion", 12).lines(TEXT[4:5])
    assert sections(read_pages(tmp_path, first, second)) == [
        ("Introduction", " ".join(TEXT[:2])),
        ("Kilns", " ".join(TEXT[2:4])),
        ("Conclusion", TEXT[4]),
    ]


def test_running_heads_with_numbers_of_pages(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12).lines(TEXT[:8])
    second = Page().line("2 Ann Sand", 9).gap().lines(TEXT[:6])
    third = Page().line("Kiln: Firing Clay 3", 9).gap().lines(TEXT[:3]).line("2 Kilns", 12)
    third.lines(TEXT[3:5])
    headings = sections(read_pages(tmp_path, first, second, third))
    assert headings == [
        ("Introduction", " ".join([*TEXT[:8], *TEXT[:6], *TEXT[:3]])),
        ("Kilns", " ".join(TEXT[3:5])),
    ]


def test_line_numbers_of_versions_for_review(tmp_path: Path) -> None:
    page = Page()
    lines = [
        *(("Kiln: Firing Clay", 20), ("on One Card", 20), ("Abstract", 12)),
        *((each, 10) for each in WORDS),
        ("1 Introduction", 12),
        *((each, 10) for each in TEXT),
    ]
    y = float(TOP)
    for number, (text, size) in enumerate(lines, 1):
        y -= 1.5 * size
        page.at(30, y, str(number), 5).at(LEFT, y, text, size)
    paper = read_pages(tmp_path, page)
    assert (paper.title, paper.abstract) == ("Kiln: Firing Clay on One Card", " ".join(WORDS))
    assert sections(paper) == [("Introduction", " ".join(TEXT))]


def test_what_is_turned_is_no_text_but_may_be_a_stamp(tmp_path: Path) -> None:
    page = Page().at(20, 200, "arXiv:2403.01234v2 [cs.DC] 14 Mar 2024", 20, turned=True)
    page.line("Kiln: Firing Clay", 18).line("Abstract", 12).lines(WORDS)
    page.at(300, 300, "DRAFT", 60, turned=True).line("1 Introduction", 12).lines(TEXT)
    paper = read_pages(tmp_path, page)
    assert (paper.title, paper.abstract) == ("Kiln: Firing Clay", " ".join(WORDS))
    assert paper.arxiv_id == "2403.01234v2"


def ligatures(page: Page) -> None:
    page.line("We \x1cre clay e\x1eciently \x15 o\x1b the \x1dames \x10in\x11 the kiln.")


def exponents(page: Page) -> None:
    page.raised("We fire 10", "6", " pots of clay.").raised("They hold 2", "10", "x as much.")


def formulas(page: Page) -> None:
    page.line("We call the heat x and the clay y.")
    page.line("A", font="M").beside("is the heat.", LEFT + 20)


def accents(page: Page) -> None:
    page.line("We fire Rene's clay.", font="C").beside("´", LEFT + 6 * len("We fire Ren"), font="C")


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (ligatures, "We fire clay efficiently – off the flames “in” the kiln."),
        (exponents, "We fire 10^6 pots of clay. They hold 2^10x as much."),
        (formulas, "We call the heat x and the clay y. x is the heat."),
        (accents, "We fire René's clay."),
    ],
)
def test_letters_that_fonts_do_not_name_or_that_stand_apart(tmp_path, write, read):
    page = titled().line("Abstract", 12)
    write(page)
    assert read_pages(tmp_path, page.line("1 Introduction", 12)).abstract == read


def test_sections_with_roman_numbers(tmp_path: Path) -> None:
    page = titled().line("Abstract-We fire clay.").line("I. INTRODUCTION", 12).line("Clay is old.")
    page.line("II. RELATED WORK", 12).line("Wheels turn.").line("IV. TABLE")
    assert sections(read_pages(tmp_path, page)) == [
        ("INTRODUCTION", "Clay is old."),
        ("RELATED WORK", "Wheels turn. IV. TABLE"),
    ]


def test_numbered_headings_of_no_usual_name(tmp_path: Path) -> None:
    page = titled().line("1 The Kiln", 12).lines(TEXT[:2]).line("2 Pots are fired in an hour")
    page.line("1.1 Heat. It is measured by hand").line("2 kiln-fire", 12).lines(TEXT[2:4])
    page.line("3 What is missed:", 12).line("4 Pots", 12).lines(TEXT[4:5])
    assert sections(read_pages(tmp_path, page)) == [
        ("The Kiln", f"{' '.join(TEXT[:2])} 2 Pots are fired in an hour"),
        ("Heat", "It is measured by hand"),
        ("kiln-fire", f"{' '.join(TEXT[2:4])} 3 What is missed:"),
        ("Pots", TEXT[4]),
    ]
