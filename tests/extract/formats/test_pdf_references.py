"""PDF: lists of references, whose entries are told apart by where their lines begin."""

from pathlib import Path

import pytest

from stemma.extract.formats.paper_text import printed_title
from stemma.schema import Reference
from tests.support.pdf_page import LEFT, WORDS, Page, cited, read_pages, sections, titled

STYLES = {
    "ACL": """
    Tom A. Birch, Bob E. Dogwood, and Cy / Elm. 2018. Reading long pages with sparse trees.
        / In Trees, pages 1-2.
    Deb Fir. 2016. Sorting without comparing. / Preprint, arXiv:1601.00001.
    Gil van Hazel et al. 2017. Kilns at scale: / A survey. Clay, 3(1).
    """,
    "initials first": """
    T. A. Birch, B. E. Dogwood, and C. Elm. Reading / long pages with sparse trees. In Trees, 2018.
    D. Fir. Sorting without comparing. arXiv preprint / arXiv:1601.00001, 2016.
    G. van Hazel, I. Ivy, et al. Kilns at scale: A / survey. Clay, 3(1), 2017.
    """,
    "last name first": """
    Birch, T. A., Dogwood, B. E., and Elm, C. Reading
        / long pages with sparse trees. In Trees, 2018.
    Fir, D. Sorting without comparing. arXiv preprint / arXiv:1601.00001, 2016.
    van Hazel, Gil and Ivy, Ian B. Kilns at scale: A / survey. Clay, 3(1), 2017.
    """,
    "year in brackets": """
    Birch, T. A., Dogwood, B. E., & Elm, C. (2018).
        / Reading long pages with sparse trees. Trees, 4.
    Fir, D. (2016). Sorting without comparing. / arXiv:1601.00001.
    van Hazel, G. (2017). Kilns at scale: A survey. / Clay, 3(1).
    """,
    "letters last": """
    · Birch TA, Dogwood BE, Elm C (2018). Reading / long pages with sparse trees. Trees, 4.
    · Fir D (2016). Sorting without comparing. / arXiv:1601.00001.
    · van Hazel G (2017). Kilns at scale: A survey. / Clay, 3(1).
    """,
}
"""Entries of a list, whose lines are divided by slashes."""
REFERENCES = {
    Reference(None, "Reading long pages with sparse trees"),
    Reference("arxiv:1601.00001", "Sorting without comparing"),
    Reference(None, "Kilns at scale: A survey"),
}


def entries(style: str) -> list[list[str]]:
    rows = STYLES[style].replace("\n        /", " /").strip().splitlines()
    return [row.strip().split(" / ") for row in rows]


CITING = "We build on Birch et al. (2018) and on others (Fir, 2016; van Hazel et al., 2017)."


def introduced(said: str = CITING) -> Page:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    return page.line(said)


@pytest.mark.parametrize("style", STYLES)
def test_author_year_references(tmp_path: Path, style: str) -> None:
    page = introduced().line("References", 12)
    for entry in entries(style):
        page.hanging(entry)
    page.gap(30).line("A Proofs", 12).line("Clay is hard, as all know since 1900.")
    paper = read_pages(tmp_path, page)
    assert set(paper.references) == REFERENCES
    assert {title for _, title in cited(paper)} == {reference.title for reference in REFERENCES}


def test_a_column_may_begin_within_an_entry(tmp_path: Path) -> None:
    """Also if no entry begins in it, and if one of its lines alone is indented."""
    first, *others = entries("ACL")
    page = introduced().line("References", 12).hanging(first[:1]).line("10", 8, x=300)
    second = Page().lines(first[1:], x=LEFT + 12)
    for entry in others:
        second.hanging(entry)
    third = Page().lines(("Jo Kiwi. 2015. Heat that is kept for very long, and",), x=LEFT)
    fourth = Page().lines(("what it does. In Pots,", "pages 3-4. Clay Press."), x=LEFT + 12)
    paper = read_pages(tmp_path, page, second, third, fourth)
    assert set(paper.references) == {
        *REFERENCES,
        Reference(None, "Heat that is kept for very long, and what it does"),
    }


def test_entries_without_indents_are_told_apart_by_gaps(tmp_path: Path) -> None:
    page = introduced().line("References", 12)
    for entry in entries("ACL"):
        page.lines(entry).gap(6)
    assert set(read_pages(tmp_path, page).references) == REFERENCES


def test_lines_of_figures_are_no_references(tmp_path: Path) -> None:
    page = introduced().line("References", 12)
    for entry in entries("ACL"):
        page.hanging(entry)
    page.gap(30).line("Affiliation:").line("Clay, Kiln University, since 1999")
    page.line("0.5", x=LEFT + 100).line("Figure 3: Heat", x=LEFT).line("clay", x=LEFT)
    assert set(read_pages(tmp_path, page).references) == REFERENCES


def test_works_that_are_cited_alike_are_not_resolved(tmp_path: Path) -> None:
    page = introduced("We build on Oven (Sand, 2020) and on Glaze (Loam, 2019).")
    page.line("References", 12)
    page.hanging(("Sand, A. Oven: Baking clay with little", "heat. In Kilns, 2020."))
    page.hanging(("Sand, Z. Wheel: Turning clay without", "hands. In Kilns, 2020."))
    page.hanging(("Loam, C. Glaze: Colours that last", "very long. In Kilns, 2019."))
    paper = read_pages(tmp_path, page)
    assert cited(paper) == [("Loam, 2019", "Glaze: Colours that last very long")]
    assert len(paper.references) == 3


