"""Tables: CSV and TSV with a row of names at the top, and Parquet."""

import csv
import re
from collections.abc import Iterator
from tempfile import TemporaryFile

from stemma.distribution import install
from stemma.extract.formats.attachment import COLUMN, Attachments
from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import lines
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.record import field_of, record_draft
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long

_DELIMITERS = ",\t;|"
_COLUMNS = (
    "column names are recognised in upper or lower case (`Title`, `Article Title`, `Publication "
    "Year` …), or set with `--columns title=…,abstract=…`"
)
_UNCLOSED = "a quotation mark is never closed: nothing was read from this row on"
_EXCEL = re.compile(r"\"?sep=.\"?\r?(?:\n|$)", re.I)
"""A first line that names the delimiter for Excel."""
_ROWS = 256


class CsvReader(Reader):
    """Reads rows, under a row of names."""

    name = "csv"
    description = "CSV, TSV"
    fields = _COLUMNS

    def recognises(self, start: str) -> bool:
        """Recognise by the names of columns."""
        return _delimiter(start) is not None

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, a row in memory at a time."""
        longest = options.max_record_size
        csv.field_size_limit(longest)
        problems: list[Problem] = []
        attachments = Attachments(document, options)
        rows = _Rows(lines(document, longest), problems)
        names: list[str] | None = None
        reader = csv.reader(rows, delimiter=",")
        while True:
            yield from problems
            problems.clear()
            line = rows.number + 1
            try:
                if names is None:
                    header = rows.first
                    if _EXCEL.fullmatch(header):
                        next(rows)
                        header = rows.first
                    delimiter = _delimiter(header) or _only_delimiter(header)
                    reader = csv.reader(rows, delimiter=delimiter)
                    names = [each.strip() for each in next(reader)]
                    if wrong := _UNCLOSED if rows.ended else _unknown(names, options):
                        yield Problem(document.name, line, wrong)
                        return
                    continue
                row = next(reader)
                if rows.ended:
                    yield Problem(document.name, line, _UNCLOSED, skipped=True)
                    break
            except StopIteration:
                break
            except csv.Error as error:
                reason = too_long(longest) if "field limit" in str(error) else f"not CSV: {error}"
                yield Problem(document.name, line, reason, skipped=True)
                reader = csv.reader(rows, reader.dialect)
                continue
            if any(each.strip() for each in row):
                record = dict(zip(names, row, strict=False))
                results = record_draft(record, line, options.columns).read(document, options)
                yield from attachments.complete(results, [record.get(COLUMN) or ""])
        yield from problems
        yield from attachments.missing()


class ParquetReader(Reader):
    """Reads rows; their numbers stand for lines."""

    name = "parquet"
    description = "Parquet"
    fields = 'as CSV, with `pip install "stemma-kg[parquet]"`'
    endings = ("parquet",)

    def recognises(self, start: str) -> bool:
        """Recognise by the mark at the beginning."""
        return start.startswith("PAR1")

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, some rows in memory at a time."""
        try:
            import pyarrow  # noqa: PLC0415 - an extra
            from pyarrow import parquet  # noqa: PLC0415
        except ImportError:
            reason = f"Parquet files need an extra: {install('parquet')}"
            yield Problem(document.name, None, reason)
            return
        number = 0
        with TemporaryFile() as file:
            for chunk in document.chunks():
                file.write(chunk)
            file.seek(0)
            try:
                table = parquet.ParquetFile(file)
                names = table.schema_arrow.names
                if wrong := _unknown(names, options):
                    yield Problem(document.name, None, wrong)
                    return
                known = [
                    each for each in names if field_of(each) or each in options.columns.values()
                ]
                for batch in table.iter_batches(batch_size=_ROWS, columns=known):
                    for record in batch.to_pylist():
                        number += 1
                        draft = record_draft(record, number, options.columns)
                        yield from draft.read(document, options)
            except (pyarrow.ArrowException, OSError, ValueError) as error:
                reason = f"damaged Parquet file ({error}); {number:,} rows were read"
                yield Problem(document.name, None, reason)


class _Rows:
    """The lines of a table, for csv to put together."""

    def __init__(self, lines: Iterator[Line[str] | Problem], problems: list[Problem]) -> None:
        self._lines, self._problems = lines, problems
        self._held: Line[str] | None = None
        self.number = 0
        """The number of the last line that was returned."""
        self.ended = False
        """Whether more was asked for than there is: a row that is read then is not complete."""

    @property
    def first(self) -> str:
        """The next line, which stays the next one."""
        self._held = self._next()
        return self._held.text

    def __iter__(self) -> "Iterator[str]":
        return self

    def __next__(self) -> str:
        line, self._held = self._held or self._next(), None
        self.number = line.number
        return line.text + "\n" * line.is_last

    def _next(self) -> Line[str]:
        for line in self._lines:
            if isinstance(line, Problem):
                self._problems.append(line)
            else:
                return line
        self.ended = True
        raise StopIteration


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


def _only_delimiter(header: str) -> str:
    return max(_DELIMITERS, key=header.count)


def _unknown(names: list[str], options: Options) -> str | None:
    """Return what is missing among the names of columns, if anything."""
    absent = [each for each in options.columns.values() if each not in names]
    if absent:
        return f"no column {absent[0]!r}: there are {', '.join(names)[:500]}"
    if "title" not in options.columns and all(field_of(each) != "title" for each in names):
        shown = ", ".join(names)[:500]
        return f"no column contains titles ({shown}): use --columns title=NAME,abstract=NAME"
    return None
