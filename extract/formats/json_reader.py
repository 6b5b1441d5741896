"""Readers of formats in JSON: an object a line, one array of objects, or an answer with pages."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, ClassVar

import orjson

from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.json_document import LISTS, WRAPPED, bounded_integer, json_values
from stemma.extract.formats.lines import lines, start
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long, whole_lines

_LISTS = (*LISTS, "references", "notes")
"""`references` and `notes` are lists of papers only in an object without a title."""
_INTERCHANGE = "extracted papers, not abstracts: use `stemma load`"
_NO_RECORD = "not a JSON object with a title and an abstract"


class JsonReader(Reader):
    """Reads objects."""

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
        for each in _values_of(document, options.max_record_size, self.only_lines):
            if isinstance(each, Problem):
                yield each
                continue
            line, value = each
            if value is None:  # what a service answers for an id that it does not know
                continue
            if isinstance(value, dict) and "stemma" in value and "paper" in value:
                yield Problem(document.name, line, _INTERCHANGE)
                return
            for record in _records_in(value):
                if isinstance(record, dict):
                    yield from self.read_object(line, record, document, options)
                elif record is not None:
                    yield Problem(document.name, line, _NO_RECORD, skipped=True)

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read the object that begins at `line`."""
        return self.draft(line, record, options).read(document, options)

    def draft(self, line: int, record: dict[str, Any], options: Options) -> Draft:
        """Make a draft of the object that begins at `line`."""
        raise NotImplementedError


def _values_of(
    document: Document, longest: int, only_lines: bool
) -> Iterator[Problem | tuple[int, object]]:
    """Yield the values of JSON lines, or of one document, with their lines, or what is wrong.

    Values over `longest` characters are skipped.
    """
    texts = (each for each in lines(document, longest) if isinstance(each, Line))
    first = next((each for each in texts if each.text.strip()), Line(1, ""))
    if not only_lines and _is_document(first, document):
        return json_values(document, longest)
    return _values_of_lines(document, longest)


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
    if answer and all("title" in fields(each) for each in answer.values()):  # by their ids
        return list(answer.values())
    return next(listed, [answer])


def _is_document(first: Line[str], document: Document) -> bool:
    """Return whether it is one JSON document: files called ``*.json`` often hold JSON lines."""
    text = first.text.lstrip()
    if text.startswith("["):
        return True
    if WRAPPED.match(text):
        return not first.is_last or isinstance(_parsed(text), str)
    if not first.is_last or text.rstrip().endswith("}") or _second_line(document)[:1] == "{":
        return False  # perhaps damaged, but an object a line
    return document.format not in ("jsonl", "ndjson") and isinstance(_parsed(first.text), str)


def _second_line(document: Document) -> str:
    """Return the second line that is not blank, if the start of the document has one."""
    found = (line for line in start(document).splitlines() if line.strip())
    return next(islice(found, 1, None), "")


def _values_of_lines(document: Document, longest: int) -> Iterator[Problem | tuple[int, object]]:
    for line in whole_lines(lines(document, longest), longest):
        if isinstance(line, Problem):
            yield line
        elif not line.is_last:
            yield Problem(document.name, line.number, too_long(longest), skipped=True)
        elif line.text.strip():
            value = _parsed(line.text)
            if isinstance(value, str):
                yield Problem(document.name, line.number, value, skipped=True)
            else:
                yield line.number, value[0]


def _parsed(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    with suppress(ValueError):  # Python's own parser accepts more, and says more about mistakes.
        return (orjson.loads(text),)
    try:
        return (json.loads(text, parse_int=bounded_integer),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
