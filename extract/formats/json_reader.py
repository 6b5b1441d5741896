"""Records in JSON: an object a line, one array of objects, or an answer with pages."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from stemma.extract.formats.document import Document, lines, portions, start
from stemma.schema.text_line import Line, too_long, whole_lines

_PAPERS = ("papers", "results", "data", "items", "records", "works", "entries", "articles")
"""What services call the list of papers in an answer."""
_WRAPPED = re.compile(
    r'\s*\{(?:(?:(?!"title")[^\[\]]){0,4000}?[,{])?\s*'
    rf'"(?:{"|".join(_PAPERS)})"\s*:\s*\['
)
"""How an object begins that is nothing but a list of papers and metadata of the list."""
_TWO_LINES = re.compile(r"\s*\S.*\n(?:[^\S\n]*\n)*\{")
"""How a file begins of which the second line that is not blank is an object."""
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_OBJECT = re.compile(r'\{(?=\s*")')
_MOST_DIGITS = 40
_NEAR = 64
"""Characters before the end that may read differently once more of the text is there."""
_DEEP = 500
"""Characters after which a value with too many levels has fewer, but not few."""
_LISTS = (*_PAPERS, "references", "notes")
"""`references` and `notes` are lists of papers only in an object without a title."""
_INTERCHANGE = "extracted papers, not abstracts: use `stemma load`"
_NO_RECORD = "not a JSON object with a title and an abstract"


def objects(document: Document, longest: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of a document, with the lines where they begin; one is in memory at a time.

    Values over `longest` characters are skipped. What is no record is noted.
    """
    for line, value in _values_of(document, longest):
        if isinstance(value, dict) and "stemma" in value and "paper" in value:
            document.note(_INTERCHANGE, line)
            return
        for record in _records_in(value):
            if isinstance(record, dict):
                yield line, record
            elif record is not None:  # what a service answers for an id that it does not know
                document.note(_NO_RECORD, line, skipped=True)


def _values_of(document: Document, longest: int) -> Iterator[tuple[int, object]]:
    """Yield the values of JSON lines, or of one document, with their lines.

    Values over `longest` characters are skipped.
    """
    first = next((line for line in lines(document, longest) if line.text.strip()), Line(1, ""))
    document.problems.clear()  # they are noted once more where the document is read
    if _is_document(first, document):
        return _Values(document, longest).read()
    return values_of_lines(document, longest)


def string(value: object) -> str:
    """Return a text as it is, anything else as an empty one."""
    return value if isinstance(value, str) else ""


