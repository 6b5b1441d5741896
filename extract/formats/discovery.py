"""Finding the documents at the paths that someone names."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from stemma.extract.formats.attachment import attached_files
from stemma.extract.formats.compression import DamagedError
from stemma.extract.formats.document import Document, readable
from stemma.extract.formats.latex_source import is_main
from stemma.extract.formats.lines import start
from stemma.extract.formats.registry import choose_reader, is_offered, readable_formats
from stemma.schema.problem import Problem, unreadable

STANDARD_INPUT = Path("-")
_STORE, _DECISIONS = b'{"stemma":', ".decisions.toml"
"""How the description of a store begins, and how the names of files of decisions end."""
_ABOUT = "readme"
"""The name of files that say what a folder holds: nobody expects them to be read."""
_OUTSIDE = "a link out of this folder, which is not followed: name what it leads to as well"
_SPOOLED: list[object] = []
"""Temporary files that hold standard input, until the process ends."""


def find(
    paths: Iterable[Path], reader: str | None = None, skipped: list[str] | None = None
) -> tuple[list[Document], list[Problem]]:
    """Find the documents at `paths`: files, and all that folders hold in a format that is read.

    They come in the order of `paths`, those of a folder sorted by name, each file once; ``-`` is
    standard input. Hidden files, stores of Stemma and other formats in a folder are skipped, and
    the names of the latter added to `skipped`, but for what belongs to the LaTeX source of a paper:
    of that, its ``.bib`` files;
    what was named and cannot be read is a problem, as are folders in it that cannot be listed, and
    links that lead nowhere or out of the folder. `reader` is the name of the reader that reads
    all of them.
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
        if _is_store(path):
            raise ValueError("this is a store of Stemma, not a folder of papers")
        missing: list[Problem] = []
        found = sorted(_inside(path, reader, skipped, missing), key=lambda each: each.name)
        problems += missing
        if any(each.format == "pdf" for each in found):  # the full texts of a library's papers
            theirs = attached_files(found)
            found = [each for each in found if each.path.resolve() not in theirs]
        if not (found or missing):
            raise ValueError(
                f"this folder has no files in a supported format. {readable_formats()}"
            )
        return found
    if not path.exists():
        raise ValueError("there is no such file or folder")
    document = Document(path, readable(path.name))
    if not path.is_file():
        raise ValueError("this is not a file")
    if not reader and not document.archive_kind and choose_reader(document) is None:
        raise ValueError(f"unsupported file format. {readable_formats(document)}")
    return [Document(document.path, document.name)]


def _inside(
    folder: Path, reader: str | None, skipped: list[str], missing: list[Problem]
) -> Iterator[Document]:
    seen: set[Path] = set()
    root = os.path.realpath(folder)
    sources: list[Path] = []

    def name_of(path: Path) -> str:
        return readable(path.relative_to(folder).as_posix())

    def not_listed(error: OSError) -> None:
        missing.append(unreadable(name_of(Path(error.filename)), error))

    for place, folders, files in os.walk(folder, onerror=not_listed, followlinks=True):
        here = Path(place)
        if here.resolve() in seen:  # a link that leads back
            folders.clear()
            continue
        seen.add(here.resolve())
        for names in (folders, files):
            for name in [each for each in names if _leads_out(here / each, root)]:
                names.remove(name)
                missing.append(Problem(name_of(here / name), None, _OUTSIDE))
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and not _is_store(here / each)
        )
        if not reader and _has_latex(here, files):
            sources.append(here)
        cited = any(here.is_relative_to(each) for each in sources)
        for file in sorted(files):
            path = here / file
            name = name_of(path)
            if file.startswith(".") or file.endswith(_DECISIONS):
                continue
            if cited and path.suffix.casefold() == ".bib":
                skipped.append(name)  # what a paper cites, and no paper of the folder
                continue
            if not path.is_file():
                if path.is_symlink() and not path.exists():
                    missing.append(Problem(name, None, "a link to a file that is not there"))
                continue
            if is_offered(Document(path, name), reader):
                yield Document(path, name)  # without the start of the file, which takes memory
            elif not cited and path.stem.casefold() != _ABOUT:
                skipped.append(name)


def _leads_out(path: Path, root: str) -> bool:
    """Return whether a path is a link to what is not in the folder `root`, such as /proc/self."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)


def _is_store(folder: Path) -> bool:
    """Return whether a folder is a store of Stemma, such as the one that papers are read into."""
    try:
        with (folder / "stemma.json").open("rb") as file:
            return file.read(len(_STORE)) == _STORE
    except OSError:
        return False


def _has_latex(folder: Path, files: Iterable[str]) -> bool:
    """Return whether a folder holds the LaTeX source of a paper."""
    for file in files:
        path = folder / file
        if path.suffix.casefold() == ".tex" and path.is_file():
            with suppress(OSError, DamagedError):
                if is_main(start(Document(path, file))):
                    return True
    return False


def standard_input() -> Document:
    """Keep standard input in a file: it is read more than once. ValueError for a terminal."""
    if sys.stdin.isatty():
        raise ValueError("standard input is a terminal: pipe a file into it")
    held = NamedTemporaryFile(prefix="stemma-")  # noqa: SIM115 - it goes when the process ends
    while chunk := sys.stdin.buffer.read(1 << 20):
        held.write(chunk)
    held.flush()
    _SPOOLED.append(held)
    return Document(Path(held.name), "standard input")
