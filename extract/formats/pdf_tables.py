"""Tables of a PDF: lines that end in figures, beside a caption.

PDFium gives no cells: the first words of a line are the name of a row, and figures at its end are
the cells of the other columns.
"""

import re
from collections.abc import Sequence

from stemma.extract.formats.paper_text import joined
from stemma.extract.formats.pdf_rows import Row
from stemma.extract.formats.table_text import EMPTY_CELL, Cell, PaperTable

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


def without_tables(rows: Sequence[Row]) -> tuple[list[Row], list[PaperTable]]:
    """Return the lines of a page that are in none of its tables, and the tables."""
    read = [_line(each.text) for each in rows]
    captions = [i for i, each in enumerate(rows) if _CAPTION.match(each.text)]
    taken, tables = set[int](), list[PaperTable]()
    for caption in captions:
        block = _block(read, caption, taken)
        if not block:
            continue
        first, last = block[0], block[-1]
        # What is between a caption and the line above its table are further lines of the caption.
        text = " ".join(rows[i].text for i in range(caption, max(caption, first - 2) + 1))
        head = first - 1
        above = rows[head].text if head >= 0 and head != caption and head not in taken else ""
        body = [read[i] for i in block]
        width = max(map(len, body))
        names = above.split()
        if len(names) not in (width - 1, width):  # which column each is above is not known
            names = [above or EMPTY_CELL, *[""] * (width - 1)]
        heading = names if len(names) == width else ["", *names]
        cells = [[Cell(joined(each)) for each in row] for row in (heading, *body)]
        tables.append(PaperTable(joined(text), cells))
        taken.update(range(first, last + 1))
    return [each for i, each in enumerate(rows) if i not in taken], tables


def _block(read: Sequence[Sequence[str]], caption: int, taken: set[int]) -> list[int]:
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


def _line(text: str) -> list[str]:
    """Return the cells of a row of figures: its name, and the figures; nothing of another line."""
    words = text.split()
    at = len(words)
    while at and _FIGURE.fullmatch(words[at - 1]):
        at -= 1
    name = " ".join(words[:at])
    if at == len(words) or at > _MOST_WORDS or not _LETTERS.search(name):
        return []
    return [name, *words[at:]]
