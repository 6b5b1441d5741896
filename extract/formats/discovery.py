"""Finding the documents at the paths that someone names, and the reader of each: those that are
built in, and those of other packages.

Beside a paper in LaTeX lie other main files: its supplement, an older version, the example that
comes with the class of a conference. And PDFs beside it are its figures, or were made of it.
"""

import atexit
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import NamedTemporaryFile

from stemma.extract.formats.bibtex_reader import BibtexReader
from stemma.extract.formats.document import DamagedError, Document, readable, start
from stemma.extract.formats.document_readers import (
    HtmlReader,
    LatexReader,
    MarkdownReader,
    PdfReader,
)
from stemma.extract.formats.library import CsvReader, TaggedReader, attached_files
from stemma.extract.formats.listing import ListingReader
from stemma.extract.formats.reader import LONGEST_TITLE, Reader
from stemma.extract.formats.record import RecordReader
from stemma.extract.formats.xml_reader import AtomReader, JatsReader, OaiReader, TeiReader
from stemma.schema import Problem
from stemma.schema.name import paper_id
from stemma.schema.problem import unreadable
from stemma.schema.text_line import MAX_RECORD_SIZE

GROUP = "stemma.readers"
"""The entry points by which other packages add readers."""
_BUILT_IN: tuple[type[Reader], ...] = (
    PdfReader,
    LatexReader,
    BibtexReader,
    TaggedReader,
    RecordReader,
    OaiReader,
    AtomReader,
    JatsReader,
    TeiReader,
    HtmlReader,
    MarkdownReader,
    CsvReader,
    ListingReader,
)
"""The particular before the general: the first that recognises a file reads it."""
_NAMED_FOR = {
    **dict.fromkeys(("html", "htm"), HtmlReader),
    **dict.fromkeys(("enw", "rdf"), BibtexReader),
    **dict.fromkeys(("md", "markdown"), MarkdownReader),
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), PdfReader),
}
"""The readers of what such files can be saved as, or may be meant to be."""
_ARCHIVES = {"zip", "tar"}
"""Endings of archives that are read: other formats, such as that of spreadsheets, are too."""


@lru_cache(maxsize=1)
def readers() -> Sequence[Reader]:
    """Return all readers, in the order in which they are asked whether they know a file."""
    built_in = {kind.name: kind() for kind in _BUILT_IN}
    added = {point.name: point.load()() for point in sorted(entry_points(group=GROUP))}
    return tuple({**added, **built_in}.values())


def reader_by_name(name: str) -> Reader:
    """Return a reader by its name. Raises ValueError, with the nearest name, if there is none."""
    known = {reader.name: reader for reader in readers()}
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
    by_content = (reader for reader in able if reader.recognises(text))
    by_ending = (reader for reader in able if document.format in reader.endings)
    return next(by_content, None) or next(by_ending, None)


def is_offered(document: Document, reader: str | None = None, by_content: bool = False) -> bool:
    """Return whether a document of a folder or an archive is one that somebody would want read.

    That is what is in a format that is read (by `reader`, if it is given). With `by_content`, the
    ending of its name is not enough.
    """
    try:
        if document.archive_kind:
            return document.format in _ARCHIVES
        chosen = choose_reader(document, reader)
        return chosen is not None and (not by_content or chosen.recognises(start(document)))
    except (OSError, DamagedError):
        return any(document.format in able.endings for able in readers())


def readable_formats(document: Document | None = None) -> str:
    """Say in a line which formats there are, or the nearest one to a document that is in none."""
    if document and (near := _NAMED_FOR.get(document.format)):
        return f"Nearest: {near.description}: {near.fields}"
    known = ", ".join(reader.description for reader in readers())
    return f"Formats: {known}; also compressed (.gz, .bz2, .xz, .zst), in .zip and .tar"


