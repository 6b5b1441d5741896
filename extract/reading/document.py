"""Documents: the files that papers are read from."""

import gzip
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path

from stemma.schema.paper import Source
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem

FORMATS = ("txt", "jsonl", "ndjson", "json")
_CHUNK = 1 << 16
_WHAT_IS_READ = "listings (*.txt) and abstracts in JSON (*.jsonl, *.ndjson, *.json), also as .gz"


@dataclass(frozen=True)
class Document:
    """A file of papers; `name` is what sources call it, with ``/`` between folders."""

    path: Path
    name: str

    @property
    def compressed(self) -> bool:
        """Whether the file is compressed with gzip."""
        return self.path.suffix.casefold() == ".gz"

    @property
    def format(self) -> str:
        """One of FORMATS, or another ending, which is not read."""
        path = self.path.with_suffix("") if self.compressed else self.path
        return path.suffix.casefold().removeprefix(".")

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the file's bytes, in hexadecimal; OSError where it cannot be read."""
        with self.path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()

    def chunks(self) -> Iterator[bytes]:
        """Read the file's bytes, uncompressed.

        Raises OSError where it cannot be read; EOFError, gzip.BadGzipFile or zlib.error where it is
        damaged, once all that comes before has been read.
        """
        with self.path.open("rb") as file:
            stream = gzip.GzipFile(fileobj=file) if self.compressed else file
            # read1 hands over all that stands before the place of an error; read would not.
            while chunk := stream.read1(_CHUNK):
                yield chunk

    def source(self, line: int, published: PartialDate | None, year: int | None) -> Source:
        """Say that a paper stands at `line`, with its date, and the year if that has none."""
        yearless = published is not None and published.year is None
        return Source(
            file=self.name,
            sha256=self.sha256,
            position=line,
            published=None if published is None else str(published),
            assumed_year=year if yearless else None,
        )


def find(paths: Iterable[Path]) -> tuple[list[Document], list[Problem]]:
    """Find the documents at `paths`: files, and all that folders hold in a format that is read.

    They come in the order of `paths`, those of a folder sorted by name, each file once. Hidden
    files and other formats in a folder are passed over; what was named and cannot be read is a
    problem.
    """
    documents: dict[Path, Document] = {}
    problems: list[Problem] = []
    for path in paths:
        try:
            found = _at(path)
            for document in found:
                documents.setdefault(document.path.resolve(), document)
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            problems.append(Problem(_readable(str(path)), None, reason))
    return list(documents.values()), problems


def _at(path: Path) -> list[Document]:
    if path.is_dir():
        found = sorted(_inside(path), key=lambda each: each.name)
        if not found:
            raise ValueError(f"this folder holds nothing that is read: {_WHAT_IS_READ}")
        return found
    if not path.exists():
        raise ValueError("there is no such file or folder")
    document = Document(path, _readable(path.name))
    if not path.is_file() or document.format not in FORMATS:
        raise ValueError(f"this is not a file that is read: {_WHAT_IS_READ}")
    return [document]


def _inside(folder: Path) -> Iterator[Document]:
    seen: set[Path] = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        here = Path(place)
        if here.resolve() in seen:  # a link that leads back
            folders.clear()
            continue
        seen.add(here.resolve())
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for file in files:
            path = here / file
            document = Document(path, _readable(path.relative_to(folder).as_posix()))
            if not file.startswith(".") and document.format in FORMATS and path.is_file():
                yield document


def _readable(name: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return os.fsencode(name).decode("utf-8", "replace")
