"""Bodies: what readers find of a paper beside its abstract: sections of known kinds, and tables.

Of a table, the caption is on a line, and each row on a line of its own.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from stemma.extract.formats.document import storable
from stemma.schema import Citation, Field, FullText, Reference, Section

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
        """Return the table with all its texts changed by a function."""
        rows = [[each._replace(text=change(each.text)) for each in row] for row in self.rows]
        return PaperTable(change(self.caption), rows)

    def marked(self) -> str:
        """Return the table as paragraphs of a marked text, "" if it has no two columns and rows.

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


MOST_CHARACTERS = 600_000
"""Of a paper, that are read; a long thesis has about as many."""
INTRODUCTION, LEAST_UNHEADED = "Introduction", 500
"""What a text of more characters is that stands before the first heading."""
APPENDIX = "Appendix"
"""What headings of appendices are under."""
_MOST_SECTIONS = 500
_MOST_TABLES = 100
_MOST_CITATIONS = 5000
"""Of a section."""
_LONGEST_HEADING = 300
_OPEN, _KEY_END, _CLOSE = "\ue000", "\ue001", "\ue002"
_MARK = re.compile(
    f"{_OPEN}([^{_OPEN}{_KEY_END}{_CLOSE}]*){_KEY_END}([^{_OPEN}{_KEY_END}{_CLOSE}]*){_CLOSE}"
)
_SIGNS = re.compile(f"[{_OPEN}{_KEY_END}{_CLOSE}]")
_NUMBER = re.compile(r"^(?:(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.):]?\s+)?", re.ASCII)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_KINDS = tuple(
    (kind, re.compile(rf"\b(?:{words})", re.I))
    for kind, words in (
        (
            Field.RELATED_WORK,
            "related|prior (?:work|art)|previous work|background|preliminar|literature",
        ),
        (Field.INTRODUCTION, "introduction|motivation"),
        (Field.EXPERIMENTS, "experiment|evaluat|result|ablation|benchmark|measurement|case stud"),
        (
            Field.CONCLUSION,
            r"^(?:[\w-]{1,30} (?:and|&) )?(?:conclu|discussion|limitation|summary|outlook|closing)|"
            r"future (?:work|research|direction)|(?:broader|societal|social) impact",
        ),
        (
            Field.METHOD,
            "method|approach|design|architecture|implementation|algorithm|proposed|overview|"
            "technique|system|framework|models?$|our model",
        ),
    )
)
_LEFT_OUT = re.compile(
    r"acknowledge?ment|references\b|bibliograph|authors?$|author contribution|funding|"
    r"ethic|competing interest|conflicts? of interest|availability|checklist|abstract\b|contents$|"
    r"key ?words|index terms",
    re.I,
)
_CONCLUDES = re.compile(r"[^\n]{0,40}\bconclu", re.I)
_BEHIND = re.compile(r"appendi|supplement", re.I)
_LETTERED = re.compile(r"[A-Z](?:\.\d{1,2}){0,3}[.:)]?\s+\S")
_LAST = (Field.CONCLUSION, Field.RELATED_WORK)
"""What may follow the conclusion and is no appendix."""


def mark(key: str, text: str) -> str:
    """Return an in-text citation, by the key of its reference, as it is in a marked text."""
    return f"{_OPEN}{without_marks(key)}{_KEY_END}{without_marks(text)}{_CLOSE}"


def without_marks(text: str) -> str:
    """Return a text of a file without the characters that marks are made of."""
    return _SIGNS.sub("", text)


def unmarked(text: str) -> str:
    """Return a marked text as it is shown."""
    return _SIGNS.sub("", _MARK.sub(r"\2", text))


def marked_citation(keys: str, numbers: dict[str, int]) -> str:
    """Return the citation of some works, with commas between their keys, as marks.

    `numbers` are those of the works that were cited before, to which these are added.
    """
    cited = filter(None, map(str.strip, keys.split(",")))
    marks = (mark(key, str(numbers.setdefault(key, len(numbers) + 1))) for key in cited)
    return f" [{', '.join(marks)}]"


