"""Tables of a PDF, of which PDFium gives no cells: the first words of a line are the name of a row,
and figures at its end are the cells of the other columns.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from stemma.extract.formats.body import EMPTY_CELL, Cell, PaperTable
from stemma.extract.formats.paper_text import joined
from stemma.extract.formats.pdf_rows import SAME_SIZE, Row

_CAPTION = re.compile(r"Table\s+(?:\d+|[IVX]+)\s*(?:[:|]|\.\s*\S)", re.I)
_FIGURE = re.compile(
    r"\(?(?!(?:19|20)\d\d[a-z]?\))[-+–−~<>≈↑↓]?\$?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:%|[×xkKMBGT]|ms|s)?(?:[±+/-][\d.]+%?)?\)?[*†‡∗]{0,2}|[-–—−]|N/A|OOM"
)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_MOST_WORDS = 7
"""Of the name of a row."""
_LONGEST_CAPTION = 12
"""Lines of a caption."""
_SPACING = 1.6
"""The largest distance of lines of a caption, in sizes of letters."""
_NEAR = 4
"""Lines between a caption and its table, such as headings."""
_BETWEEN = 2
"""Lines between two rows of figures that are no row, such as a name of a group."""
_LEAST_ROWS = 2


def is_caption(text: str) -> bool:
    """Return whether a line begins the caption of a table."""
    return bool(_CAPTION.match(text))


def end_of_figures(rows: Sequence[Row]) -> int:
    """Return the number of the line behind the last row of figures, 0 if there is none."""
    return max((i + 1 for i, each in enumerate(rows) if _line(each.text)), default=0)


def without_tables(rows: Sequence[Row]) -> tuple[list[Row], list[PaperTable]]:
    """Return the lines of a page that are in none of its tables, and the tables."""
    read = [_line(row.text) for row in rows]
    captions = {
        i: caption_end(rows, read, i) for i, each in enumerate(rows) if is_caption(each.text)
    }
    barred = {i for first, end in captions.items() for i in range(first, end)}
    tables = list[PaperTable]()
    taken = set[int]()
    for first, behind in captions.items():
        block = _block(read, first, behind, barred | taken)
        if not block:
            continue
        # Where no gap is between caption and table, the last line is that of the headings.
        end = behind - 1 if block[0] == behind > first + 1 else behind
        body = [read[i] for i in block]
        width = max(map(len, body))
        above = range(end, block[0]) if first < block[0] else range(block[0] - 1, block[0])
        lines = [rows[i].text.split() for i in above if i >= 0 and i not in taken]
        heading = _heading(lines, width)
        cells = [[Cell(joined(each)) for each in row] for row in (heading, *body)]
        caption = " ".join(rows[i].text for i in range(first, end))
        tables.append(PaperTable(joined(caption), cells))
        taken.update(range(block[0], block[-1] + 1))
    return [each for i, each in enumerate(rows) if i not in taken], tables


def caption_end(rows: Sequence[Row], read: Sequence[Sequence[str]], first: int) -> int:
    """Return the number of the first line behind a caption."""
    end = first + 1
    while end < min(len(rows), first + _LONGEST_CAPTION) and not read[end]:
        before, row = rows[end - 1], rows[end]
        near = 0 < before.base - row.base <= _SPACING * row.size
        if not near or abs(before.size - row.size) > SAME_SIZE or is_caption(row.text):
            break
        end += 1
    return end


def _heading(lines: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the headings of columns, of which the last line above a table may have a word each.

    Where no line has, which column its words are above is not known.
    """
    exact = [line for line in lines if len(line) == width - 1]
    if exact:
        start = lines.index(exact[0])
        named = takewhile(lambda each: len(each) == width - 1, lines[start:])
        return ["", *(" ".join(words) for words in zip(*named, strict=True))]
    last = list(lines[-1]) if lines else []
    return last if len(last) == width else [" ".join(last) or EMPTY_CELL, *[""] * (width - 1)]


def _block(read: Sequence[Sequence[str]], first: int, end: int, barred: set[int]) -> list[int]:
    """Return the rows of figures below a caption, or else above it."""
    for lines in (range(end, len(read)), range(first - 1, -1, -1)):
        found, gap = list[int](), 0
        for i in lines:
            if i in barred or gap > (_BETWEEN if found else _NEAR):
                break
            gap = 0 if read[i] else gap + 1
            if read[i]:
                found.append(i)
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
