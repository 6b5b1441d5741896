"""The lines of a PDF's page, with their places, sizes and fonts, as PDFium reads them."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple
from unicodedata import normalize

_MOST_CHARACTERS = 30_000
"""How many characters of a page are read."""
SUPERSCRIPT, SUPERSCRIPT_END = "\ue003", "\ue004"
"""Signs around raised text, such as marks of footnotes and citations."""
_LINE = re.compile("\r\n|(?<=\ufffe)")
"""PDFium writes U+FFFE for a hyphen that ends a line, and no line end after it."""
_SIGNS = str.maketrans(
    dict(zip("\x10\x11\x15\x16\x84\x85\x88\ue003\ue004", "“”–—†‡•  ", strict=True))
)
_LIGATURES = str.maketrans(
    {
        **dict(zip("\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
        **dict(zip("\x0b\x0c\r\x0e\x0f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
        **dict(zip("ﬀﬁﬂﬃﬄ", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
    }
)
"""Control characters of TeX's encodings T1, TS1 and OT1, in fonts that do not map them."""
_RAISED = re.compile(
    r"(?<!\d)(?:[\d*∗†‡§¶⋆]{1,6}(?:(?:, ?| )[\d*∗†‡§¶⋆]{1,3}|[–-]\d{1,3}){0,8}|(?<=\w)[a-z]\))"
    r"(?=\W|$|[A-Z])|(?<=\d)\d{1,3}(?!\d)"
)
_RAISED_ON_TOP = re.compile(
    rf"{_RAISED.pattern}|"
    r"(?:(?<=[^\W\d_]{2})|(?<=[^\W\d_]{2} ))[a-z](?:, ?[a-z\d*∗†]){0,4}(?=[\s,]|$)"
)
"""With marks of places of work, which only the first lines of a page may have."""
_TOP_LINES = 25
_NUMBER_BEFORE = re.compile(r"(?<![^\W\d])\d+$")
_LINE_NUMBER = re.compile(r"\d{1,4}(?=[^\S\r\n]|$)")
_LONG_RUN = 12
"""So many consecutive numbers at the beginnings of lines are those of the lines."""
_WORD = re.compile(r"\S+")
_BETWEEN = re.compile(r"(?<=\S) +(?=\S)")
_ANOTHER_LINE = 0.9
"""All distances here are parts of the size of the letters."""
_HYPHEN, _HYPHEN_CODE = "\ufffe", 2
_TWO_CHARACTERS = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff\U00010000-\U0010ffff]")
"""Letters beyond the first plane, as of formulas, of which PDFium hands out the halves."""
_NOTHING = "\u2060"
"""In the place of characters that are part of another: places are those of PDFium's characters."""
_ACCENTS = dict(
    zip(
        "´`ˆ˜¨ˇ˘˙˚¸¯",
        "\u0301\u0300\u0302\u0303\u0308\u030c\u0306\u0307\u030a\u0327\u0304",
        strict=True,
    )
)
_LONG_LINE, _MOST_ACCENTS = 300, 5
"""Of a line: for each, all letters of the line are looked at."""
_ABSENT = re.compile(f" ?{_NOTHING}")
_ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")
_SAMPLES = 5
"""How many letters of a line are asked for their size: each is a call of PDFium."""
_UPRIGHT = 0.1
"""Radians."""
_LONGEST_FONT = 80
_SMALLER, _HIGHER = 0.87, 0.15
_SAME_LINE, _NEAR, _SPACE, _WIDE = 0.4, 0.8, 0.15, 0.7


SAME_SIZE = 0.35
"""In points: letters that differ by less are of one size."""


class Row(NamedTuple):
    """A line of a page: its text, the size and the font of its letters, and its place."""

    text: str
    size: float
    font: str
    left: float
    right: float
    base: float
    upright: bool


class _Character(NamedTuple):
    size: float
    upright: bool
    left: float
    base: float


