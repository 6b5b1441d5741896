"""Tables within papers, as texts: the caption on a line, and each row on a line of its own."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

BETWEEN_CELLS = " | "
EMPTY_CELL = "–"
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_CELL, _LONGEST_CAPTION = 200, 40, 300, 1000


class Cell(NamedTuple):
    """A cell, and the number of columns and rows that it spans."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table with its caption; texts may have citations marked."""

    caption: str
    rows: Sequence[Sequence[Cell]]

    def mapped(self, change: Callable[[str], str]) -> "PaperTable":
        """Return it with all texts changed, as by marking citations."""
        rows = [[each._replace(text=change(each.text)) for each in row] for row in self.rows]
        return PaperTable(change(self.caption), rows)

    def marked(self) -> str:
        """Return it as paragraphs of a marked text; an empty one if it has no two columns and rows.

        A cell that spans several columns or rows is repeated in each.
        """
        grid = _grid(self.rows)
        if len(grid) < 2 or max(map(len, grid)) < 2:
            return ""
        width = max(map(len, grid))
        rows = ([*row, *[""] * (width - len(row))] for row in grid)
        lines = (BETWEEN_CELLS.join(map(_cell, row)) for row in rows)
        caption = " ".join(self.caption.split())[:_LONGEST_CAPTION].replace("|", "/")
        return "\n\n".join(filter(None, (caption, *lines)))


def _cell(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_CELL].replace("|", "/").strip() or EMPTY_CELL


def _grid(rows: Iterable[Sequence[Cell]]) -> list[list[str]]:
    grid: list[list[str]] = []
    held: dict[int, tuple[str, int]] = {}  # by column: what reaches down from above, how far
    for number, row in enumerate(rows):
        if number == _MOST_ROWS:
            break
        line: list[str] = []
        cells = iter(row)
        while len(line) < _MOST_COLUMNS:
            if len(line) in held:
                text, left = held.pop(len(line))
                if left > 1:
                    held[len(line)] = text, left - 1
                line.append(text)
                continue
            cell = next(cells, None)
            if cell is None:
                break
            for _ in range(max(1, min(cell.columns, _MOST_COLUMNS - len(line)))):
                if cell.rows > 1:
                    held[len(line)] = cell.text, cell.rows - 1
                line.append(cell.text)
        if any(each.strip() for each in line):
            grid.append(line)
    return grid
