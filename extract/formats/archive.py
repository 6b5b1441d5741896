"""Archives: the files of a .zip or .tar, read one after the other without being unpacked to disk.

The names in an archive are only names: nothing is ever written to where they point.
"""

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from functools import cached_property
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import IO, Any, cast

from stemma.extract.formats.compression import CHUNK, DamagedError, ExpansionLimit, expanded
from stemma.extract.formats.document import Document
from stemma.schema.problem import Problem

MOST_LEVELS = 3
"""How deep archives may be nested."""
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


class Member(Document):
    """A file of an archive: it can be read once, while the archive is at it, unless it is held."""

    def __init__(
        self, archive: Document, name: str, stream: BufferedReader, room: ExpansionLimit
    ) -> None:
        super().__init__(Path(name), f"{archive.name}/{name}")
        vars(self).update(archive=archive, room=room, is_held=False)
        vars(self).update(_rest=self._read(stream), _begun=[])

    archive: Document
    room: ExpansionLimit
    _rest: Iterator[bytes]
    _begun: list[bytes]
    is_held: bool

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the archive, which is the file that people have."""
        return self.archive.sha256

    @cached_property
    def size(self) -> int:
        """The size of the archive, which bounds what all of it may expand to."""
        return self.archive.size

    @cached_property
    def head(self) -> bytes:
        """As of any document; `chunks` begins with it all the same."""
        size = 0
        for chunk in self._rest:
            self._begun.append(chunk)
            size += len(chunk)
            if size >= CHUNK:
                break
        return b"".join(self._begun)

    def hold(self, most: int) -> int | None:
        """Keep all its bytes in memory, so that they can be read again; return how many they are.

        None if there are more than `most`: then they can be read once all the same.
        """
        size = sum(map(len, self._begun))
        for chunk in self._rest:
            self._begun.append(chunk)
            size += len(chunk)
            if size > most:
                return None
        vars(self)["is_held"] = True
        return size

    def chunks(self) -> Iterator[bytes]:
        """Read its bytes, uncompressed."""
        if self.is_held:
            yield from self._begun
            return
        while self._begun:
            yield self._begun.pop(0)
        yield from self._rest

    def _read(self, stream: BufferedReader) -> Iterator[bytes]:
        try:
            for chunk in expanded(stream, self.path, self.size):
                self.room.take(chunk)
                yield chunk
        except DamagedError:
            raise
        except _FAULTS as error:
            raise _damaged(error) from error


def members(archive: Document) -> Iterator[Member | Problem]:
    """Yield the files of an archive, each to be read before the next.

    What is damaged is a problem, and what comes before it is read.
    """
    room = archive.room if isinstance(archive, Member) else ExpansionLimit(archive.size)
    level, outer = 1, archive
    while isinstance(outer, Member):
        level, outer = level + 1, outer.archive
    if level > MOST_LEVELS:
        reason = f"an archive inside {MOST_LEVELS} others is not read"
        yield Problem(archive.name, None, reason)
        return
    files = _zip_files if archive.archive_kind == "zip" else _tar_files
    try:
        for name, stream in files(archive):
            yield Member(archive, _plain(name), stream, room)
            if room.is_full:
                return
    except _FAULTS as error:
        yield Problem(archive.name, None, str(_damaged(error)))


def _zip_files(archive: Document) -> Iterator[tuple[str, BufferedReader]]:
    with _seekable(archive) as file, zipfile.ZipFile(file) as opened:
        for info in opened.infolist():
            if not info.is_dir():
                with opened.open(info) as stream:
                    yield info.filename, cast("BufferedReader", stream)


def _tar_files(archive: Document) -> Iterator[tuple[str, BufferedReader]]:
    stream = BufferedReader(_Stream(archive.chunks()), CHUNK)
    with tarfile.open(fileobj=stream, mode="r|") as opened:
        for info in opened:
            file = opened.extractfile(info) if info.isreg() else None
            if file:
                yield info.name, cast("BufferedReader", file)
            opened.members.clear()  # type: ignore[attr-defined]  # else it keeps them all


@contextmanager
def _seekable(document: Document) -> Iterator[IO[bytes]]:
    """Open a document so that it can be read at any place, in a temporary file if need be."""
    if not isinstance(document, Member) and document.is_plain:
        with document.path.open("rb") as file:
            yield file
        return
    with TemporaryFile() as held:
        for chunk in document.chunks():
            held.write(chunk)
        held.seek(0)
        yield held


class _Stream(RawIOBase):
    """Chunks, as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._held = chunks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._held:
            self._held = next(self._chunks, b"")
        size = min(len(buffer), len(self._held))
        buffer[:size], self._held = self._held[:size], self._held[size:]
        return size


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