def test_letters_after_years(tmp_path: Path) -> None:
    page = introduced(
        "We build on Oven (Sand et al., 2020a) as Sand and Pot (2020b) did; not (Nobody, 2019)."
    )
    page.line("References", 12)
    page.hanging(("Sand, A., Pot, B., and Cup, C. Oven: Baking", "clay. In Kilns, 2020a."))
    page.hanging(("Sand, A. and Pot, B. Wheel: Turning without", "hands. Clay, 3(1), 2020b."))
    assert cited(read_pages(tmp_path, page)) == [
        ("Sand et al., 2020a", "Oven: Baking clay"),
        ("2020b", "Wheel: Turning without hands"),
    ]


@pytest.mark.parametrize(
    ("labels", "marks"),
    [
        (("[1]", "[2]", "[3]"), ["1", "2", "3"]),
        (("1.", "2.", "3."), ["1", "2", "3"]),
        (("(1)", "(2)", "(3)"), ["1", "2", "3"]),
        (("[BDE18]", "[Fir16]", "[Ha+17]"), ["BDE18", "Fir16", "Ha+17"]),
    ],
)
def test_numbered_and_labelled_references(tmp_path, labels, marks):
    page = introduced("We build on [{}] and [{}, {}].".format(*marks)).line("References", 12)
    for label, (first, *others) in zip(labels, entries("initials first"), strict=True):
        page.hanging((f"{label} {first}", *others))
    # A number that does not continue the list is no item.
    page.line("1. This step of the proof is on another page.", x=LEFT + 12)
    paper = read_pages(tmp_path, page)
    assert set(paper.references) == REFERENCES
    assert [mark for mark, _ in cited(paper)] == marks


def test_raised_citations(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    page.raised("We build on Oven", "1", " and on the Wheel of Sand.")
    page.raised("It is older than Glaze", "2,3", ", and as old as clay.")
    page.raised("The Shard", "3", " is of 1900.").raised("So is Oven", "1", ".")
    page.line("References", 12).line("1. A. Sand. Oven: Baking clay with little heat. Kilns, 2020.")
    page.line("2. B. Pot. Glaze: Colours that last. Pots, 2019.")
    page.line("3. D. Mud. Shard: What is left of pots. Pots, 2018.")
    citations = cited(read_pages(tmp_path, page))
    assert [mark for mark, _ in citations] == ["1", "2", "3", "3", "1"]
    assert citations[0][1] == "Oven: Baking clay with little heat"


def test_a_list_of_references_without_a_heading(tmp_path: Path) -> None:
    page = introduced("We build on Oven [1], on Glaze [2] and on Shard [3].")
    page.line("Clay is old.").gap(30)
    page.line("[1] A. Sand, and B. Pot, Oven: Baking clay with little heat, in Kilns (2020).", 8)
    page.line("[2] B. Pot, Glaze: Colours that last for long, in Pots (2019).", 8)
    page.line("[3] D. Mud, Shard: What is left of pots, in Pots (2018).", 8)
    paper = read_pages(tmp_path, page)
    assert cited(paper) == [
        ("1", "Oven: Baking clay with little heat"),
        ("2", "Glaze: Colours that last for long"),
        ("3", "Shard: What is left of pots"),
    ]
    assert sections(paper)[-1][1].endswith("Clay is old.")


@pytest.mark.parametrize(
    "printed",
    [
        "Sand A, Pot BC. Oven baking clay. J Kilns. 2020;3(1):1-2.",
        "A. Sand, W.-t. Pot, and H. Wu. Oven baking clay. In Kilns, 2020.",
        "Sand, A. B., C. Pot, and D. Mill, Oven baking clay, J. Clay, 2, 9, 1999.",
        "Sand, A.B., C. Pot, 1998. Oven baking clay. Oxford.",
        "Sand, A., & Pot, B. (2019). Oven baking clay. Kilns, 3, 1.",
        "Ann B. Sand, C Dee Pot, and Ed Li. Oven baking clay, 2020. URL https://clay.org.",
        "A. Sand, B. Pot, Oven baking clay, in Kilns (2020).",
        "Sand, A., Pot, B.: Oven baking clay. In: Kilns (2020).",
        "A. Sand and B. Pot, “Oven baking clay,” Kilns, 2020.",
        "ClayTeam. Oven baking clay, 2024. URL https://clay.org.",
        "Oven baking clay. https://clay.org, 2019.",
        "Oven baking clay - https://clay.org, 2019.",
        "Sand, A. , Pot, B. , and Li, R. (2019), Oven baking clay. Kilns, 3.",
        "Sand, A. and Pot, B. (2020) ‘Oven baking clay’, in Ovens. Clay Society, pp. 1–9.",
    ],
)
def test_titles_of_printed_references(printed: str) -> None:
    assert printed_title(printed) == "Oven baking clay"


@pytest.mark.parametrize(
    "printed",
    [
        "A. Sand, and B. Pot: J. Phys. Soc. Jpn. 70 (2001) 3475.",
        "Sand A., Pot B., 2013, Kilns, 431, 12",
        "Sand, A., B. Pot, C",
    ],
)
def test_a_reference_without_a_title_has_none(printed: str) -> None:
    assert printed_title(printed) is None
