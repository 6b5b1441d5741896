"""Records of papers: what was read in them, in the interchange format, compressed; and a buffer for
those that wait to be written, on disk rather than in memory.

The record of a paper has its texts once: those of mentions and of evidence compress to little. What
most records have in common is in a dictionary, which saves a quarter; zlib adds a checksum. The
dictionary belongs to the format of the file: with another one, no record can be read.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile, gettempdir

import msgspec

from stemma.graph.store import StoreError
from stemma.schema import Extraction, Paper
from stemma.schema.interchange import dump

_LENGTH = 8
"""Bytes that say how many of a record follow in a buffer."""
_DICTIONARY = Path(__file__).with_name("record_dictionary.txt").read_bytes()


def as_text(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


def code_of(key: str) -> int:
    """Return a number for a key, which takes less room; no two keys of a store share one."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


def record_of(extraction: Extraction) -> tuple[bytes, bytes]:
    """Return the record of a paper, without its vector, and a digest of both."""
    record = dump(replace(extraction, vector=b"")).encode()
    return record, blake2b(record + extraction.vector, digest_size=16).digest()


def compressed(record: bytes) -> bytes:
    """Return the record of a paper, given in the interchange format."""
    packer = zlib.compressobj(zdict=_DICTIONARY)
    return packer.compress(record) + packer.flush()


def plain(record: bytes) -> bytes:
    """Return the record without compression. Raises ValueError or zlib.error if it is damaged."""
    unpacker = zlib.decompressobj(zdict=_DICTIONARY)
    found = unpacker.decompress(record)
    if not unpacker.eof:
        raise ValueError("it was cut off")
    return found


class _OfPaper(msgspec.Struct):
    """A record of which the paper alone is read, in half of the time."""

    paper: Paper


class _Texts(msgspec.Struct):
    title: str
    abstract: str


class _OfTexts(msgspec.Struct):
    """A record of which the texts alone are read."""

    paper: _Texts


def unpacked(record: bytes) -> Extraction:
    """Return the extraction in a record. Raises ValueError or zlib.error if it is damaged."""
    return msgspec.json.decode(plain(record), type=Extraction)


def paper_in(record: bytes) -> Paper:
    """Return the paper of a record alone. Raises what `unpacked` does."""
    return msgspec.json.decode(plain(record), type=_OfPaper).paper


def texts(record: bytes) -> str:
    """Return the title and the abstract of the paper in a record, as one text."""
    paper = msgspec.json.decode(plain(record), type=_OfTexts).paper
    return " ".join(filter(None, (paper.title, paper.abstract)))


class Buffer:
    """Stores bytes in a temporary file, and returns them by their place there."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the buffer

    def put(self, data: bytes) -> int:
        """Store some bytes, and return their place. Raises StoreError where there is no space."""
        with _errors_translated():
            place = self._file.seek(0, 2)
            self._file.write(len(data).to_bytes(_LENGTH) + data)
        return place

    def get(self, place: int) -> bytes:
        """Return the bytes at a place. Raises StoreError where there is no space."""
        with _errors_translated():
            self._file.seek(place)  # What waits in memory is written first.
        return self._file.read(int.from_bytes(self._file.read(_LENGTH)))

    def clear(self) -> None:
        """Forget all."""
        with suppress(OSError):  # What waits in memory may have no space.
            self._file.truncate(0)

    def close(self) -> None:
        """Delete the temporary file."""
        with suppress(OSError):
            self._file.close()


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{gettempdir()}, where papers wait to be committed, cannot be written: "
            f"{error.strerror}. TMPDIR can name another folder."
        ) from error
