"""PDF: what is read by where it stands on the page, and by how it looks."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from stemma.extract.formats import read
from stemma.extract.formats.bibliography import printed_title
from stemma.schema import FullText, Paper, Problem

LEFT, TOP = 60, 760
WORDS = (
    "We present Kiln, which fires clay on one card of a workstation that has no more memory.",
    "It is faster than Oven, because the heat of the last pot is kept for the one that follows.",
    "In our kiln, a pot is ready in an hour, and the clay is as hard as it is from any other.",
)
WHO = ("Potters", "Smiths", "Bakers", "Weavers", "Tanners", "Brewers", "Masons", "Millers", "Dyers")
TEXT = tuple(f"{who} of the valley did their work by hand, as all others did." for who in WHO)


class Page:
    """The text of a page: lines from the top, or text at a place."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._y = TOP

    def line(self, text: str, size: float = 10, font: str = "R", x: float = LEFT) -> "Page":
        self._y -= round(1.2 * size)
        return self.at(x, self._y, text, size, font)

    def lines(self, texts: Iterable[str], size: float = 10, x: float = LEFT) -> "Page":
        for text in texts:
            self.line(text, size, x=x)
        return self

    def gap(self, size: int = 12) -> "Page":
        self._y -= size
        return self

    def top(self) -> "Page":
        """Go on at the top, as a second column does."""
        self._y = TOP
        return self

    def foot(self) -> "Page":
        self._y = 120
        return self

    def raised(self, before: str, mark: str, after: str, size: float = 10) -> "Page":
        """Write a line with a small mark above it; letters are Courier's, all equally wide."""
        self._y -= round(1.2 * size)
        wide = 0.6 * size
        self.at(LEFT, self._y, before, size, "C")
        end = LEFT + wide * len(before)
        self.at(end, self._y + 4, mark, 6, "C")
        return self.at(end + 3.6 * len(mark), self._y, after, size, "C")

    def at(
        self, x: float, y: float, text: str, size: float, font: str = "R", turned: bool = False
    ) -> "Page":
        shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        place = f"0 1 -1 0 {x} {y}" if turned else f"1 0 0 1 {x} {y}"
        self._parts.append(f"BT /{font} {size} Tf {place} Tm ({shown}) Tj ET")
        return self

    def content(self) -> str:
        return "\n".join(self._parts)