@dataclass(slots=True)
class Body:
    """The sections of a paper: for each the headings that it is under, and a marked text.

    They are read when they are asked for. `references` are by the keys of marks.
    """

    sections: Iterable[tuple[Sequence[str], str]] = ()
    references: Mapping[str, Reference] = field(default_factory=dict)
    tables: Iterable[PaperTable] = ()
    cut: bool = False
    """Whether there was more than is read."""

    def read(self) -> FullText | None:
        """Return the sections that have a text; None where there are none."""
        sections: list[Section] = []
        room = MOST_CHARACTERS
        for kind, heading, marked in self._sections():
            if room <= 0 or len(sections) == _MOST_SECTIONS:
                self.cut = True
                break
            self.cut |= len(marked) > room
            text, citations = self._plain(_beginning(marked, room))
            if text:
                title = " ".join(storable(_SIGNS.sub("", heading)).split())
                sections.append(Section(kind, title[:_LONGEST_HEADING], text, tuple(citations)))
                room -= len(text)
        for table in islice(self.tables, _MOST_TABLES):
            text, citations = self._plain(table.marked())
            if text and len(text) <= room:
                heading = text.partition("\n")[0][:_LONGEST_HEADING]
                sections.append(Section(Field.TABLE, heading, text, tuple(citations)))
                room -= len(text)
        return FullText.of(tuple(sections))

    def _sections(self) -> Iterator[tuple[Field, str, str]]:
        """Yield kind, heading and marked text of the sections that are read.

        What no heading tells is told by the order: between introduction and experiments is the
        method, called by the name of what the paper presents; after the conclusion are appendices.
        """
        before, ended = set[Field](), False
        for headings, marked in self.sections:
            kind, bare = kind_of(headings), [*map(_bare, headings)]
            if any(map(_LEFT_OUT.match, bare)):
                continue
            is_middle = before and Field.EXPERIMENTS not in before
            behind, ends = any(map(_BEHIND.match, bare)), any(map(_CONCLUDES.match, bare))
            if ended and (kind not in _LAST or _LETTERED.match(headings[-1].strip(" #*"))):
                kind = Field.OTHER
            elif kind is Field.OTHER and is_middle and not behind:
                kind = Field.METHOD
            ended |= behind or ends
            before.add(kind)
            yield kind, headings[-1] if headings else "", marked

    def _plain(self, marked: str) -> tuple[str, list[Citation]]:
        """Return a text with its paragraphs on a line each, and its citations."""
        lines = (" ".join(each.split()) for each in _PARAGRAPH.split(storable(marked)))
        text = "\n".join(filter(None, lines))
        parts, citations, length, end = list[str](), list[Citation](), 0, 0
        for match in _MARK.finditer(text):
            before = _SIGNS.sub("", text[end : match.start()])
            parts += [before, match[2]]
            length += len(before)
            if len(citations) < _MOST_CITATIONS and (
                (reference := self.references.get(match[1])) and (reference.id or reference.title)
            ):
                citations.append(Citation(length, length + len(match[2]), reference))
            length += len(match[2])
            end = match.end()
        return "".join([*parts, _SIGNS.sub("", text[end:])]), citations


def under_headings(sections: Iterable[tuple[int, str, str]]) -> Iterator[tuple[list[str], str]]:
    """Yield the texts of sections, each with the headings that it is under, the outermost first.

    A section has the level of its heading, which is higher for those within another, the heading
    and a text.
    """
    outer: dict[int, str] = {}
    for level, heading, text in sections:
        outer = {above: title for above, title in outer.items() if above < level}
        outer[level] = heading
        yield list(outer.values()), text


def _beginning(marked: str, longest: int) -> str:
    """Return how a marked text begins, in so many characters at most, and no part of a mark."""
    begin = marked[:longest]
    last = begin.rfind(_OPEN)
    return begin[:last] if last > begin.rfind(_CLOSE) else begin


def kind_of(headings: Sequence[str]) -> Field:
    """Return the kind of a section by its headings, of which the outer ones come first.

    The first with a known kind counts; but related work within another section is related work.
    """
    kinds = [_kind(_bare(heading)) for heading in headings]
    if kinds and kinds[-1] is Field.RELATED_WORK:
        return Field.RELATED_WORK
    return next((each for each in kinds if each is not Field.OTHER), Field.OTHER)


def _kind(heading: str) -> Field:
    return next((kind for kind, words in _KINDS if words.search(heading)), Field.OTHER)


def _bare(heading: str) -> str:
    """Return a heading without its number."""
    heading = heading[:_LONGEST_HEADING].strip(" #*:.")
    return _NUMBER.sub("", heading, count=1)
