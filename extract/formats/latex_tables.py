"""Tables of LaTeX source, as far as they are plain: no table within a table."""

import re
from collections.abc import Callable, Iterator

from stemma.extract.formats.latex_macros import arguments, balanced
from stemma.extract.formats.table_text import Cell, PaperTable

_FLOAT = re.compile(r"\\begin\s*\{((?:wrap|sideways|long)?table\*?)\}")
_TABULAR = re.compile(r"\\begin\s*\{(tabular[xy*]?|longtable|NiceTabular\*?)\}")
_ROW_END = re.compile(r"\\\\\*?(?:\s*\[[^\]\n]{0,20}\])?|\\tabularnewline\b")
_RULES = re.compile(
    r"\\(?:(?:top|mid|bottom|h)(?:rule|line)\b|(?:cmid|c)(?:rule|line)\b\s*(?:\([lr]*\))?\s*\{[^{}]*\}|"
    r"addlinespace\b(?:\s*\[[^\]]*\])?|(?:row|cell|column)color\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|"
    r"specialrule\s*(?:\{[^{}]*\}\s*){3}|end(?:first)?(?:head|foot)\b|centering\b|small\b|"
    r"footnotesize\b|scriptsize\b|tiny\b|bf\b|bfseries\b)(?:\s*\[[^\]\n]{0,20}\])?"
)
_SPAN = re.compile(r"\\(multicolumn|multirow)\s*(?:\[[^\]]*\]\s*)?\{\s*(-?\d{1,3}|\*)\s*\}")
_CELL_END = re.compile(r"(?<!\\)&")
_SIGNS = (
    (re.compile(r"\\pm\b|\\textpm\b"), "±"),
    (re.compile(r"\\times\b|\\texttimes\b"), "×"),
    (re.compile(r"\\uparrow\b"), "↑"),
    (re.compile(r"\\downarrow\b"), "↓"),
    (re.compile(r"\\(?:mathbf|boldsymbol|bm|mathrm|underline|uline)\b"), r"\\textbf"),
    (re.compile(r"(?<!\\)\$"), ""),
)
_LONGEST = 100_000
"""Characters of a table that is read."""


def latex_tables(source: str, plain: Callable[[str], str]) -> Iterator[PaperTable]:
    """Yield the tables of a source without comments; `plain` decodes LaTeX and marks citations."""
    at = 0
    while found := _FLOAT.search(source, at):
        last = f"\\end{{{found[1]}}}"
        end = source.find(last, found.end())
        if end < 0:
            return
        at = end
        text = source[found.start() : end + len(last)]  # A longtable is both in one.
        if len(text) <= _LONGEST:
            caption = plain(next(arguments(text, r"caption\*?"), ""))
            for rows in _tabulars(text, plain):
                yield PaperTable(caption, rows)


def _tabulars(text: str, plain: Callable[[str], str]) -> Iterator[list[list[Cell]]]:
    at = 0
    while found := _TABULAR.search(text, at):
        end = text.find(f"\\end{{{found[1]}}}", found.end())
        inner = text[found.end() : end] if end >= 0 else ""
        at = found.end()
        if end < 0 or _TABULAR.search(inner):
            continue
        at = end
        inner = _without_columns(inner)
        rows = (_RULES.sub(" ", row) for row in _ROW_END.split(inner))
        cells = [[_cell(cell, plain) for cell in _CELL_END.split(row)] for row in rows]
        yield _without_blanks_below([row for row in cells if any(each.text for each in row)])


def _without_blanks_below(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Leave out the empty cells that LaTeX has below a cell that spans several rows."""
    for number, row in enumerate(rows):
        for place, cell in reversed([*enumerate(row)]):
            for below in rows[number + 1 : number + cell.rows]:
                if place < len(below) and not below[place].text:
                    del below[place]
    return rows


def _without_columns(text: str) -> str:
    """Leave out what says how wide a table is and what its columns look like."""
    start = 0
    while found := re.compile(r"\s*(?:\[[^\]]{0,50}\]\s*)?(?=\{)").match(text, start):
        group = balanced(text, found.end())
        if group is None or "&" in group:
            break
        start = found.end() + len(group) + 2
    return text[start:]


def _cell(text: str, plain: Callable[[str], str]) -> Cell:
    columns = rows = 1
    while found := _SPAN.match(text := text.strip()):
        number = abs(int(found[2])) if found[2] != "*" else 1
        if found[1] == "multicolumn":
            columns = max(number, 1)
        else:
            rows = max(number, 1)
        style = re.compile(r"\s*(?:\[[^\]]*\]\s*)?(?=\{)").match(text, found.end())
        looks = balanced(text, style.end()) if style else None
        if style is None or looks is None:
            break
        text = text[style.end() + len(looks) + 2 :].strip()
        if text.startswith("{") and (own := balanced(text, 0)) is not None:
            text = own + text[len(own) + 2 :]
    for sign, character in _SIGNS:
        text = sign.sub(character, text)
    return Cell(plain(text).strip(), columns, rows)
