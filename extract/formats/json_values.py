"""The values of a JSON array, or of values one after the other, read one by one."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from stemma.extract.formats.document import Document
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long

LISTS = (
    *("papers", "results", "data", "items", "records", "works", "entries", "articles"),
    *("publications", "collection", "docs", "hits", "hit", "entry"),
)
"""What services call the list of papers in an answer."""
WRAPPED = re.compile(
    r'\s*\{(?:(?:(?!"title")[^\[\]]){0,4000}?[,{])?\s*'
    rf'"(?:{"|".join(LISTS)}|resultList"\s*:\s*\{{\s*"result)"\s*:\s*\['
)
"""How an object begins that is nothing but a list of papers and metadata of the list."""
_PORTION = 1 << 16
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_OBJECT = re.compile(r'\{(?=\s*")')
_MOST_DIGITS = 40
_NEAR = 64
"""Characters before the end that may read differently once more of the text is there."""
_MOST_LEVELS = 10_000
"""Levels of arrays in one another, of which a file of papers has two."""
_DEEP = 500
"""Characters after which a value with too many levels has fewer, but not few."""


def json_values(
    lines: Iterable[Line[str] | Problem], document: Document, longest: int
) -> Iterator[Problem | tuple[int, object]]:
    """Yield each value with its line, or what is wrong with it; those over `longest` are skipped.

    After a mistake it goes on at the next object with a title and an abstract.
    """
    return _Values(lines, document, longest).read()


def bounded_integer(digits: str) -> int | str:
    """Return an integer; the beginning of one with more digits than any in a record, as text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}…"


class _TooLongError(Exception):
    """A value goes on for longer than is read."""


class _Values:
    """Holds the stretch of the text in which the next value is; `_at` is where that begins."""

    def __init__(
        self, lines: Iterable[Line[str] | Problem], document: Document, longest: int
    ) -> None:
        self._problems: list[Problem] = []
        self._portions = self._cut(lines)
        self._document, self._longest = document, longest
        self._decoder = json.JSONDecoder(parse_int=bounded_integer)
        self._text, self._at = "", 0
        self._ended = False
        """Whether the end of an array has been passed."""
        self._level = 0
        """How many arrays have begun and not ended."""
        self._line, self._column, self._before = 0, 0, ""
        """Where the text begins, and the last character before it that is not blank."""

    def read(self) -> Iterator[Problem | tuple[int, object]]:
        self._read_on()
        is_array = self._text.lstrip().startswith("[")
        if wrapped := WRAPPED.match(self._text):
            self._at, is_array = wrapped.end(), True
        while self._skip_separators():
            if wrapped and self._ended:
                return
            try:
                value, end = self._decode()
                if end - self._at > self._longest:
                    yield self._problem(too_long(self._longest))
                else:
                    yield self._line_here(), value
                if isinstance(value, str) and "{" in value:
                    # A stray quote made a text of what stands up to the next one.
                    self._go_to_next_record()
                else:
                    self._at = end
            except (_TooLongError, ValueError, RecursionError) as error:
                yield self._failure(error)
                if not self._go_to_next_record():
                    is_array = False
            yield from self._problems
            self._problems.clear()
        yield from self._problems
        if self._level > _MOST_LEVELS:
            yield self._problem(
                f"arrays in more than {_MOST_LEVELS:,} levels: the rest is not read"
            )
        elif is_array and self._before != "]":
            yield Problem(self._document.name, self._line_here(), "the array is truncated")

    def _decode(self) -> tuple[object, int]:
        """Return the value that begins here, and where it ends."""
        while True:
            try:
                return self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self._text) - _NEAR
                if not cut and not error.msg.startswith("Unterminated string"):
                    raise
                if len(self._text) - self._at > self._longest:
                    raise _TooLongError from error
                if not self._read_on():
                    raise

    def _skip_separators(self) -> bool:
        """Go to the next value, if there is one within as many arrays as are read."""
        while True:
            if between := _BETWEEN.match(self._text, self._at):
                self._at = between.end()
                self._ended = self._ended or "]" in between[0]
                self._level += between[0].count("[") - between[0].count("]")
            if self._level > _MOST_LEVELS:
                return False
            if self._at < len(self._text):
                return True
            if not self._read_on():
                return False

    def _go_to_next_record(self) -> bool:
        """Go to the next object that reads like a paper, or else to the end."""
        while True:
            if found := _OBJECT.search(self._text, self._at + 1):
                self._at = found.start()
                try:
                    value, _ = self._decode()
                except RecursionError:
                    self._at = min(self._at + _DEEP, len(self._text))
                    continue
                except (_TooLongError, ValueError):
                    continue
                if isinstance(value, dict) and value.keys() >= {"title", "abstract"}:
                    return True
            else:
                self._at = max(self._at, len(self._text) - _NEAR)
                if not self._read_on():
                    self._at = len(self._text)
                    return False

    def _read_on(self) -> bool:
        """Let go of what is done with, and read as much again as is left; False at the end."""
        self._line, self._column = self._line_here(), self._column_of(self._at)
        self._before = self._text[: self._at].rstrip()[-1:] or self._before
        self._text, self._at = self._text[self._at :], 0
        count = max(1, len(self._text) // _PORTION)
        more = "".join(islice(self._portions, count))
        self._text += more
        return bool(more)

    def _cut(self, lines: Iterable[Line[str] | Problem]) -> Iterator[str]:
        """Yield the text in portions, lines with their ends."""
        held: list[str] = []
        size, number = 0, 0
        for line in lines:
            if isinstance(line, Problem):
                self._problems.append(line)
                continue
            number = number or self._begin(line.number)
            text = "\n" * (line.number - number) + line.text + "\n" * line.is_last
            number = line.number + line.is_last
            held.append(text)
            size += len(text)
            if size >= _PORTION:
                whole = "".join(held)
                held, size = [], 0
                for start in range(0, len(whole), _PORTION):
                    yield whole[start : start + _PORTION]
        if held:
            yield "".join(held)

    def _begin(self, line: int) -> int:
        self._line = line
        return line

    def _line_here(self) -> int:
        return self._line + self._text.count("\n", 0, self._at)

    def _column_of(self, position: int) -> int:
        end_of_line = self._text.rfind("\n", 0, position)
        return position + self._column if end_of_line < 0 else position - end_of_line - 1

    def _failure(self, error: Exception) -> Problem:
        if isinstance(error, _TooLongError):
            return self._problem(too_long(self._longest))
        if not isinstance(error, json.JSONDecodeError):
            return self._problem(f"not JSON: {error}")
        # What is missing at the end is missing after the last character.
        position = min(error.pos, len(self._text.rstrip()))
        place = self._line + self._text.count("\n", 0, position)
        reason = f"not JSON: {error.msg} (column {self._column_of(position) + 1})"
        return Problem(self._document.name, place, reason, skipped=True)

    def _problem(self, reason: str) -> Problem:
        return Problem(self._document.name, self._line_here(), reason, skipped=True)
