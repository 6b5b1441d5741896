"""The values of one JSON document, such as an array of papers, read portion by portion."""

import json
import re
from collections.abc import Iterator

from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import portions
from stemma.schema.problem import Problem
from stemma.schema.text_line import too_long

LISTS = ("papers", "results", "data", "items", "records", "works", "entries", "articles")
"""What services call the list of papers in an answer."""
WRAPPED = re.compile(
    r'\s*\{(?:(?:(?!"title")[^\[\]]){0,4000}?[,{])?\s*'
    rf'"(?:{"|".join(LISTS)})"\s*:\s*\['
)
"""How an object begins that is nothing but a list of papers and metadata of the list."""
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_OBJECT = re.compile(r'\{(?=\s*")')
_MOST_DIGITS = 40
_NEAR = 64
"""Characters before the end that may read differently once more of the text is there."""
_DEEP = 500
"""Characters after which a value with too many levels has fewer, but not few."""


def json_values(document: Document, longest: int) -> Iterator[Problem | tuple[int, object]]:
    """Yield the values with their lines, or what is wrong with them.

    Those over `longest` characters are skipped. After a mistake it goes on at the next object with
    a title and an abstract.
    """
    return _Values(document, longest).read()


def bounded_integer(digits: str) -> int | str:
    """Return an integer; the beginning of one with more digits than any in a record, as text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}…"


class _TooLongError(Exception):
    """A value goes on for longer than is read."""


class _Values:
    """Holds the text from the next value on, which begins at `_at`, as far as it was read."""

    def __init__(self, document: Document, longest: int) -> None:
        self._document, self._longest = document, longest
        self._problems: list[Problem] = []
        self._line, self._column = 1, 0
        """Where the text that is held begins."""
        self._portions = portions(document)
        self._decoder = json.JSONDecoder(parse_int=bounded_integer)
        self._text, self._at = "", 0
        self._level, self._is_closed = 0, False
        """How many arrays have begun and not ended; whether the end of one was passed last."""

    def read(self) -> Iterator[Problem | tuple[int, object]]:
        self._read_on()
        wrapped = WRAPPED.match(self._text)
        is_array = bool(wrapped) or self._text.lstrip().startswith("[")
        self._at = wrapped.end() if wrapped else 0
        while self._skip_separators():
            if wrapped and self._level < 0:
                return
            try:
                value, end = self._decoded()
                if end - self._at > self._longest:
                    yield self._problem(too_long(self._longest))
                else:
                    yield self._place(self._at)[0], value
                if isinstance(value, str) and "{" in value:
                    # A stray quote made a text of what stands up to the next one.
                    self._go_to_next_record()
                else:
                    self._at = end
            except (_TooLongError, ValueError, RecursionError) as error:
                yield self._failure(error)
                is_array &= self._go_to_next_record()
            yield from self._problems
            self._problems.clear()
        yield from self._problems
        if is_array and not self._is_closed:
            line, _ = self._place(self._at)
            yield Problem(self._document.name, line, "the array is truncated")

    def _decoded(self) -> tuple[object, int]:
        """Return the value that begins here, and where it ends."""
        while True:
            try:
                return self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_cut = error.pos >= len(self._text) - _NEAR
                if not is_cut and not error.msg.startswith("Unterminated string"):
                    raise
                if len(self._text) - self._at > self._longest:
                    raise _TooLongError from error
                if not self._read_on():
                    raise

    def _skip_separators(self) -> bool:
        """Go to the next value, if there is one."""
        while True:
            if between := _BETWEEN.match(self._text, self._at):
                self._at = between.end()
                self._level += between[0].count("[") - between[0].count("]")
                if brackets := between[0].strip(" \t\r\n\ufeff"):
                    self._is_closed = brackets.endswith("]")
            if self._at < len(self._text):
                return True
            if not self._read_on():
                return False

    def _go_to_next_record(self) -> bool:
        """Go to the next object that reads like a paper, or else to the end."""
        self._is_closed = False
        while True:
            if found := _OBJECT.search(self._text, self._at + 1):
                self._at = found.start()
                try:
                    value, _ = self._decoded()
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
        self._line, self._column = self._place(self._at)
        self._text, self._at = self._text[self._at :], 0
        left, more = len(self._text), list[str]()
        for portion in self._portions:
            if isinstance(portion, Problem):
                self._problems.append(portion)
                continue
            more.append(portion.text)
            left -= len(portion.text)
            if left <= 0:
                break
        self._text += "".join(more)
        return bool(more)

    def _place(self, position: int) -> tuple[int, int]:
        """Return the line and the column, from 0, of a position in the text."""
        begin = self._text.rfind("\n", 0, position) + 1
        column = position - begin + (0 if begin else self._column)
        return self._line + self._text.count("\n", 0, position), column

    def _failure(self, error: Exception) -> Problem:
        if isinstance(error, _TooLongError):
            return self._problem(too_long(self._longest))
        if not isinstance(error, json.JSONDecodeError):
            return self._problem(f"not JSON: {error}")
        # What is missing at the end is missing after the last character.
        line, column = self._place(min(error.pos, len(self._text.rstrip())))
        reason = f"not JSON: {error.msg} (column {column + 1})"
        return Problem(self._document.name, line, reason, skipped=True)

    def _problem(self, reason: str) -> Problem:
        return Problem(self._document.name, self._place(self._at)[0], reason, skipped=True)
