"""Archives: .zip and .tar, read as folders that they are unpacked to for the time being.

The names in an archive are only names: nothing is ever written to where they point.
"""

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EEXIST, EINVAL, EISDIR, ENAMETOOLONG, ENOTDIR
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import IO

from stemma.extract.formats.document import CHUNK, DamagedError, Document, ExpansionLimit
from stemma.schema.problem import Problem

MOST_LEVELS = 3
"""How deep archives may be nested."""
_BLOCK = 4096
"""Bytes of a disk that a file takes at the least."""
_FAULTS = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # an unknown method of compression
    RuntimeError,  # encrypted
    ValueError,
    OSError,
)


@dataclass(frozen=True)
class Member(Document):
    """A file of an archive, unpacked to below `root`."""

    archive: Document
    root: Path
    room: ExpansionLimit
    """What all files of the archive, and of those in it, may expand to together."""

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the archive, which is the file that people have."""
        return self.archive.sha256


class Unpacked:
    """The files of an archive, unpacked to a folder, as far as it is not damaged."""

    def __init__(self, archive: Document, root: Path) -> None:
        self.archive, self.root = archive, root
        self.problems: list[Problem] = []
        self._room = archive.room if isinstance(archive, Member) else ExpansionLimit(archive.size)
        level, outer = 1, archive
        while isinstance(outer, Member):
            level, outer = level + 1, outer.archive
        if level > MOST_LEVELS:
            self._note(f"an archive inside {MOST_LEVELS} others is not read")
        else:
            self._unpack()

    def member(self, document: Document) -> Member:
        """Return a document of the folder as one of the archive."""
        name = f"{self.archive.name}/{document.name}"
        return Member(document.path, name, self.archive, self.root, self._room)

    def _unpack(self) -> None:
        try:
            with self._seekable() as file:
                is_zip = self.archive.archive_kind == "zip"
                for name, stream in _zip_files(file) if is_zip else _tar_files(file):
                    self._write(_plain(name), stream)
                    if self._room.is_full:
                        return
        except _FAULTS as error:
            self._note(str(_damaged(error)))

    def _write(self, name: str, stream: IO[bytes]) -> None:
        path = self.root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                self._room.take(_BLOCK)
                while chunk := stream.read(CHUNK):
                    self._room.take(len(chunk))
                    file.write(chunk)
        except _FAULTS as error:
            if getattr(error, "errno", None) in (EEXIST, EISDIR, ENAMETOOLONG, ENOTDIR):
                self._note("its name is too long, or that of another file", name)
            else:
                self._note(str(_damaged(error)), name)

    @contextmanager
    def _seekable(self) -> Iterator[IO[bytes]]:
        """Open the archive so that it can be read at any place."""
        if self.archive.is_plain:
            with self.archive.path.open("rb") as file:
                yield file
            return
        with TemporaryFile() as held:
            try:
                for chunk in self.archive.chunks():
                    held.write(chunk)
            except DamagedError as error:
                self._note(str(error))
            held.seek(0)
            yield held

    def _note(self, reason: str, name: str = "") -> None:
        file = f"{self.archive.name}/{name}".removesuffix("/")
        self.problems.append(Problem(file, None, reason))


def _zip_files(file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as opened:
        for info in opened.infolist():
            if not info.is_dir():
                with opened.open(info) as stream:
                    yield info.filename, stream


def _tar_files(file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(fileobj=file, mode="r:") as opened:
        for info in opened:
            if stream := opened.extractfile(info) if info.isreg() else None:
                yield info.name, stream
            opened.members.clear()  # type: ignore[attr-defined]  # else it keeps them all


def _damaged(error: Exception) -> DamagedError:
    if isinstance(error, DamagedError):
        return error
    if isinstance(error, OSError) and error.errno not in (None, EINVAL):
        raise error  # the disk's fault; a damaged archive leads to places before its start
    return DamagedError(f"damaged or cut-off archive ({error or type(error).__name__})")


def _plain(name: str) -> str:
    """Return a name that stays within the archive, also where it was made to climb out of it."""
    name = name.encode("utf-8", "replace").decode().replace("\\", "/")
    parts = PurePosixPath(name).parts
    return "/".join(part for part in parts if part.strip("/") not in ("", ".", "..")) or "unnamed"
