"""Abstracts in JSON: an object a line, or one array of objects."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from stemma.extract.reading.document import Document
from stemma.extract.reading.lines import Line
from stemma.extract.reading.record import read_record
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_INTERCHANGE = "extracted papers, not abstracts: use `stemma load`"


def papers(
    lines: Iterable[Line | Problem], document: Document, year: int | None = None
) -> Iterator[Paper | Problem]:
    """Read the papers of JSON lines, a line in memory, or of a JSON document, all in memory.

    `year` is that of dates without one (``XXXX-04-15``).
    """
    silent = True
    for value in _values(lines, document):
        silent = False
        if isinstance(value, Problem):
            yield value
            continue
        line, record = value
        if not isinstance(record, dict):
            yield Problem(document.name, line, "not a JSON object with a title and an abstract")
        elif "stemma" in record and "paper" in record:
            yield Problem(document.name, line, _INTERCHANGE)
            return
        else:
            yield from read_record(record, line, document, year)
    if silent:
        yield Problem(document.name, None, "there are no papers here")


def _values(
    lines: Iterable[Line | Problem], document: Document
) -> Iterator[Problem | tuple[int, object]]:
    remaining = iter(lines)
    for line in remaining:
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            read = _document if _is_document(line.text, document) else _lines
            yield from read(chain([line], remaining), document)


def _is_document(first_line: str, document: Document) -> bool:
    """Tell a JSON document from JSON lines, which files called ``*.json`` often hold as well."""
    if first_line.lstrip().startswith("["):
        return True
    return document.format == "json" and isinstance(_value(first_line), str)


def _lines(
    lines: Iterable[Line | Problem], document: Document
) -> Iterator[Problem | tuple[int, object]]:
    for line in lines:
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            value = _value(line.text)
            if isinstance(value, str):
                yield Problem(document.name, line.number, value)
            else:
                yield line.number, value[0]


def _value(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    try:
        return (json.loads(text),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON that can be read: {error}"


def _document(
    lines: Iterable[Line | Problem], document: Document
) -> Iterator[Problem | tuple[int, object]]:
    """Read the values of an array one by one, so that those before a mistake are kept."""
    page: list[Line] = []
    for line in lines:
        if isinstance(line, Problem):
            yield line
        else:
            page.append(line)
    text = "\n".join(line.text for line in page)
    decoder = json.JSONDecoder()
    number, counted, position = page[0].number, 0, _skip(text, 0)
    while position < len(text):
        number, counted = number + text.count("\n", counted, position), position
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            place = page[0].number + error.lineno - 1
            reason = f"not JSON: {error.msg} (column {error.colno}); the rest was not read"
            yield Problem(document.name, place, reason)
            return
        except (ValueError, RecursionError) as error:
            yield Problem(document.name, number, f"not JSON that can be read: {error}")
            return
        yield number, value
        position = _skip(text, end)
    if text.lstrip().startswith("[") and not text.rstrip().endswith("]"):
        yield Problem(document.name, page[-1].number, "the array is cut off here")


def _skip(text: str, position: int) -> int:
    found = _BETWEEN.match(text, position)
    return found.end() if found else position
