"""Documents: the files that papers are read from, also compressed.

That is by gzip, bzip2, xz or Zstandard, distinguished by how a file begins.
"""

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from stemma.distribution import install
from stemma.schema.paper import Source
from stemma.schema.partial_date import PartialDate

CHUNK = 1 << 16
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_LONGEST_MAGIC = max(map(len, _MAGIC))
_ENDINGS = {".gz": "gzip", ".tgz": "gzip", ".bz2": "bzip2", ".tbz2": "bzip2"}
_ENDINGS |= {".xz": "xz", ".txz": "xz", ".zst": "zstd", ".tzst": "zstd"}
_OPEN: Mapping[str, Callable[..., Any]] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
_LARGEST_WINDOW = 256 << 20
"""Bytes of memory that a file of Zstandard may ask for."""
_ALWAYS_EXPANDED = 256 << 20
_MOST_EXPANSION = 200
"""How many times its size a file may expand beyond that: papers shrink five to thirty times."""


class DamagedError(EOFError):
    """A compressed file is damaged, cut off, or expands without limit."""


def compression(path: PurePath, start: bytes) -> str | None:
    """Return how a file is compressed, by its first bytes, or else by its name."""
    for magic, name in _MAGIC.items():
        if start.startswith(magic):
            return name
    return _ENDINGS.get(path.suffix.casefold())


def without_compression(path: PurePath) -> PurePath:
    """Return a path without the ending of its compression: ``papers.tgz`` is ``papers.tar``."""
    ending = path.suffix.casefold()
    if ending not in _ENDINGS:
        return path
    return path.with_suffix(".tar" if ending.startswith(".t") else "")


def expanded(file: BufferedReader, path: PurePath, size: int) -> Iterator[bytes]:
    """Read an opened file in chunks, uncompressed whatever its compression.

    `size` is that of the file, which bounds what it may expand to. Raises DamagedError where it is
    damaged, after all that comes before has been read.
    """
    name = compression(path, file.peek(_LONGEST_MAGIC)[:_LONGEST_MAGIC])
    if name is None:
        yield from _chunks(file)
        return
    room = ExpansionLimit(size)
    try:
        for chunk in _zstd(file) if name == "zstd" else _chunks(_OPEN[name](file)):
            room.take(len(chunk))
            yield chunk
    except DamagedError:
        raise
    except OSError as error:
        if error.errno is not None:  # the disk's fault
            raise
        raise _damaged(name, error) from error
    except (EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise _damaged(name, error) from error


class ExpansionLimit:
    """What a file of `size` bytes may expand to."""

    def __init__(self, size: int) -> None:
        self._left = max(_ALWAYS_EXPANDED, _MOST_EXPANSION * size)

    @property
    def is_full(self) -> bool:
        """Whether it has expanded to more."""
        return self._left < 0

    def take(self, size: int) -> None:
        """Count bytes. Raises DamagedError if they are too many: made to fill memory or a disk."""
        self._left -= size
        if self.is_full:
            raise DamagedError(f"it expands to more than {_MOST_EXPANSION} times its size")


def _damaged(name: str, error: Exception) -> DamagedError:
    return DamagedError(f"damaged or cut-off {name} file ({error})")


def _chunks(stream: Any) -> Iterator[bytes]:
    # read1 hands over all that stands before the place of an error; read would not.
    while chunk := stream.read1(CHUNK):
        yield chunk


def _zstd(file: BinaryIO) -> Iterator[bytes]:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = f"Zstandard files need an extra: {install('zstd')}"
        raise DamagedError(message) from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    try:
        with decompressor.stream_reader(file, read_across_frames=True, closefd=False) as stream:
            while chunk := stream.read(CHUNK):
                yield chunk
    except zstandard.ZstdError as error:
        raise _damaged("zstd", error) from error


@dataclass(frozen=True)
class Document:
    """A file of papers; `name` is what sources call it, with ``/`` between folders."""

    path: Path
    name: str

    @property
    def format(self) -> str:
        """The ending of its name, without that of its compression."""
        return without_compression(self.path).suffix.casefold().removeprefix(".")

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the file's bytes, in hexadecimal; OSError where it cannot be read."""
        with self.path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()

    @cached_property
    def size(self) -> int:
        """The size of the file, in bytes."""
        return self.path.stat().st_size

    @property
    def is_plain(self) -> bool:
        """Whether its bytes are those of the file, not compressed."""
        with self.path.open("rb") as file:
            return compression(self.path, file.read(8)) is None

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, uncompressed; less where it is damaged. OSError as for `chunks`."""
        head = b""
        with suppress(DamagedError):
            for chunk in self.chunks():
                head += chunk
                if len(head) >= CHUNK:
                    break
        return head

    @property
    def archive_kind(self) -> str | None:
        """``zip`` or ``tar`` if this holds other files, else None."""
        if self.head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return "zip"
        return "tar" if self.head[257:262] == b"ustar" else None

    def chunks(self) -> Iterator[bytes]:
        """Read the file's bytes, uncompressed.

        Raises OSError where it cannot be read; DamagedError where its compression is damaged, once
        all that comes before has been read.
        """
        with self.path.open("rb") as file:
            yield from expanded(file, self.path, self.size)

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


def readable(name: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return os.fsencode(name).decode("utf-8", "replace")
