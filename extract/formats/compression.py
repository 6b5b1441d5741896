"""Compressed files: gzip, bzip2, xz and Zstandard, distinguished by how they begin."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import PurePath
from typing import Any, BinaryIO

from stemma.distribution import install

CHUNK = 1 << 16
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_LONGEST_MAGIC = max(map(len, _MAGIC))
_ENDINGS = {".gz": "gzip", ".tgz": "gzip", ".bz2": "bzip2", ".tbz2": "bzip2"}
_ENDINGS |= {".xz": "xz", ".txz": "xz", ".zst": "zstd", ".tzst": "zstd"}
_MOST_MEMORY = 256 << 20
"""Bytes that a decompressor may ask for, whatever the file says it needs."""
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


def decompressed(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Read a file that is compressed as `name` says, in chunks.

    Raises DamagedError where it is damaged, after all that comes before has been read.
    """
    try:
        yield from _READERS[name](file)
    except DamagedError:
        raise
    except OSError as error:
        if error.errno is not None:  # the disk's fault
            raise
        raise _damaged(name, error) from error
    except (EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise _damaged(name, error) from error


def expanded(file: BufferedReader, path: PurePath, size: int) -> Iterator[bytes]:
    """Read an opened file in chunks, uncompressed whatever its compression.

    `size` is that of the file, which bounds what it may expand to. Raises as `decompressed`.
    """
    name = compression(path, file.peek(_LONGEST_MAGIC)[:_LONGEST_MAGIC])
    if name is None:
        while chunk := file.read1(CHUNK):
            yield chunk
    else:
        room = ExpansionLimit(size)
        for chunk in decompressed(file, name):
            room.take(len(chunk))
            yield chunk


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


def _gzip(file: BinaryIO) -> Iterator[bytes]:
    stream = gzip.GzipFile(fileobj=file)
    # read1 hands over all that stands before the place of an error; read would not.
    while chunk := stream.read1(CHUNK):
        yield chunk


def _streams(file: BinaryIO, new: Callable[[], Any]) -> Iterator[bytes]:
    """Decompress the streams that bz2 or lzma read, each chunk bounded, however much it expands."""
    data, stream, begun = b"", new(), False
    while True:
        if stream.eof:
            data, stream, begun = stream.unused_data, new(), False
        if not data and stream.needs_input:
            data = file.read(CHUNK)
            if not data:
                break
        begun = True
        chunk = stream.decompress(data, CHUNK)
        data = b""
        if chunk:
            yield chunk
    if begun:
        raise EOFError("the file ends before its end marker")


def _zstd(file: BinaryIO) -> Iterator[bytes]:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = f"Zstandard files need an extra: {install('zstd')}"
        raise DamagedError(message) from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MOST_MEMORY)
    try:
        with decompressor.stream_reader(file, read_across_frames=True, closefd=False) as stream:
            while chunk := stream.read(CHUNK):
                yield chunk
    except zstandard.ZstdError as error:
        raise _damaged("zstd", error) from error


_READERS = {
    "gzip": _gzip,
    "bzip2": lambda file: _streams(file, bz2.BZ2Decompressor),
    "xz": lambda file: _streams(file, lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY)),
    "zstd": _zstd,
}
