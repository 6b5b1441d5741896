"""Sections and tables of LaTeX source, with their citations marked; no table within a table."""

import re
from collections.abc import Callable, Iterator

from stemma.extract.formats.body import (
    INTRODUCTION,
    LEAST_UNHEADED,
    MOST_CHARACTERS,
    Cell,
    Citations,
    PaperTable,
    without_marks,
)
from stemma.extract.formats.latex_macros import arguments, balanced

_TABLE = re.compile(r"\\begin\s*\{((?:wrap|sideways|long)?table\*?)\}")
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
_SECTION = re.compile(
    r"\\(section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]{0,300}\])?\{"
)
_LEVELS = {"section": 0, "subsection": 1, "subsubsection": 2, "paragraph": 3}
_END = re.compile(
    r"\\(?:appendix\b|bibliography\b|printbibliography\b|end\s*\{document\})|"
    r"\\begin\s*\{thebibliography\}"
)
_CITED = re.compile(
    r"~?\\(?:no)?(?:text|paren|auto|foot)?cite(?:t|p|alt|alp|author|year|yearpar|s)?\*?\s*"
    r"(?:\[[^\[\]]{0,300}\]\s*){0,2}\{([^{}]{1,5000})\}",
    re.I,
)
_FLOAT = re.compile(
    r"\\(begin|end)\s*\{(figure|table|wrapfigure|wraptable|algorithm|algorithmic|equation|align|"
    r"tikzpicture|tabular|lstlisting|verbatim|gather|eqnarray|multline)\*?\}"
)
_FRONT = re.compile(r"\\maketitle\b|\\end\s*\{(?:abstract|document)\}")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_LONGEST_SOURCE = 3 * MOST_CHARACTERS
"""Characters of source that are looked at: it has commands and figures beside the text."""
_LONGEST_PARAGRAPH = 50_000
_LONGEST_HEADING = 2001


def latex_tables(source: str, plain: Callable[[str], str]) -> Iterator[PaperTable]:
    """Yield the tables of a source without comments; `plain` decodes LaTeX and marks citations."""
    at = 0
    while found := _TABLE.search(source, at):
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


def with_marked_citations(text: str, citations: Citations) -> str:
    """Return LaTeX with marks in place of its commands that cite."""
    return _CITED.sub(lambda found: citations.marked(found[1]), without_marks(text))


def latex_sections(
    source: str, plain: Callable[[str], str], citations: Citations
) -> Iterator[tuple[list[str], str]]:
    """Yield the sections of a source without comments; `plain` decodes LaTeX."""

    def text(part: str) -> str:
        marked = with_marked_citations(part, citations)
        return "\n\n".join(
            plain(each) for each in _PARAGRAPH.split(marked) if len(each) <= _LONGEST_PARAGRAPH
        )

    source = _without_floats(source)
    heads = list(_SECTION.finditer(source))
    outer: dict[int, str] = {}
    if heads and (front := list(_FRONT.finditer(source, 0, heads[0].start()))):
        before = text(source[front[-1].end() : heads[0].start()][:_LONGEST_PARAGRAPH])
        if len(before) > LEAST_UNHEADED:
            outer[0] = INTRODUCTION
            yield [INTRODUCTION], before
    for i, head in enumerate(heads):
        end = heads[i + 1].start() if i + 1 < len(heads) else len(source)
        last = _END.search(source, head.end(), end)
        title = balanced(source, head.end() - 1, _LONGEST_HEADING)
        start = head.end() if title is None else head.end() + len(title) + 1
        level = _LEVELS[head[1]]
        outer = {n: heading for n, heading in outer.items() if n < level}
        outer[level] = plain(title or "")
        stop = min(last.start() if last else end, start + _LONGEST_SOURCE)
        yield [heading for _, heading in sorted(outer.items())], text(source[start:stop])
        if last:
            return


def _without_floats(text: str) -> str:
    """Leave out figures, tables, formulas on lines of their own, and code.

    A beginning without its end, as definitions have it, is none.
    """
    marks = list(_FLOAT.finditer(text))
    ends: dict[str, list[int]] = {}
    for found in reversed(marks):
        if found[1] == "end":
            ends.setdefault(found[2], []).append(found.end())
    parts, end = list[str](), 0
    for found in marks:
        if found.start() < end or found[1] == "end":
            continue
        after = ends.get(found[2], [])
        while after and after[-1] < found.end():
            after.pop()
        if after:
            parts.append(text[end : found.start()])
            end = after[-1]
    return " ".join([*parts, text[end:]])
