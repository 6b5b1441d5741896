"""Documents: the files that papers are read from."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path

from stemma.extract.formats.compression import (
    CHUNK,
    DamagedError,
    compression,
    expanded,
    without_compression,
)
from stemma.schema.paper import Source
from stemma.schema.partial_date import PartialDate


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
