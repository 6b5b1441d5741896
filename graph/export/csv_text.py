"""CSV (RFC 4180) of which spreadsheets execute nothing: papers may have any text as their title."""

import csv
from collections.abc import Iterable
from io import StringIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The beginnings of cells that spreadsheets take for formulas; the wide signs in East Asia."""


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; a text that a spreadsheet would execute begins with an apostrophe."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    is_formula = isinstance(value, str) and value.startswith(_FORMULA)
    return f"'{value}" if is_formula else value
