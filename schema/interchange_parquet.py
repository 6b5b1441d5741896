"""Extractions in Parquet: the records of the interchange format as rows, a column for each field.

Nested fields stay nested. What a record leaves out is null.
"""

import dataclasses
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stemma.distribution import install
from stemma.schema.comparison import NUMBERS, Comparison
from stemma.schema.extraction import Extraction
from stemma.schema.interchange import dump, record
from stemma.schema.paper import Source
from stemma.schema.problem import Problem

if TYPE_CHECKING:
    import pyarrow

MISSING = f"Parquet files need an extra: {install('parquet')}"
MAGIC = b"PAR1"
_ROWS_WRITTEN, _ROWS_READ = 1000, 100


class ParquetMissingError(ImportError):
    """pyarrow is not installed; the message says how to install it."""


@lru_cache(maxsize=1)
def schema() -> "pyarrow.Schema":
    """Return the columns. Raises ParquetMissingError."""
    arrow = _pyarrow()
    text, whole, number, many = arrow.string(), arrow.int32(), arrow.float64(), arrow.list_

    def fields(**types: Any) -> Any:
        return arrow.struct(list(types.items()))

    span = fields(text=text, field=text, start=whole, end=whole)
    citation = fields(start=whole, end=whole, reference=text)
    section = fields(kind=text, heading=text, text=text, citations=many(citation))
    source = fields(file=text, sha256=text, position=whole, published=text, assumed_year=whole)
    paper = fields(
        id=text,
        title=text,
        abstract=text,
        published=text,
        author_count=whole,
        organization=text,
        links=many(text),
        authors=many(fields(name=text, orcid=text, affiliation=text, id=text)),
        venue=text,
        doi=text,
        arxiv_id=text,
        references=many(fields(id=text, title=text)),
        full_text=fields(characters=whole, digest=text, sections=many(section)),
        sources=many(source),
    )
    names = [each.name for each in dataclasses.fields(Comparison)]
    comparison = fields(**{each: number if each in NUMBERS else text for each in names})
    entity = fields(name=text, kind=text, concept=text, mentions=many(span))
    relation = fields(
        type=text,
        entity=text,
        confidence=number,
        evidence=many(span),
        origin=text,
        comparison=comparison,
    )
    return arrow.schema(
        [
            ("stemma", whole),
            ("extractor", text),
            ("paper", paper),
            ("entities", many(entity)),
            ("relations", many(relation)),
        ]
    )


def to_row(extraction: Extraction) -> dict[str, Any]:
    """Return an extraction as a row, of nothing but plain values."""
    row: dict[str, Any] = json.loads(dump(extraction))
    return row


def is_one(path: Path) -> bool:
    """Return whether a file is in Parquet, by its first bytes; not where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def count(path: Path) -> int:
    """Return how many rows a file has, as it says; 0 where it is damaged."""
    try:
        arrow = _pyarrow()
    except ParquetMissingError:
        return 0
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    try:
        return int(parquet.read_metadata(path).num_rows)
    except (arrow.ArrowException, OSError):
        return 0


def write(extractions: Iterable[Extraction], path: Path) -> None:
    """Write a file. Raises ParquetMissingError, and OSError where it cannot be written."""
    arrow = _pyarrow()
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    rows = map(to_row, extractions)
    with parquet.ParquetWriter(path, schema(), compression="zstd") as file:
        while batch := list(islice(rows, _ROWS_WRITTEN)):
            file.write_table(arrow.Table.from_pylist(batch, schema()))


def read(path: Path, name: str, sha256: str) -> Iterator[Extraction | Problem]:
    """Read a file; a row that is no record is reported as a problem, and the rest is read.

    `name` and `sha256` are the source of papers that bring none of their own. Rows stand for lines.
    """
    try:
        arrow = _pyarrow()
    except ParquetMissingError as error:
        yield Problem(name, None, str(error))
        return
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            if absent := absent_columns(file.schema_arrow.names):
                yield Problem(name, None, absent)
                return
            for batch in file.iter_batches(batch_size=_ROWS_READ):
                for row in batch.to_pylist():
                    number += 1
                    found = record(without_nulls(row), Source(name, sha256, number))
                    yield (
                        Problem(name, number, found, skipped=True)
                        if isinstance(found, str)
                        else found
                    )
    except (arrow.ArrowException, OSError, ValueError) as error:
        reason = f"damaged Parquet file ({error}); {number:,} rows were read"
        yield Problem(name, None, reason)


def absent_columns(names: Iterable[str]) -> str | None:
    """Return what to say of a table with these columns if it has not those of extractions."""
    if absent := {"stemma", "paper", "entities", "relations"} - {*names}:
        return f"not extractions of Stemma: no column {', '.join(sorted(absent))}"
    return None


def without_nulls(value: Any) -> Any:
    """Return a row as JSON has it: what is null is left out."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ParquetMissingError(MISSING) from error
    return pyarrow
