"""Readers of formats in JSON: an object a line, one array of objects, or an answer with pages."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Any, ClassVar

import orjson

from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import lines, start
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long, whole_lines

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
_LISTS = (*LISTS, "references", "notes", "result")
"""`references`, `notes` and `result` are lists of papers only in an object without a title."""
_ANSWERS = ("message", "response", "result", "resultList", "hits", "search-results")
"""What services call the object that has such a list."""
_INTERCHANGE = "extracted papers, not abstracts: use `stemma load`"
_NO_RECORD = "not a JSON object with a title and an abstract"
_NOISE = "not JSON"
_DEEPEST_ANSWER = 4
_MOST_HELD = 10_000
_MOST_SHOWN = 3


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
            if not number:
                self._line = number = line.number
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


class JsonReader(Reader):
    """Reads objects."""

    begins = "{["
    marks: ClassVar[re.Pattern[str]]
    """What the start of such a file has, and that of no other format."""
    only_lines: ClassVar[bool] = False
    """Whether such a file has an object in each line, and never one over several lines."""

    def recognises(self, start: str) -> bool:
        """Recognise by the names of fields."""
        begin = start.lstrip("\ufeff \t\r\n[")
        return begin.startswith("{") and bool(self.marks.search(begin))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, a record in memory at a time."""
        for each in values(document, options.max_record_size, self.only_lines):
            if isinstance(each, Problem):
                yield each
                continue
            line, value = each
            if value is None:  # what a service answers for an id that it does not know
                continue
            if isinstance(value, dict) and "stemma" in value and "paper" in value:
                yield Problem(document.name, line, _INTERCHANGE)
                return
            for record in _records(value):
                if isinstance(record, dict):
                    yield from self.read_object(line, record, document, options)
                elif record is not None:
                    yield Problem(document.name, line, _NO_RECORD, skipped=True)

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read the object that begins at `line`."""
        raise NotImplementedError


def values(
    document: Document, longest: int, only_lines: bool = False
) -> Iterator[Problem | tuple[int, object]]:
    """Yield each value of JSON lines, or of one array, with its line, or what is wrong with it.

    Values over `longest` characters are skipped.
    """
    return _without_noise(_values(document, longest, only_lines), document)


def string(value: object) -> str:
    """Return a text as it is, anything else as an empty one."""
    return value if isinstance(value, str) else ""


def items(value: object) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def fields(value: object) -> dict[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def _records(value: object) -> list[Any]:
    """Return the records in a value: itself, or those of an answer that lists them."""
    if not isinstance(value, dict) or "title" in value:
        return [value]
    answer = within = value
    for _ in range(_DEEPEST_ANSWER):
        if not within or "title" in within:
            break
        answer = within
        for name in _LISTS:
            if isinstance(listed := answer.get(name), list):
                return listed
        within = next((each for name in _ANSWERS if (each := fields(answer.get(name)))), {})
    answer = within or answer
    if answer is value and value and all("title" in fields(each) for each in value.values()):
        return list(value.values())  # by their ids
    return [answer]


def _values(
    document: Document, longest: int, only_lines: bool
) -> Iterator[Problem | tuple[int, object]]:
    remaining = lines(document, longest)
    for line in remaining:
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            is_document = not only_lines and _is_document(line, document)
            read = json_values if is_document else _lines
            yield from read(chain([line], remaining), document, longest)
            return


def _without_noise(
    values: Iterator[Problem | tuple[int, object]], document: Document
) -> Iterator[Problem | tuple[int, object]]:
    """Say only once of a file that no line of it is JSON."""
    held: list[Problem] = []
    for each in values:
        held_on = isinstance(each, Problem) and each.skipped and each.reason.startswith(_NOISE)
        if held_on and len(held) < _MOST_HELD:
            held.append(each)  # type: ignore[arg-type]
            continue
        yield from held
        yield each
        yield from values
        return
    if len(held) <= _MOST_SHOWN:
        yield from held
    else:
        reason = f"{held[0].reason}, nor are the other {len(held) - 1:,} lines"
        yield Problem(document.name, held[0].line, reason, skipped=True)


def _is_document(first: Line[str], document: Document) -> bool:
    """Return whether it is one JSON document: files called ``*.json`` often hold JSON lines."""
    text = first.text.lstrip()
    if text.startswith("["):
        return True
    if WRAPPED.match(text):
        return not first.is_last or isinstance(_value_of(text), str)
    if not first.is_last or text.rstrip().endswith("}") or _second_line(document)[:1] == "{":
        return False  # perhaps damaged, but an object a line
    return document.format not in ("jsonl", "ndjson") and isinstance(_value_of(first.text), str)


def _second_line(document: Document) -> str:
    """Return the second line that is not blank, if the start of the document has one."""
    found = (line for line in start(document).splitlines() if line.strip())
    return next(islice(found, 1, None), "")


def _lines(
    lines: Iterator[Line[str] | Problem], document: Document, longest: int
) -> Iterator[Problem | tuple[int, object]]:
    for line in whole_lines(lines, longest):
        if isinstance(line, Problem):
            yield line
        elif not line.is_last:
            yield Problem(document.name, line.number, too_long(longest), skipped=True)
        elif line.text.strip():
            value = _value_of(line.text)
            if isinstance(value, str):
                yield Problem(document.name, line.number, value, skipped=True)
            else:
                yield line.number, value[0]


def _value_of(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    with suppress(ValueError):  # Python's own parser accepts more, and says more about mistakes.
        return (orjson.loads(text),)
    try:
        return (json.loads(text, parse_int=bounded_integer),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
