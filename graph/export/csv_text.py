"""CSV (RFC 4180) of which spreadsheets execute nothing: papers may have any text as their title."""

import csv
from collections.abc import Collection, Iterable, Iterator
from io import StringIO

from stemma.graph.export.graphml import EDGE_ATTRIBUTES, NODE_ATTRIBUTES, Attributes, edges, nodes
from stemma.graph.export.portion import Portion
from stemma.schema.batches import batched

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The beginnings of cells that spreadsheets take for formulas; the wide signs in East Asia."""
_ROWS = 1000


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; a text that a spreadsheet would execute begins with an apostrophe."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    is_formula = isinstance(value, str) and value.startswith(_FORMULA)
    return f"'{value}" if is_formula else value


def tables(portion: Portion) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield nodes and edges as files, by name; a row each, what is not known is empty."""
    columns = [
        attribute for attribute in NODE_ATTRIBUTES if attribute != "abstract" or portion.abstracts
    ]
    yield "nodes.csv", _table(columns, nodes(portion))
    yield "edges.csv", _table(EDGE_ATTRIBUTES, edges(portion))


def _table(columns: Collection[str], rows: Iterator[Attributes]) -> Iterator[bytes]:
    yield csv_text([columns]).encode()
    for some in batched(rows, _ROWS):
        yield csv_text([row.get(column) for column in columns] for row in some).encode()
