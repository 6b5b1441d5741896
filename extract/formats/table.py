"""Tables: CSV and TSV with a row of names at the top."""

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from stemma.extract.formats.attachment import COLUMN, LibraryReader
from stemma.extract.formats.document import Document, lines
from stemma.extract.formats.reader import Draft, Options
from stemma.extract.formats.record import field_of, record_draft
from stemma.schema.text_line import too_long

_DELIMITERS = ",\t;|"
_UNCLOSED = "a quotation mark is never closed: nothing was read from this row on"
_EXCEL = re.compile(r"\"?sep=.\"?\r?(?:\n|$)", re.I)
"""A first line that names the delimiter for Excel."""
_WEB_OF_SCIENCE = re.compile(r"\ufeff?PT\tAU\t")


class CsvReader(LibraryReader):
    """Reads rows, under a row of names."""

    name = "csv"
    description = "CSV, TSV"
    fields = (
        "columns with usual names (`Title`, `Publication Year` …), or "
        "`--columns title=…,abstract=…`"
    )

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a table of papers: by the names of columns."""
        return _delimiter(start) is not None

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the rows, one in memory at a time."""
        longest = options.max_record_size
        csv.field_size_limit(longest)
        number, ended = 0, False  # of the last line; whether more was asked for than there is

        def read_on() -> Iterator[str]:
            nonlocal number, ended
            for line in lines(document, longest):
                number = line.number
                yield line.text + "\n" * line.is_last
            ended = True

        texts = read_on()
        header = next(texts, "")
        if _EXCEL.fullmatch(header):
            header = next(texts, "")
        delimiter = _delimiter(header) or max(_DELIMITERS, key=header.count)
        next_line = number or 1
        # The Web of Science puts no quotation marks around fields that begin with one.
        marks = None if _WEB_OF_SCIENCE.match(header) else '"'
        reader = csv.reader(chain([header], texts), delimiter=delimiter, quotechar=marks)
        names: list[str] = []
        while True:
            wrong = None
            try:
                row = next(reader, None)
            except csv.Error as error:
                wrong = too_long(longest) if "field limit" in str(error) else f"not CSV: {error}"
                reader = csv.reader(texts, reader.dialect)
            line, next_line = next_line, number + 1
            if wrong:
                document.note(wrong, line, skipped=True)
                continue
            if row is None:
                break
            if ended:  # within a row
                document.note(_UNCLOSED, line, skipped=bool(names))
                break
            if not names:
                names = [each.strip() for each in row]
                if wrong := _unknown(names, options):
                    document.note(wrong, line)
                    return
            elif any(each.strip() for each in row):
                record = dict(zip(names, row, strict=False))
                draft = record_draft(record, line, options.columns)
                yield replace(draft, files=[record.get(COLUMN) or ""])


def _delimiter(start: str) -> str | None:
    """Return the delimiter of the names of columns, if one of them is that of titles."""
    header = _EXCEL.sub("", start.lstrip("\ufeff"), count=1).partition("\n")[0]
    if len(header) > 10_000 or header.lstrip().startswith(("{", "[", "<", "@")):
        return None
    for each in _DELIMITERS:
        try:
            names = next(csv.reader([header], delimiter=each), [])
        except csv.Error:
            continue
        known = [field for name in names if (field := field_of(name))]
        if len(known) > 1 and "title" in known:
            return each
    return None


def _unknown(names: list[str], options: Options) -> str | None:
    """Return what is missing among the names of columns, if anything."""
    absent = [each for each in options.columns.values() if each not in names]
    if absent:
        return f"no column {absent[0]!r}: there are {', '.join(names)[:500]}"
    if "title" not in options.columns and all(field_of(each) != "title" for each in names):
        shown = ", ".join(names)[:500]
        return f"no column contains titles ({shown}): use --columns title=NAME,abstract=NAME"
    return None
