"""Extractions in Parquet: the records of the interchange format as rows, a column for each field.

Nested fields stay nested. What a record leaves out is null.
"""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stemma.distribution import install
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
    """Return the columns, which are those of the JSON schema. Raises ParquetMissingError."""
    arrow = _pyarrow()
    whole = json.loads(Path(__file__).with_name("interchange.schema.json").read_text("utf-8"))

    def type_of(node: dict[str, Any]) -> Any:
        if "$ref" in node:
            node = whole["$defs"][node["$ref"].rpartition("/")[2]]
        match node.get("type"):
            case "object":
                return arrow.struct(fields(node))
            case "array":
                return arrow.list_(type_of(node["items"]))
            case "number":
                return arrow.float64()
            case "integer":
                return arrow.int32()
            case _:  # Texts, those that may be null, and enumerations.
                return arrow.string()

    def fields(node: dict[str, Any]) -> list[tuple[str, Any]]:
        return [(name, type_of(each)) for name, each in node["properties"].items()]

    return arrow.schema(fields(whole))


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
