"""The registry of readers: those that are built in, and those of other packages."""

from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import entry_points

from stemma.extract.formats.bibtex_reader import BibtexReader
from stemma.extract.formats.document import DamagedError, Document, start
from stemma.extract.formats.document_readers import (
    HtmlReader,
    LatexReader,
    MarkdownReader,
    PdfReader,
)
from stemma.extract.formats.format_reader import Reader
from stemma.extract.formats.json_records import (
    ArxivSnapshotReader,
    CslReader,
    FetchedReader,
    OpenAlexReader,
    RecordReader,
    SemanticScholarReader,
)
from stemma.extract.formats.listing import ListingReader
from stemma.extract.formats.table import CsvReader
from stemma.extract.formats.tagged import RisReader, TaggedReader
from stemma.extract.formats.xml_reader import AtomReader, JatsReader, OaiReader, TeiReader

GROUP = "stemma.readers"
"""The entry points by which other packages add readers."""
_BUILT_IN: tuple[type[Reader], ...] = (
    PdfReader,
    LatexReader,
    BibtexReader,
    RisReader,
    TaggedReader,
    FetchedReader,
    ArxivSnapshotReader,
    OaiReader,
    AtomReader,
    OpenAlexReader,
    SemanticScholarReader,
    CslReader,
    JatsReader,
    TeiReader,
    HtmlReader,
    MarkdownReader,
    CsvReader,
    RecordReader,
    ListingReader,
)
"""The particular before the general: the first that recognises a file reads it."""
_NAMED_FOR = {
    **dict.fromkeys(("html", "htm"), HtmlReader.name),
    **dict.fromkeys(("csv", "tsv"), CsvReader.name),
    **dict.fromkeys(("md", "markdown"), MarkdownReader.name),
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), PdfReader.name),
}
"""The readers that endings speak for, where the content does not."""
_ARCHIVES = {"zip", "tar"}
"""Endings of archives that are read: other formats, such as that of spreadsheets, are too."""


@lru_cache(maxsize=1)
def readers() -> Sequence[Reader]:
    """Return all readers, in the order in which they are asked whether they know a file."""
    built_in = {kind.name: kind() for kind in _BUILT_IN}
    added = {each.name: each.load()() for each in sorted(entry_points(group=GROUP))}
    return tuple({**added, **built_in}.values())


def reader_by_name(name: str) -> Reader:
    """Return a reader by its name. Raises ValueError, with the nearest name, if there is none."""
    known = {each.name: each for each in readers()}
    if name not in known:
        near = get_close_matches(name.casefold(), known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise ValueError(f"there is no reader {name!r}{hint} There are {', '.join(known)}.")
    return known[name]


def choose_reader(document: Document, name: str | None = None) -> Reader | None:
    """Return the reader of a document: that which knows its content, or else its name's ending.

    With a `name`, only the reader of this name may be it. Raises OSError where the document cannot
    be opened.
    """
    able = (reader_by_name(name),) if name else readers()
    text = start(document)
    for each in able:
        if each.recognises(text):
            return each
    return next((each for each in able if document.format in each.endings), None)


def is_offered(document: Document, reader: str | None = None, by_content: bool = False) -> bool:
    """Return whether a document of a folder or an archive is one that somebody would want read.

    That is what is not hidden, and in a format that is read (by `reader`, if it is given). With
    `by_content`, the ending of its name is not enough.
    """
    parts = document.name.split("/")
    if any(part.startswith((".", "__MACOSX")) for part in parts):
        return False
    try:
        if document.archive_kind:
            return document.format in _ARCHIVES
        chosen = choose_reader(document, reader)
        return chosen is not None and (not by_content or chosen.recognises(start(document)))
    except (OSError, DamagedError):
        return any(document.format in each.endings for each in readers())


def readable_formats(document: Document | None = None) -> str:
    """Say in a line which formats there are; for a document that is in none, the nearest first."""
    known = [each.description for each in readers()]
    text = f"Formats: {', '.join(known)}; also compressed (.gz, .bz2, .xz, .zst), in .zip and .tar"
    near = _nearest(document) if document else None
    if near is None:
        return text
    return f'Nearest: {near.description} (reader = "{near.name}"): {near.fields}. {text}'


def _nearest(document: Document) -> Reader | None:
    """Return the reader whose files are called so, or almost so."""
    endings = {ending: each for each in reversed(readers()) for ending in each.endings}
    close = get_close_matches(document.format, endings, n=1) if document.format else []
    if close:
        return endings[close[0]]
    named = _NAMED_FOR.get(document.format)
    return reader_by_name(named) if named else None


def table() -> str:
    """Return the table of formats in the documentation."""
    rows = ["| format | `reader` | files | what is read |", "|---|---|---|---|"]
    for each in readers():
        endings = ", ".join(f"`.{ending}`" for ending in each.endings) or "by content"
        rows.append(f"| {each.description} | `{each.name}` | {endings} | {each.fields} |")
    return "\n".join(rows) + "\n"