def table() -> str:
    """Return the table of formats in the documentation."""
    rows = ["| format | `reader` | files | what is read |", "|---|---|---|---|"]
    for reader in readers():
        endings = ", ".join(f"`.{ending}`" for ending in reader.endings)
        rows.append(f"| {reader.description} | `{reader.name}` | {endings} | {reader.fields} |")
    return "\n".join(rows) + "\n"


STANDARD_INPUT = Path("-")
_DECISIONS = ".decisions.toml"
"""How the names of files of decisions end."""
_DATABASES, _LOGS, _CACHE = (".db", ".sqlite", ".sqlite3"), ("-wal", "-shm"), "-cache"
"""How the names of stores end, and of what is beside a store, after the name of that."""
_HIDDEN = (".", "__MACOSX")
_ABOUT = "readme"
"""The name of files that say what a folder holds: nobody expects them to be read."""
_OUTSIDE = "a link out of this folder, which is not followed: name what it leads to as well"
_MOST_PRINTED = 3
"""PDFs of several pages that LaTeX source may have beside it: versions, a supplement, slides."""
_FEW_PAGES = 2
_EXAMPLE = re.compile(
    r"\b(?:formatting|author|submission)s?\b.*\b(?:instructions|guidelines|submissions)\b|"
    r"\bguidelines for\b.*\b(?:author|paper|submission)|\bspecimen\b|"
    r"\btitle of (?:the |your )?\w+$|"
    r"\binstructions (?:for|to)\b.*\b(?:papers?|authors?|submissions?|proceedings|camera)\b|"
    r"\bbare (?:advanced )?demo of\b|\b(?:paper|article|contribution|manuscript|your) title\b|"
    r"\b(?:insert|enter) your\b|\bpreparation of papers\b|\bsample (?:paper|document|article)\b|"
    r"\b(?:latex|document class|paper|article|manuscript) (?:template|example)\b|"
    r"\bthe name of the title\b|\.(?:cls|sty)\b",
    re.I,
)
"""Titles of the examples that come with document classes."""
_SUPPLEMENT = re.compile(
    r"^\W*(?:(?:online )?supplement|appendi|supporting (?:information|material)|rebuttal|"
    r"(?:author |our )?responses? to |cover letter)|"
    r"\b(?:supplement(?:ary|al)? (?:materials?|information|document)|supplement|appendix)\W*$",
    re.I,
)


def find(
    paths: Iterable[Path], reader: str | None = None, skipped: list[str] | None = None
) -> tuple[list[Document], list[Problem]]:
    """Find the documents at `paths`: files, and all that folders hold in a format that is read.

    They come in the order of `paths`, those of a folder sorted by name, each file once; ``-`` is
    standard input. Hidden files, stores of Stemma and other formats in a folder are skipped, and
    the names of the latter added to `skipped`; of what belongs to the LaTeX source of a paper, only
    bibliographies, PDFs and further main files, and of Markdown the bibliographies that it names.
    What was named and cannot be read is a problem, as are folders in it that cannot be listed, and
    links that lead nowhere or out of the folder. `reader` is the name of the one that reads them.
    """
    skipped = [] if skipped is None else skipped
    documents: dict[Path, Document] = {}
    problems: list[Problem] = []
    for path in paths:
        try:
            for document in _at(path, reader, skipped, problems):
                documents.setdefault(document.path.resolve(), document)
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            problems.append(Problem(readable(str(path)), None, reason))
    return list(documents.values()), problems


def _at(
    path: Path, reader: str | None, skipped: list[str], problems: list[Problem]
) -> list[Document]:
    if path == STANDARD_INPUT:
        return [standard_input()]
    if path.is_dir():
        missing: list[Problem] = []
        documents = inside(path, reader, skipped, missing)
        problems += missing
        if any(document.format == "pdf" for document in documents):
            # Not the full texts of a library's papers.
            theirs = set[Path]().union(*map(attached_files, documents))
            documents = [file for file in documents if file.path.resolve() not in theirs]
        if not (documents or missing):
            raise ValueError(
                f"this folder has no files in a supported format. {readable_formats()}"
            )
        return documents
    if not path.exists():
        raise ValueError("there is no such file or folder")
    document = Document(path, readable(path.name))
    if not path.is_file():
        raise ValueError("this is not a file")
    folder = path.absolute().parent
    if _is_store(path.name, lambda name: bool(name) and os.path.lexists(folder / name)):
        raise ValueError("this is a database, such as a store of Stemma, not a file of papers")
    if not reader and not document.archive_kind and choose_reader(document) is None:
        raise ValueError(f"unsupported file format. {readable_formats(document)}")
    return [Document(document.path, document.name)]