def pdf(pages: Sequence[Page]) -> bytes:
    count = len(pages)
    kids = " ".join(f"{6 + 2 * i} 0 R" for i in range(count))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {count}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
    ]
    for i, page in enumerate(pages):
        content = page.content()
        objects += [
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</R 3 0 R/B 4 0 R"
            f"/C 5 0 R>>>>/Contents {7 + 2 * i} 0 R>>",
            f"<</Length {len(content)}>>stream\n{content}\nendstream",
        ]
    body = "".join(f"{i} 0 obj{each}\nendobj\n" for i, each in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>\n%%EOF".encode("latin-1")


def read_pages(tmp_path: Path, *pages: Page) -> Paper:
    (tmp_path / "paper.pdf").write_bytes(pdf(pages))
    *problems, paper = read(tmp_path / "paper.pdf", "paper.pdf")
    assert isinstance(paper, Paper), paper
    assert not any(isinstance(each, Problem) and each.skipped for each in problems)
    return paper


def sections(paper: Paper) -> list[tuple[str, str]]:
    assert isinstance(paper.full_text, FullText)
    return [(each.heading, each.text) for each in paper.full_text.sections]


def cited(paper: Paper) -> list[tuple[str, str | None]]:
    assert isinstance(paper.full_text, FullText)
    return [
        (section.text[each.start : each.end], each.reference.title)
        for section in paper.full_text.sections
        for each in section.citations
    ]


def titled() -> Page:
    return Page().line("Kiln: Firing Clay", 20).line("on One Card", 20).gap()


@pytest.mark.parametrize(
    "what",
    [
        "introduction",
        "key words",
        "CCS concepts",
        "smaller",
        "narrower",
        "heading of the same look",
    ],
)
def test_an_abstract_without_a_heading(tmp_path: Path, what: str) -> None:
    page = titled().line("Ann Sand, Bo Pot", 12).line("University of Clay, ann@clay.org").gap()
    page.lines(WORDS, 8 if what == "smaller" else 10, 100 if what == "narrower" else LEFT).gap()
    if what == "introduction":
        page.line("1 Introduction", 12)
    if what == "key words":
        page.line("Keywords: clay, kilns")
    if what == "CCS concepts":
        page.line("CCS Concepts: Applied computing")
    if what == "heading of the same look":
        page.line("What Clay Is", 12, "B")
    page.lines(f"{each} It is much wider than what stands above it on this page." for each in TEXT)
    page.gap().line("Conclusion", 12, "B").lines(TEXT[:3])
    paper = read_pages(tmp_path, page)
    assert paper.title == "Kiln: Firing Clay on One Card"
    assert paper.abstract == " ".join(WORDS)


def test_text_that_looks_as_the_rest_is_no_abstract(tmp_path: Path) -> None:
    page = titled().line("Ann Sand, Bo Pot", 12).gap().lines([*WORDS, *TEXT])
    assert not read_pages(tmp_path, page).abstract


def test_an_abstract_ends_where_a_heading_looks_like_its_own_kind(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12, "B").lines(WORDS).gap()
    page.line("What Clay Is", 12, "B").lines(TEXT).line("Conclusion", 12, "B").lines(TEXT[:2])
    paper = read_pages(tmp_path, page)
    assert paper.abstract == " ".join(WORDS)
    assert [heading for heading, _ in sections(paper)] == ["What Clay Is", "Conclusion"]


def test_headings_without_numbers_are_found_by_their_look(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12, "B").lines(WORDS)
    page.line("Introduction", 12, "B").lines(TEXT[:2])
    page.line("The Kiln and", 12, "B").line("Its Chimney", 12, "B").lines(TEXT[2:4])
    page.line("Conclusion", 12, "B").lines(TEXT[4:6])
    assert sections(read_pages(tmp_path, page)) == [
        ("Introduction", " ".join(TEXT[:2])),
        ("The Kiln and Its Chimney", " ".join(TEXT[2:4])),
        ("Conclusion", " ".join(TEXT[4:6])),
    ]


def test_footnotes_are_left_out(tmp_path: Path) -> None:
    first = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    first.lines(TEXT[:8]).raised("Clay from the hill", "2", " is red, and clay from the river is")
    first.foot().line("2 There are two hills.", 7).line("Permission to copy is granted.", 7)
    second = Page().lines(TEXT)
    text = dict(sections(read_pages(tmp_path, first, second)))["Introduction"]
    assert text == " ".join(
        [*TEXT[:8], "Clay from the hill is red, and clay from the river is", *TEXT]
    )


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
    found = sections(read_pages(tmp_path, first, second, third))
    assert found == [
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


def test_sizes_are_those_on_the_page(tmp_path: Path) -> None:
    page = Page()
    for y, size, text in (
        (700, 20, "Kiln: Firing Clay"),
        (660, 12, "Ann Sand"),
        (640, 12, "Abstract"),
    ):
        page._parts.append(f"BT /R 1 Tf {size} 0 0 {size} 60 {y} Tm ({text}) Tj ET")
    paper = read_pages(tmp_path, page.at(60, 620, WORDS[0], 10).at(60, 600, "1 Introduction", 12))
    assert (paper.title, paper.abstract) == ("Kiln: Firing Clay", WORDS[0])


@pytest.mark.parametrize("mark", ["*", "1", "a)"])
def test_a_title_has_no_mark_of_a_footnote(tmp_path: Path, mark: str) -> None:
    page = Page().at(60, 700, "Kiln: Firing Clay", 20, "C")
    page.at(60 + 12 * len("Kiln: Firing Clay"), 708, mark, 11, "C")
    page.at(60, 660, "Abstract", 12).at(60, 640, WORDS[0], 10)
    assert read_pages(tmp_path, page).title == "Kiln: Firing Clay"


def test_ligatures_of_fonts_that_do_not_name_them(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12)
    page.line("We \x1cre clay e\x1eciently \x15 o\x1b the \x1dames \x10in\x11 the kiln.", 10)
    page.line("1 Introduction", 12)
    assert (
        read_pages(tmp_path, page).abstract
        == "We fire clay efficiently – off the flames “in” the kiln."
    )


def test_raised_digits_after_a_number_are_an_exponent(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).raised("We fire 10", "6", " pots of clay.")
    page.raised("They hold 2", "10", "x as much.").line("1 Introduction", 12)
    assert (
        read_pages(tmp_path, page).abstract == "We fire 10^6 pots of clay. They hold 2^10x as much."
    )


def test_a_cover_without_text_is_no_page(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12).lines(TEXT)
    paper = read_pages(tmp_path, Page(), page)
    assert (paper.title, paper.abstract) == ("Kiln: Firing Clay on One Card", " ".join(WORDS))


REFERENCES = (
    ("Sand, A., Pot, B., and Cup, C. Oven: Baking", "clay with little heat. In Kilns, 2020a."),
    ("Sand, A. and Pot, B. Wheel: Turning without", "hands. Journal of Clay, 3(1), 2020b."),
    ("Cy van Loam. 2019. Glaze: Colours that last.", "In Proceedings of Pots, pages 1-2."),
    ("Deb Mud and Ed Silt. Shard: What is left of", "pots. arXiv preprint arXiv:1901.00001, 2019."),
)


def test_citations_by_author_and_year(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    page.line("We build on Oven (Sand et al., 2020a; van Loam, 2019) as Sand and Pot (2020b) did.")
    page.line("Mud & Silt (2019) differ; so does (Nobody, 2019).").line("References", 12)
    for first, second in REFERENCES:
        page.line(first).line(second, x=LEFT + 12)
    page.gap(30).line("A More Clay", 12).line("We thank Cy van Loam (2019).")
    paper = read_pages(tmp_path, page)
    titles = {
        "oven": "Oven: Baking clay with little heat",
        "wheel": "Wheel: Turning without hands",
        "glaze": "Glaze: Colours that last",
        "shard": "Shard: What is left of pots",
    }
    assert sorted(each.title or "" for each in paper.references) == sorted(titles.values())
    assert cited(paper) == [
        ("Sand et al., 2020a", titles["oven"]),
        ("van Loam, 2019", titles["glaze"]),
        ("2020b", titles["wheel"]),
        ("2019", titles["shard"]),
    ]


def test_works_that_are_cited_alike_are_not_resolved(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    page.line("We build on Oven (Sand, 2020) and on Glaze (Loam, 2019).").line("References", 12)
    page.line("Sand, A. Oven: Baking clay with little", x=LEFT).line("heat. In Kilns, 2020.", x=72)
    page.line("Sand, Z. Wheel: Turning clay without", x=LEFT).line("hands. In Kilns, 2020.", x=72)
    page.line("Loam, C. Glaze: Colours that last", x=LEFT).line("very long. In Kilns, 2019.", x=72)
    paper = read_pages(tmp_path, page)
    assert cited(paper) == [("Loam, 2019", "Glaze: Colours that last very long")]


def test_raised_citations(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    page.raised("We build on Oven", "1", " and on the Wheel of Sand.")
    page.raised("It is older than Glaze", "2,3", ", and as old as clay.")
    page.raised("The Shard", "3", " is of 1900.").raised("So is Oven", "1", ".")
    page.line("References", 12).line("1. A. Sand. Oven: Baking clay with little heat. Kilns, 2020.")
    page.line("2. B. Pot. Glaze: Colours that last. Pots, 2019.")
    page.line("3. D. Mud. Shard: What is left of pots. Pots, 2018.")
    found = cited(read_pages(tmp_path, page))
    assert [mark for mark, _ in found] == ["1", "2", "3", "3", "1"]
    assert found[0][1] == "Oven: Baking clay with little heat"


@pytest.mark.parametrize(
    "printed",
    [
        "Sand A, Pot BC. Oven baking clay. J Kilns. 2020;3(1):1-2.",
        "Sand A, Pot B, et al. Oven baking clay. J Kilns. 2020;3(1):1-2.",
        "A. Sand et al. Oven baking clay. arXiv:2104.07857v2.",
        "A. Sand, B. Pot. Oven baking clay. In Kilns, 2020.",
        "Sand, A., & Pot, B. (2019). Oven baking clay. Kilns, 3, 1.",
        "Sand, A. and Pot, B. Oven baking clay. In Kilns, 2020.",
        "Ann Sand and Bo Pot. 2020. Oven baking clay. In Kilns.",
        "A. Sand, B. Pot, Oven baking clay, in Kilns (2020).",
        "Sand, A., Pot, B.: Oven baking clay. In: Kilns (2020).",
        "A. Sand and B. Pot, “Oven baking clay,” Kilns, 2020.",
    ],
)
def test_titles_of_printed_references(printed: str) -> None:
    assert printed_title(printed) == "Oven baking clay"


def test_a_list_of_references_without_a_heading(tmp_path: Path) -> None:
    page = titled().line("Abstract", 12).lines(WORDS).line("1 Introduction", 12)
    page.line("We build on Oven [1], on Glaze [2] and on Shard [3].").lines(TEXT).gap(30)
    page.line("[1] A. Sand, and B. Pot, Oven: Baking clay with little heat, in Kilns (2020).", 8)
    page.line("[2] B. Pot, Glaze: Colours that last for long, in Pots (2019).", 8)
    page.line("[3] D. Mud, Shard: What is left of pots, in Pots (2018).", 8)
    paper = read_pages(tmp_path, page)
    assert cited(paper) == [
        ("1", "Oven: Baking clay with little heat"),
        ("2", "Glaze: Colours that last for long"),
        ("3", "Shard: What is left of pots"),
    ]
    assert sections(paper)[-1][1].endswith(TEXT[-1])
