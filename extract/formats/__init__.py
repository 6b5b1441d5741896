"""Reading papers out of files, each format by a reader of its own."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stemma.extract.formats.discovery import STANDARD_INPUT, find, inside, standard_input
from stemma.extract.formats.document import Document, ExpansionLimit, Member, unpack
from stemma.extract.formats.format_reader import Options, Reader
from stemma.extract.formats.registry import (
    choose_reader,
    readable_formats,
    reader_by_name,
    readers,
)
from stemma.schema import Paper, Problem
from stemma.schema.paper import expect_storable
from stemma.schema.problem import unreadable
from stemma.schema.text_line import too_long

AS_USUAL = Options()
_MOST_UNREAD = 100_000
"""Problems in succession after which a file is made to be read for ever, or holds no papers."""
__all__ = [
    "STANDARD_INPUT",
    "Document",
    "Options",
    "Reader",
    "find",
    "read",
    "read_document",
    "reader_by_name",
    "readers",
    "standard_input",
]


def read(path: Path, name: str, **options: Any) -> Iterator[Paper | Problem]:
    """Read the papers of one file, which their sources call `name`, with `Options` by their names.

    Never raises for what a file holds: what could not be read is yielded as a Problem.
    """
    return read_document(Document(path, name), Options(**options))


def read_document(document: Document, options: Options = AS_USUAL) -> Iterator[Paper | Problem]:
    """Read the papers of one document, or of all in an archive; as `read`."""
    try:
        if document.archive_kind:
            yield from _read_archive(document, options)
            return
        reader = reader_by_name(options.reader) if options.reader else choose_reader(document)
        if reader is None:
            reason = f"unsupported file format. {readable_formats(document)}"
            yield Problem(document.name, None, reason)
            return
        document.problems.clear()  # of an earlier reading, such as one that looked for its title
        silent = options.wanted is None
        unread = 0
        for each in _with_noted(reader.read(document, options), document.problems):
            silent = False
            yield _checked(each, document, options) if isinstance(each, Paper) else each
            unread = 0 if isinstance(each, Paper) else unread + 1
            if unread == _MOST_UNREAD:
                reason = f"{unread:,} problems and no paper: the rest of this file is not read"
                yield Problem(document.name, None, reason)
                return
        if silent:
            yield Problem(document.name, None, "there are no papers in this file")
    except OSError as error:
        yield unreadable(document.name, error)


def _with_noted(
    found: Iterable[Paper | Problem], noted: list[Problem]
) -> Iterator[Paper | Problem]:
    """Yield what was found, each after what was noted until then."""
    for each in chain(found, [None]):
        yield from noted
        noted.clear()
        if each:
            yield each


def _read_archive(archive: Document, options: Options) -> Iterator[Paper | Problem]:
    with TemporaryDirectory(prefix="stemma-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        room = archive.room if isinstance(archive, Member) else ExpansionLimit(archive.size)
        problems = list(unpack(archive, root, room))
        documents = inside(root, options.reader, [], problems)
        yield from problems
        for each in documents:
            name = f"{archive.name}/{each.name}"
            yield from read_document(Member(each.path, name, archive, root, room), options)
    if not documents and not problems:
        reason = f"this archive has no files in a supported format. {readable_formats(archive)}"
        yield Problem(archive.name, None, reason)


def _checked(paper: Paper, document: Document, options: Options) -> Paper | Problem:
    """Return a paper, or that it is too long; several lines of a listing make one."""
    try:
        if len(paper.title) + len(paper.abstract) > options.max_record_size:
            raise ValueError(too_long(options.max_record_size))
        expect_storable(paper)
    except ValueError as error:
        return Problem(document.name, paper.sources[0].position, str(error), skipped=True)
    return paper