def inside(
    folder: Path, reader: str | None, skipped: list[str], missing: list[Problem]
) -> list[Document]:
    """Find the documents in a folder, sorted by name; see `find`.

    The names of files that are skipped, and what is wrong with others, are added to the lists.
    """
    documents: list[Document] = []
    sources: dict[Path, list[Document]] = {}
    """Main files of LaTeX by the topmost folder that has one."""
    cited = set[Path]()
    """Bibliographies that papers in Markdown name."""
    for here, files in _folders(folder, missing):
        mains = [] if reader else [file for file in files if _is_main(here / file)]
        source = next((source for source in sources if here.is_relative_to(source)), None)
        if mains and source is None:
            sources[source := here] = []
        in_source = source is not None
        printed = _printed(here, files, mains) if in_source else ()
        for file in files:
            document = Document(here / file, _name_in(folder, here / file))
            if source is not None and file in mains:
                sources[source].append(document)
            elif in_source and (document.format == "bib" or file in printed):
                skipped.append(document.name)  # what a paper cites, and its figures
            elif is_offered(document, reader, by_content=in_source):
                # Without the start of the file, which takes memory.
                documents.append(Document(document.path, document.name))
                cited |= _cited_by(document)
            elif not in_source and document.path.stem.casefold() != _ABOUT:
                skipped.append(document.name)
    for candidates in sources.values():
        papers = _papers_of(candidates) if len(candidates) > 1 else candidates
        documents += papers
        skipped.extend(main.name for main in candidates if main not in papers)
    listed = [document for document in documents if cited and document.path.resolve() in cited]
    skipped.extend(document.name for document in listed)
    return sorted(
        (document for document in documents if document not in listed),
        key=lambda document: document.name,
    )


def _folders(folder: Path, missing: list[Problem]) -> Iterator[tuple[Path, list[str]]]:
    """Yield a folder and those in it, each with the names of its files, sorted.

    Hidden files, stores and files of decisions are left out. What is wrong is added to `missing`.
    """
    seen: set[Path] = set()
    root = os.path.realpath(folder)

    def note(path: Path, reason: str) -> None:
        missing.append(Problem(_name_in(folder, path), None, reason))

    def not_listed(error: OSError) -> None:
        missing.append(unreadable(_name_in(folder, Path(error.filename)), error))

    for place, folders, files in os.walk(folder, onerror=not_listed, followlinks=True):
        here = Path(place)
        if here.resolve() in seen:  # a link that leads back
            folders.clear()
            continue
        seen.add(here.resolve())
        outside = {name for name in (*folders, *files) if _leads_out(here / name, root)}
        for name in outside:
            note(here / name, _OUTSIDE)
        beside = set(files) - outside
        folders[:] = sorted(
            name
            for name in set(folders) - outside
            if not name.startswith(_HIDDEN) and name.removesuffix(_CACHE) not in beside
        )
        shown = []
        for name in sorted(beside):
            path = here / name
            if path.is_symlink() and not path.exists():
                note(path, "a link to a file that is not there")
            elif path.is_file() and not (
                name.startswith(_HIDDEN)
                or name.endswith(_DECISIONS)
                or _is_store(name, beside.__contains__)
            ):
                shown.append(name)
        yield here, shown


def _name_in(folder: Path, path: Path) -> str:
    return readable(path.relative_to(folder).as_posix())


