"""Reading papers out of files: saved listings and JSON lines of abstracts."""

from collections.abc import Iterator
from pathlib import Path

from stemma.extract.reading import listing, records
from stemma.extract.reading.document import Document, find
from stemma.extract.reading.lines import lines
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

__all__ = ["Document", "find", "read", "read_document"]


def read(path: Path, name: str, year: int | None = None) -> Iterator[Paper | Problem]:
    """Read the papers of one file, which their sources call `name`.

    `year` is the year that dates without one belong to; without it, a listing's own dates tell.
    Never raises for what a file holds: what could not be read is yielded as a Problem.
    """
    return read_document(Document(path, name), year)


def read_document(document: Document, year: int | None = None) -> Iterator[Paper | Problem]:
    """Read the papers of one document; as `read`."""
    if year is not None and not 1 <= year <= 9999:
        raise ValueError(f"not a year: {year}")
    papers = listing.papers if document.format == "txt" else records.papers
    try:
        yield from papers(lines(document), document, year)
    except OSError as error:
        yield Problem(document.name, None, f"cannot be read: {error.strerror or error}")
