"""PDFs made of lines of text at their places, as papers have them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from stemma.extract.formats import read
from stemma.schema import Paper, Problem

LEFT, TOP = 60, 760
WORDS = (
    "We present Kiln, which fires clay on one card of a workstation that has no more memory.",
    "It is faster than Oven, because the heat of the last pot is kept for the one that follows.",
    "In our kiln, a pot is ready in an hour, and the clay is as hard as it is from any other.",
)
"""An abstract."""
_FORMULAS = (
    "/CIDInit/ProcSet findresource begin 12 dict begin begincmap /CMapName/M def\n"
    "1 begincodespacerange <00><FF> endcodespacerange\n"
    "1 beginbfchar <41> <D835DC65> endbfchar endcmap end end"
)
"""The letter A is the italic x of formulas, which has two halves in UTF-16."""


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

    def hanging(self, entry: Sequence[str], x: float = LEFT, size: float = 10) -> "Page":
        """Write an entry of a list of references, whose other lines are indented."""
        for i, text in enumerate(entry):
            self.line(text, size, x=x + 12 * bool(i))
        return self

    def beside(self, text: str, x: float, size: float = 10, font: str = "R") -> "Page":
        """Write on the last line, at another place."""
        return self.at(x, self._y, text, size, font)

    def mark(self, text: str, x: float) -> "Page":
        """Write small letters above the last line, at a place."""
        return self.at(x, self._y + 4, text, 6)

    def gap(self, size: int = 12) -> "Page":
        self._y -= size
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


def page_of(*lines: tuple[int, str]) -> Page:
    """Return a page of lines, each after its size."""
    page = Page()
    for size, text in lines:
        page.line(text, size)
    return page


def pdf(pages: Sequence[Page], trailer: str = "", **metadata: str) -> bytes:
    """Return a PDF in the fonts R (Helvetica), B (bold), C (Courier) and M (formulas).

    `metadata` has values by their names, such as Title, as they are; so is more of the trailer.
    """
    count = len(pages)
    kids = " ".join(f"{9 + 2 * i} 0 R" for i in range(count))
    stated = "".join(f"/{name}({value})" for name, value in metadata.items())
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {count}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Italic/ToUnicode 7 0 R>>",
        f"<</Length {len(_FORMULAS)}>>stream\n{_FORMULAS}\nendstream",
        f"<<{stated}>>",
    ]
    for i, page in enumerate(pages):
        content = page.content()
        objects += [
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</R 3 0 R/B 4 0 R"
            f"/C 5 0 R/M 6 0 R>>>>/Contents {10 + 2 * i} 0 R>>",
            f"<</Length {len(content)}>>stream\n{content}\nendstream",
        ]
    body = "".join(f"{i} 0 obj{each}\nendobj\n" for i, each in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Info 8 0 R{trailer}>>\n%%EOF".encode("latin-1")


def read_pages(tmp_path: Path, *pages: Page, **metadata: str) -> Paper:
    """Read the paper in a PDF of these pages."""
    (tmp_path / "paper.pdf").write_bytes(pdf(pages, **metadata))
    *problems, paper = read(tmp_path / "paper.pdf", "paper.pdf")
    assert isinstance(paper, Paper), paper
    assert not any(isinstance(problem, Problem) and problem.skipped for problem in problems)
    return paper


def sections(paper: Paper) -> list[tuple[str, str]]:
    """Return the headings and texts of sections."""
    return [(section.heading, section.text) for section in paper.full_text.sections]


def cited(paper: Paper) -> list[tuple[str, str | None]]:
    """Return what cites in the sections, with the title of the cited work."""
    return [
        (section.text[citation.start : citation.end], citation.reference.title)
        for section in paper.full_text.sections
        for citation in section.citations
    ]


def titled() -> Page:
    """Return a page that begins with a title on two lines."""
    return Page().line("Kiln: Firing Clay", 20).line("on One Card", 20).gap()