class PageRows:
    """Reads the lines of a page of text."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as pdfium  # noqa: PLC0415

        self._pdfium, self._opened, self._page = pdfium, page, page.raw
        count = min(page.count_chars(), _MOST_CHARACTERS)
        # PDFium's text of a range lacks some characters, and then places are not known.
        text = _TWO_CHARACTERS.sub(_as_one, "".join(map(self._letter, range(count))))
        self._text = text.translate(_SIGNS)
        self._raised = _RAISED
        self._seen: dict[int, _Character] = {}
        """Each is asked for several times, which takes some calls of PDFium."""
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(_LONGEST_FONT)
        self._numbers = [ctypes.c_double() for _ in range(4)]

    def rows(self, is_front: bool = False) -> list[Row]:
        """Return the lines; those that PDFium divides at a raised mark are joined.

        `is_front` is for pages that may have the title: spaces that are wider than those between
        words are tabs, and letters may be marks.
        """
        found: list[Row] = []
        lines = self._without_line_numbers(self._lines())
        self._text = self._mended(lines, is_front)
        for start, end in (part for line in lines for part in self._parts(*line)):
            self._raised = _RAISED_ON_TOP if is_front and len(found) < _TOP_LINES else _RAISED
            row = self._row(start, end)
            if row and found and (gap := _gap_on_line(found[-1], row)) is not None:
                before = found.pop()
                space, text = " " if gap > _SPACE * before.size else "", row.text
                is_top = self._raised is _RAISED_ON_TOP
                if is_top and _is_above(row, before) and self._raised.fullmatch(text):
                    space, text = "", f"{SUPERSCRIPT}{text}{SUPERSCRIPT_END}"
                row = before._replace(text=f"{before.text}{space}{text}", right=row.right)
            if row:
                found.append(row)
        return found

    def _lines(self) -> list[tuple[int, int]]:
        ends = list(_LINE.finditer(self._text))
        starts = [0, *(end.end() for end in ends)]
        return list(zip(starts, [*(end.start() for end in ends), len(self._text)], strict=True))

    def _mended(self, lines: list[tuple[int, int]], with_gaps: bool) -> str:
        """Return the text with accents on their letters, which TeX may print by themselves."""
        letters: list[str] = []
        for start, end in lines:
            accents = _ACCENT.finditer(self._text, start, end) if end - start < _LONG_LINE else ()
            for accent in islice(accents, _MOST_ACCENTS):
                letters = letters or list(self._text)
                self._put_accent(letters, accent.start(), start, end)
            for space in _BETWEEN.finditer(self._text, start, end) if with_gaps else ():
                gap = self._box(space.end())[0] - self._box(space.start() - 1)[1]
                if gap > _WIDE * self._character(space.end()).size:
                    letters = letters or list(self._text)
                    letters[space.start()] = "\t"
        return "".join(letters) or self._text

    def _put_accent(self, letters: list[str], accent: int, start: int, end: int) -> None:
        """Put an accent on the letter of its line that is under it, if that takes one."""
        left, right = self._box(accent)
        middle = (left + right) / 2
        for i in range(start, end):
            if letters[i].isalpha() and i != accent:
                left, right = self._box(i)
                whole = normalize("NFC", letters[i].replace("ı", "i") + _ACCENTS[letters[accent]])
                if left <= middle <= right and len(whole) == 1:
                    letters[i], letters[accent] = whole, _NOTHING
                    return

    def _without_line_numbers(self, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return lines without the line numbers of versions for review."""
        # By the last number of a run: its lines, and where the numbers of these end.
        runs: dict[int, list[tuple[int, int]]] = {}
        for i, (start, end) in enumerate(lines):
            if number := _LINE_NUMBER.match(self._text, start, end):
                run = runs.pop(int(number[0]) - 1, [])
                run.append((i, number.end()))
                runs[int(number[0])] = run
        lines = lines.copy()
        for run in runs.values():
            (first, _), (last, _) = run[0], run[-1]
            if len(run) >= _LONG_RUN and 2 * len(run) > last - first:
                for i, end in run:
                    lines[i] = end, lines[i][1]
        return lines

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the lines in one line of PDFium, which joins lines after a hyphen."""
        words = list(_WORD.finditer(self._text, start, end))
        if not words:
            return
        bases = (self._character(words[0].start()), self._character(words[-1].start()))
        apart = abs(bases[0].base - bases[1].base) > _ANOTHER_LINE * bases[0].size
        if not apart or not bases[0].upright:
            yield start, end
            return
        before = bases[0]
        for word in words:
            here = self._character(word.start())
            if before.base - here.base > _ANOTHER_LINE * here.size:
                yield start, word.start()
                start = word.start()
            before = here
        yield start, end

    def _row(self, start: int, end: int) -> Row | None:
        places = [i for i in range(start, end) if not self._text[i].isspace()]
        if not places:
            return None
        step = max(1, (len(places) - 1) // (_SAMPLES - 1))
        seen = [self._character(i) for i in {*places[::step], places[-1]}]
        first, middle = self._character(places[0]), self._character(places[len(places) // 2])
        size = sorted(each.size for each in seen)[len(seen) // 2]
        fonts = Counter(self._font(i) for i in places[:: 2 * step])
        base = next((each.base for each in (middle, first) if each.size == size), middle.base)
        text = self._with_raised(start, end, size)
        text = _ABSENT.sub("", text).translate(_LIGATURES).strip(" ")
        upright = sum(each.upright for each in seen) * 2 > len(seen)
        font = fonts.most_common(1)[0][0]
        return Row(text, size, font, first.left, self._box(places[-1])[1], base, upright)

    def _with_raised(self, start: int, end: int, size: float) -> str:
        """Return the text of a line with signs around its raised parts."""
        line = self._text[start:end]
        parts, done = list[str](), 0
        for begin, stop in self._may_be_raised(line, start):
            mark = self._character(start + begin)
            before, after = line[:begin].rstrip(), line[stop:].strip()
            if not before and not after:
                continue
            beside = len(before) - 1 if before else len(line) - len(line[stop:].lstrip())
            other = self._character(start + beside)
            if mark.size <= _SMALLER * size and _is_above(mark, other):
                parts += [line[done:begin].rstrip(), *_shown(before, line[begin:stop])]
                done = stop
        return "".join([*parts, line[done:]])

    def _may_be_raised(self, line: str, start: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of marks, and of the smaller digits that end a number."""
        for match in self._raised.finditer(line):
            begin, end = match.span()
            most = _SMALLER * self._character(start + begin).size
            smaller = end
            while smaller > begin and self._character(start + smaller - 1).size <= most:
                smaller -= 1
            yield smaller if smaller < end else begin, end

    def _letter(self, number: int) -> str:
        code = self._pdfium.FPDFText_GetUnicode(self._page, number)
        return _HYPHEN if code == _HYPHEN_CODE else chr(code) if code else " "

    def _character(self, place: int) -> _Character:
        found = self._seen.get(place)
        if not found:
            found = self._seen[place] = self._looked_at(place)
        return found

    def _looked_at(self, place: int) -> _Character:
        matrix = self._matrix
        x, y, *_ = self._numbers
        if not self._pdfium.FPDFText_GetMatrix(self._page, place, matrix):
            return _Character(0, True, 0, 0)
        size = self._pdfium.FPDFText_GetFontSize(self._page, place)
        size *= math.hypot(matrix.c, matrix.d)
        upright = abs(math.atan2(matrix.b, matrix.a)) < _UPRIGHT
        self._pdfium.FPDFText_GetCharOrigin(self._page, place, x, y)
        return _Character(round(size, 1), upright, x.value, y.value)

    def _box(self, place: int) -> tuple[float, float]:
        """Return the left and the right end of a character."""
        left, right, bottom, top = self._numbers
        self._pdfium.FPDFText_GetCharBox(self._page, place, left, right, bottom, top)
        return left.value, right.value

    def _font(self, place: int) -> str:
        length = self._pdfium.FPDFText_GetFontInfo(
            self._page, place, self._name, _LONGEST_FONT, None
        )
        named = self._name.value if 0 < length <= _LONGEST_FONT else b""
        return named.decode("utf-8", "replace").rpartition("+")[2]


def _is_above(mark: Row | _Character, other: Row | _Character) -> bool:
    """Return whether letters are smaller than others, and stand higher."""
    return mark.size <= _SMALLER * other.size and mark.base >= other.base + _HIGHER * mark.size


def _as_one(letter: re.Match[str]) -> str:
    """Return the plain letter for one of a formula, in two places; a half alone is no letter."""
    code = letter[0].encode("utf-16-le", "surrogatepass")
    whole = code.decode("utf-16-le", "replace")
    plain = normalize("NFKC", whole)
    return (plain if len(plain) == 1 else whole) + _NOTHING * (len(code) // 2 - 1)


def _shown(before: str, mark: str) -> tuple[str, ...]:
    """Return what to write for a raised text: an exponent after a number, else a mark."""
    if _NUMBER_BEFORE.search(before):
        return ("^", mark)
    return (SUPERSCRIPT, mark, SUPERSCRIPT_END)


def _gap_on_line(before: Row, after: Row) -> float | None:
    """Return the gap between two rows if they are parts of one line."""
    gap = after.left - before.right
    low = before.size * _SAME_LINE
    near = -low < gap < before.size * _NEAR
    on_line = before.upright and after.upright and abs(before.base - after.base) < low
    return gap if near and on_line else None
