"""Rows for a terminal: a table without empty columns, whose ids and other long words are whole."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text

_BETWEEN = 2
_LEAST = 32
"""Characters in a line of a column with sentences."""
_LONGEST = 200
"""Characters of a word that is kept whole; longer than any id."""


def grid(*columns: Column) -> Table:
    """Return a table without lines; with headers where a column has one."""
    headed = any(column.header for column in columns)
    return Table(*columns, box=None, pad_edge=False, show_header=headed, header_style="dim")


class Rows:
    """Rows with a header for each column.

    Columns without any blank, such as those of ids, have the width that they need. Where a terminal
    has no room for the others beside them, the table is wider than it; or, if the last column
    `may_be_below` the others, a line below each row. To be printed with ``crop=False``.
    """

    def __init__(self, *headers: str, may_be_below: bool = False) -> None:
        self._headers = headers
        self._may_be_below = may_be_below
        self._rows: list[tuple[Text, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, *cells: Text) -> None:
        """Add a row."""
        self._rows.append(cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lay out the rows."""
        columns = [
            (Text(header), *cells)
            for header, *cells in zip(self._headers, *self._rows, strict=True)
            if any(cells)
        ]
        needed = sum(map(_width, columns)) + _BETWEEN * (len(columns) - 1)
        if self._may_be_below and needed > options.max_width:
            yield from _blocks(columns)
            return
        table = grid(*(Column(h, no_wrap=_is_whole(own), overflow="fold") for h, *own in columns))
        for row in list(zip(*columns, strict=True))[1:]:
            table.add_row(*row)
        yield from console.render(table, options.update(width=max(needed, options.max_width)))


def _blocks(columns: list[tuple[Text, ...]]) -> Iterator[RenderableType]:
    for *cells, last in list(zip(*columns, strict=True))[1:]:
        yield Text("  ").join(cell for cell in cells if cell)
        yield Text(" " * _BETWEEN, no_wrap=True, overflow="ignore").append(last)


def _width(column: tuple[Text, ...]) -> int:
    """Return the least width of a column."""
    widest = max(text.cell_len for text in column)
    if _is_whole(column[1:]):
        return widest
    words = (len(word) for text in column for word in text.plain.split())
    return max((min(widest, _LEAST), *(min(word, _LONGEST) for word in words)))


def _is_whole(cells: Sequence[Text]) -> bool:
    """Return whether the cells of a column are words, which are not broken."""
    return all(
        cell.cell_len <= _LONGEST and not any(map(str.isspace, cell.plain)) for cell in cells
    )