def items(value: object) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def fields(value: object) -> dict[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def _records_in(value: object) -> list[Any]:
    """Return the records in a value: itself, or those of an answer that lists them."""
    if not isinstance(value, dict) or "title" in value:
        return [value]
    answer = fields(value.get("message")) or value  # in answers of Crossref
    if "title" in answer:
        return [answer]
    listed = (answer[name] for name in _LISTS if isinstance(answer.get(name), list))
    if answer and all("title" in fields(paper) for paper in answer.values()):  # by their ids
        return list(answer.values())
    return next(listed, [answer])


def _is_document(first: Line[str], document: Document) -> bool:
    """Return whether it is one JSON document: files called ``*.json`` often hold JSON lines."""
    text = first.text.lstrip()
    if text.startswith("["):
        return True
    if _WRAPPED.match(text):
        return not first.is_last or isinstance(_parsed(text), str)
    if not first.is_last or text.rstrip().endswith("}") or _TWO_LINES.match(start(document)):
        return False  # perhaps damaged, but an object a line
    return document.format not in ("jsonl", "ndjson") and isinstance(_parsed(first.text), str)


def values_of_lines(document: Document, longest: int) -> Iterator[tuple[int, object]]:
    """Yield the values of JSON lines, with their lines; what is none, or too long, is noted."""
    for line in whole_lines(lines(document, longest), longest):
        if not line.is_last:
            document.note(too_long(longest), line.number, skipped=True)
        elif line.text.strip():
            value = _parsed(line.text)
            if isinstance(value, str):
                document.note(value, line.number, skipped=True)
            else:
                yield line.number, value[0]


def _parsed(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    # Python's own parser accepts more, and says more about mistakes.
    with suppress(ValueError, RecursionError):
        return (msgspec.json.decode(text),)
    try:
        return (json.loads(text, parse_int=_bounded_integer),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"


def _bounded_integer(digits: str) -> int | str:
    """Return an integer; the beginning of one with more digits than any in a record, as text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}…"


class _TooLongError(Exception):
    """A value goes on for longer than is read."""


class _Values:
    """The values of one document, with the text from the next one on, as far as it was read.

    Those over `longest` characters are skipped. After a mistake it goes on at the next object with
    a title and an abstract.
    """

    def __init__(self, document: Document, longest: int) -> None:
        self._document, self._longest = document, longest
        self._line, self._column = 1, 0
        """Where the text that is held begins."""
        self._portions = portions(document)
        self._decoder = json.JSONDecoder(parse_int=_bounded_integer)
        self._text, self._at = "", 0
        self._level, self._is_closed = 0, False
        """How many arrays have begun and not ended; whether the end of one was passed last."""
        self._is_lost = False
        """Whether no paper came after a mistake yet."""

    def read(self) -> Iterator[tuple[int, object]]:
        self._read_on()
        wrapped = _WRAPPED.match(self._text)
        is_array = bool(wrapped) or self._text.lstrip().startswith("[")
        self._at = wrapped.end() if wrapped else 0
        while self._find_object() if self._is_lost else self._skip_separators():
            if wrapped and self._level < 0:
                return
            try:
                value, end = self._decoded()
            except (_TooLongError, ValueError, RecursionError) as error:
                if not self._is_lost:
                    self._note(error)
                self._is_lost = True
                self._at += _DEEP if isinstance(error, RecursionError) else 1
                continue
            is_paper = isinstance(value, dict) and value.keys() >= {"title", "abstract"}
            if not self._is_lost or is_paper:
                if end - self._at > self._longest:
                    self._note(_TooLongError())
                else:
                    yield self._place(self._at)[0], value
                # A stray quote makes a text of what stands up to the next one.
                self._is_lost = isinstance(value, str) and "{" in value
            self._at = self._at + 1 if self._is_lost else end
        if is_array and not (self._is_closed or self._is_lost):
            line, _ = self._place(self._at)
            self._document.note("the array is truncated", line)

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

    def _find_object(self) -> bool:
        """Go to the next object, if there is one."""
        self._is_closed = False
        while not (match := _OBJECT.search(self._text, self._at)):
            self._at = max(self._at, len(self._text) - _NEAR)
            if not self._read_on():
                return False
        self._at = match.start()
        return True

    def _read_on(self) -> bool:
        """Let go of what is done with, and read as much again as is left; False at the end."""
        left, more = len(self._text) - self._at, list[str]()
        for portion in self._portions:
            more.append(portion.text)
            left -= len(portion.text)
            if left <= 0:
                break
        if more:  # Else the places of mistakes are in the text as it is.
            self._line, self._column = self._place(self._at)
            self._text, self._at = self._text[self._at :] + "".join(more), 0
        return bool(more)

    def _place(self, position: int) -> tuple[int, int]:
        """Return the line and the column, from 0, of a position in the text."""
        begin = self._text.rfind("\n", 0, position) + 1
        column = position - begin + (0 if begin else self._column)
        return self._line + self._text.count("\n", 0, position), column

    def _note(self, error: Exception) -> None:
        """Note what is wrong with the value that begins here."""
        line, _ = self._place(self._at)
        reason = f"not JSON: {error}"
        if isinstance(error, _TooLongError):
            reason = too_long(self._longest)
        elif isinstance(error, json.JSONDecodeError):
            # What is missing at the end is missing after the last character.
            line, column = self._place(min(error.pos, len(self._text.rstrip())))
            reason = f"not JSON: {error.msg} (column {column + 1})"
        self._document.note(reason, line, skipped=True)
