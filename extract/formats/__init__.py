"""Reading papers out of files, each format by a reader of its own."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stemma.extract.formats.discovery import (
    STANDARD_INPUT,
    choose_reader,
    find,
    inside,
    readable_formats,
    reader_by_name,
    readers,
    standard_input,
)
from stemma.extract.formats.document import (
    Document,
    ExpansionLimit,
    Member,
    NothingReadError,
    unpack,
)
from stemma.extract.formats.library import state_of
from stemma.extract.formats.reader import Options, Reader
from stemma.schema import Paper, Problem
from stemma.schema.paper import expect_storable
from stemma.schema.problem import unreadable
from stemma.schema.text_line import too_long

AS_USUAL = Options()
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
    "state_of",
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
        for reading in _with_noted(reader, document, options):
            silent = False
            yield reading
        if silent:
            yield Problem(document.name, None, "there are no papers in this file")
    except OSError as error:
        yield unreadable(document.name, error)


def _with_noted(reader: Reader, document: Document, options: Options) -> Iterator[Paper | Problem]:
    """Yield the papers of a document, each after what was noted until then."""
    try:
        for reading in reader.read(document, options):
            if isinstance(reading, Problem):
                document.add(reading)
            elif _may_be_kept(reading, document, options):
                yield from document.reported()
                yield reading
    except NothingReadError as error:
        yield from document.reported()
        yield Problem(document.name, None, f"{error}: the rest of this file is not read")
    yield from document.reported()


def _read_archive(archive: Document, options: Options) -> Iterator[Paper | Problem]:
    with TemporaryDirectory(prefix="stemma-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        room = archive.room if isinstance(archive, Member) else ExpansionLimit(archive.size)
        problems = list(unpack(archive, root, room))
        documents = inside(root, options.reader, [], problems)
        yield from problems
        for document in documents:
            name = f"{archive.name}/{document.name}"
            yield from read_document(Member(document.path, name, archive, root, room), options)
    if not documents and not problems:
        reason = f"this archive has no files in a supported format. {readable_formats()}"
        yield Problem(archive.name, None, reason)


def _may_be_kept(paper: Paper, document: Document, options: Options) -> bool:
    """Return whether a paper can be stored, and is not too long: lines of a listing may make one.

    If not, that is noted.
    """
    try:
        if len(paper.title) + len(paper.abstract) > options.max_record_size:
            raise ValueError(too_long(options.max_record_size))
        expect_storable(paper)
    except ValueError as error:
        document.note(str(error), paper.sources[0].position, skipped=True)
        return False
    return True