def _cited_by(document: Document) -> set[Path]:
    """Return the bibliographies that a paper in Markdown names."""
    if b"bibliography" not in document.head:
        return set()
    from stemma.extract.formats.markdown import bibliographies  # noqa: PLC0415 - takes long

    return {
        (document.path.parent / bibliography).resolve()
        for bibliography in bibliographies(start(document))
    }


def _is_main(path: Path) -> bool:
    """Return whether a file is the main file of LaTeX source."""
    if path.suffix.casefold() == ".tex":
        with suppress(OSError, DamagedError):
            return LatexReader().recognises(start(Document(path, path.name)))
    return False


def _papers_of(mains: Iterable[Document]) -> list[Document]:
    """Return the main files that are papers; of versions of one paper, the longest.

    If all of them look like examples or supplements, they are what somebody wants to be read.
    """
    from stemma.extract.formats.latex_source import LatexSource  # noqa: PLC0415 - takes long

    sources = {main: LatexSource(main, MAX_RECORD_SIZE) for main in mains}
    titles = {main: source.title()[:LONGEST_TITLE] for main, source in sources.items()}
    left = sorted(sources, key=lambda main: main.name)
    for is_paper in (
        lambda main: titles[main],
        lambda main: not _EXAMPLE.search(titles[main]),
        lambda main: not _SUPPLEMENT.search(titles[main]),
        lambda main: sources[main].abstract(),
    ):
        left = [*filter(is_paper, left)] or left
    versions: dict[str, Document] = {}
    for main in left:
        paper = paper_id(titles[main]) if titles[main] else main.name
        if len(sources[main].text) > len(sources[versions.setdefault(paper, main)].text):
            versions[paper] = main
    return list(versions.values())


def _printed(folder: Path, files: Iterable[str], mains: Iterable[str]) -> set[str]:
    """Return the PDFs in a folder of LaTeX source that are its figures, or that it was printed as.

    Among more than a few PDFs of several pages, which somebody collects, those are papers that are
    not called as a main file.
    """
    pdfs = {file for file in files if file.casefold().endswith(".pdf")}
    if len(pdfs) <= _MOST_PRINTED:
        return pdfs
    built = {Path(main).stem for main in mains}
    long = {pdf for pdf in pdfs if Path(pdf).stem not in built and _is_long(folder / pdf)}
    return pdfs - long if len(long) > _MOST_PRINTED else pdfs


def _is_long(pdf: Path) -> bool:
    """Return whether a PDF has more pages than a figure, or a poster, has."""
    try:
        import pypdfium2  # noqa: PLC0415 - takes long to import

        with closing(pypdfium2.PdfDocument(pdf)) as opened:
            return len(opened) > _FEW_PAGES
    except (ImportError, RuntimeError, OSError):  # which errors of PDFium are
        return False


def _leads_out(path: Path, root: str) -> bool:
    """Return whether a path is a link to what is not in the folder `root`, such as /proc/self."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)


def _is_store(name: str, is_beside: Callable[[str], bool]) -> bool:
    """Return whether a file is a database, such as the one that papers are read into, or its log.

    `is_beside` tells whether a file of that name is in the same folder. The file is not opened:
    SQLite's locks end as soon as the process that has them closes it.
    """
    if name.endswith(_DATABASES):
        return True
    return any(
        is_beside(f"{name}{log}") or (name.endswith(log) and is_beside(name.removesuffix(log)))
        for log in _LOGS
    )


def standard_input() -> Document:
    """Keep standard input in a file: it is read more than once. ValueError for a terminal."""
    if sys.stdin.isatty():
        raise ValueError("standard input is a terminal: pipe a file into it")
    held = NamedTemporaryFile(prefix="stemma-")  # noqa: SIM115 - it goes when the process ends
    while chunk := sys.stdin.buffer.read(1 << 20):
        held.write(chunk)
    held.flush()
    atexit.register(held.close)
    return Document(Path(held.name), "standard input")
