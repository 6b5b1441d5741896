"""Abstracts in JSON: an object a line, or one array of objects."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from stemma.extract.reading.document import Document
from stemma.extract.reading.json_values import json_values
from stemma.extract.reading.lines import lines
from stemma.extract.reading.reader import Options, Reader
from stemma.extract.reading.record import read_record
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long, whole_lines

_TITLE = re.compile(r'"title"\s*:')
_INTERCHANGE = "extracted papers, not abstracts: use `stemma load`"


class RecordReader(Reader):
    """Reads objects in JSON by the names that their fields have in common data sets."""

    name = "json"
    description = "JSON"
    fields = (
        "an object per paper, a line each or in an array: `title`, `abstract`, and if known "
        "`published` (or `date`, `year`), `authors`, `links` …"
    )
    endings = ("jsonl", "ndjson", "json")
    begins = "{["

    def recognises(self, start: str) -> bool:
        """Tell by an object that has a title."""
        begin = start.lstrip("\ufeff \t\r\n[")
        return begin.startswith("{") and bool(_TITLE.search(begin))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of JSON lines, or of a JSON document."""
        longest = options.max_record_size
        yield from papers(lines(document, longest), document, options.year, longest)


def papers(
    lines: Iterable[Line[str] | Problem], document: Document, year: int | None, longest: int
) -> Iterator[Paper | Problem]:
    """Read the papers of JSON lines, or of a JSON document: a record in memory, up to `longest`.

    `year` is that of dates without one (``XXXX-04-15``).
    """
    silent = True
    for value in _values(lines, document, longest):
        silent = False
        if isinstance(value, Problem):
            yield value
            continue
        line, record = value
        if not isinstance(record, dict):
            reason = "not a JSON object with a title and an abstract"
            yield Problem(document.name, line, reason, skipped=True)
        elif "stemma" in record and "paper" in record:
            yield Problem(document.name, line, _INTERCHANGE)
            return
        else:
            yield from read_record(record, line, document, year)
    if silent:
        yield Problem(document.name, None, "there are no papers in this file")


def _values(
    lines: Iterable[Line[str] | Problem], document: Document, longest: int
) -> Iterator[Problem | tuple[int, object]]:
    remaining = iter(lines)
    for line in remaining:
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            read = json_values if _is_document(line, document) else _lines
            yield from read(chain([line], remaining), document, longest)


def _is_document(first: Line[str], document: Document) -> bool:
    """Tell a JSON document from JSON lines, which files called ``*.json`` often hold as well."""
    if first.text.lstrip().startswith("["):
        return True
    return document.format == "json" and first.is_last and isinstance(_value(first.text), str)


def _lines(
    lines: Iterable[Line[str] | Problem], document: Document, longest: int
) -> Iterator[Problem | tuple[int, object]]:
    for line in whole_lines(lines, longest):
        if isinstance(line, Problem):
            yield line
        elif not line.is_last:
            yield Problem(document.name, line.number, too_long(longest), skipped=True)
        elif line.text.strip():
            value = _value(line.text)
            if isinstance(value, str):
                yield Problem(document.name, line.number, value, skipped=True)
            else:
                yield line.number, value[0]


def _value(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    try:
        return (json.loads(text),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
