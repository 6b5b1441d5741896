"""Tables of a PDF: lines that end in figures, beside a caption.

PDFium gives no cells: the first words of a line are the name of a row, and figures at its end are
the cells of the other columns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stemma.extract.formats.paper_text import joined
from stemma.extract.formats.pdf_rows import Row
from stemma.extract.formats.table_text import Cell, PaperTable

_CAPTION = re.compile(r"Table\s+(?:\d+|[IVX]+)\s*[.:|]", re.I)
_FIGURE = re.compile(
    r"\(?(?!(?:19|20)\d\d[a-z]?\))[-+–−~<>≈↑↓]?\$?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:%|[×xkKMBGT]|ms|s)?(?:±[\d.]+%?)?\)?[*†‡∗]{0,2}|[-–—−]|N/A|OOM"
)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_MOST_WORDS = 7
"""Of the name of a row."""
_NEAR = 4
"""Lines between a caption and its table, such as headings and further lines of the caption."""
_BETWEEN = 2
"""Lines between two rows of figures that are no row, such as a name of a group."""
_LEAST_ROWS = 2


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    figures: tuple[str, ...]


def without_tables(rows: Sequence[Row]) -> tuple[list[Row], list[PaperTable]]:
    """Return the lines of a page that are in none of its tables, and the tables."""
    read = [_line(each.text) for each in rows]
    captions = [i for i, each in enumerate(rows) if _CAPTION.match(each.text)]
    taken, tables = set[int](), list[PaperTable]()
    for caption in captions:
        block = _block(read, caption, taken)
        if len(block) < _LEAST_ROWS:
            continue
        first, last = block[0], block[-1]
        head = next((i for i in range(first - 1, max(-1, first - _NEAR), -1) if i != caption), None)
        text = rows[caption].text
        if caption < first:  # What is between are further lines of the caption.
            text = " ".join(rows[i].text for i in range(caption, max(caption, first - 2) + 1))
            head = None if head is not None and head < caption else head
        above = rows[head].text if head is not None and head not in taken else ""
        body = [[line.name, *line.figures] for i in block if (line := read[i])]
        width = max(map(len, body))
        names = above.split()
        if len(names) not in (width - 1, width):  # which column each is above is not known
            names = [above or "–", *[""] * (width - 1)]
        heading = names if len(names) == width else ["", *names]
        cells = [[Cell(joined(each)) for each in row] for row in (heading, *body)]
        tables.append(PaperTable(joined(text), cells))
        taken.update(range(first, last + 1))
    return [each for i, each in enumerate(rows) if i not in taken], tables


def _block(read: Sequence[_Line | None], caption: int, taken: set[int]) -> list[int]:
    """Return the rows of figures below a caption, or else above it."""
    for step in (1, -1):
        found, gap = list[int](), 0
        i = caption + step
        while 0 <= i < len(read) and i not in taken and gap <= (_BETWEEN if found else _NEAR):
            if read[i]:
                found.append(i)
                gap = 0
            else:
                gap += 1
            i += step
        if len(found) >= _LEAST_ROWS:
            return sorted(found)
    return []


def _line(text: str) -> _Line | None:
    words = text.split()
    at = len(words)
    while at and _FIGURE.fullmatch(words[at - 1]):
        at -= 1
    name = " ".join(words[:at])
    if at == len(words) or at > _MOST_WORDS or not _LETTERS.search(name):
        return None
    return _Line(name, tuple(words[at:]))
