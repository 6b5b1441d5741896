"""Reading papers out of files: saved listings and JSON lines of abstracts."""

from collections.abc import Iterator
from pathlib import Path

from stemma.extract.reading import listing, records
from stemma.extract.reading.document import Document, find
from stemma.extract.reading.lines import lines
from stemma.schema.paper import Paper, expect_storable
from stemma.schema.problem import Problem
from stemma.schema.text_line import MAX_RECORD_SIZE, too_long

__all__ = ["Document", "find", "read", "read_document"]


def read(
    path: Path, name: str, year: int | None = None, max_record_size: int = MAX_RECORD_SIZE
) -> Iterator[Paper | Problem]:
    """Read the papers of one file, which their sources call `name`.

    `year` is the year that dates without one belong to; without it, a listing's own dates tell.
    Records over `max_record_size` (bytes or characters) are passed over, without being held whole.
    Never raises for what a file holds: what could not be read is yielded as a Problem.
    """
    return read_document(Document(path, name), year, max_record_size)


def read_document(
    document: Document, year: int | None = None, max_record_size: int = MAX_RECORD_SIZE
) -> Iterator[Paper | Problem]:
    """Read the papers of one document; as `read`."""
    if year is not None and not 1 <= year <= 9999:
        raise ValueError(f"not a year: {year}")
    papers = listing.papers if document.format == "txt" else records.papers
    text = lines(document, max_record_size)
    try:
        for each in papers(text, document, year, max_record_size):
            yield _checked(each, document, max_record_size) if isinstance(each, Paper) else each
    except OSError as error:
        yield Problem(document.name, None, f"cannot be read: {error.strerror or error}")


def _checked(paper: Paper, document: Document, max_record_size: int) -> Paper | Problem:
    """Return a paper, or that it is too long; several lines of a listing make one."""
    try:
        if len(paper.title) + len(paper.abstract) > max_record_size:
            raise ValueError(too_long(max_record_size))
        expect_storable(paper)
    except ValueError as error:
        return Problem(document.name, paper.sources[0].position, str(error), skipped=True)
    return paper
