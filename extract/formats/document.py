"""Documents: the files that papers are read from, also compressed and in archives, and their text.

They are compressed by gzip, bzip2, xz or Zstandard, distinguished by how a file begins. Archives,
.zip and .tar, are read as folders that they are unpacked to for the time being. The names in an
archive are only names: nothing is ever written to where they point.

Text, in whatever encoding, is read by lines, by blocks of lines, or whole. A block is a record
of a format in which a line marks the beginning of each, with its first line.
"""

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EEXIST, EINVAL, EISDIR, ENAMETOOLONG, ENOTDIR
from functools import cached_property
from hashlib import file_digest
from itertools import chain, islice
from pathlib import Path, PurePath, PurePosixPath
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO

from stemma.distribution import install
from stemma.schema import PartialDate, Problem, Source
from stemma.schema.text_line import MAX_RECORD_SIZE, Line, shown_size, split_lines, too_long

CHUNK = 1 << 16
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_LONGEST_MAGIC = max(map(len, _MAGIC))
_ENDINGS = {".gz": "gzip", ".tgz": "gzip", ".bz2": "bzip2", ".tbz2": "bzip2"}
_ENDINGS |= {".xz": "xz", ".txz": "xz", ".zst": "zstd", ".tzst": "zstd"}
_OPEN: Mapping[str, Callable[..., Any]] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
_LARGEST_WINDOW = 256 << 20
"""Bytes of memory that a file of Zstandard may ask for."""
_ALWAYS_EXPANDED = 256 << 20
_HTML = re.compile(rb"[^\x00]{0,2000}?<(?:!doctype\s+html|html)\b", re.I)
_EMBEDDED = re.compile(
    rb"<(script|style)\b(?![^>]{0,100}ld\+json)(?:.*?</\1\s*>|.*)|data:[^\s\"'()<>]{200,}",
    re.I | re.S,
)
"""What pages that need no other files have before their text, and in it."""
_MOST_CHUNKS = 256
_MOST_UNREAD = 100_000
"""Problems in succession after which a file is made to be read for ever, or holds no papers."""
_MOST_EXPANSION = 200
"""How many times its size a file may expand beyond that: papers shrink five to thirty times."""


class DamagedError(EOFError):
    """A compressed file is damaged, cut off, or expands without limit."""


class NothingReadError(Exception):
    """So much of a file cannot be read that the rest of it is not looked at."""


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


class ExpansionLimit:
    """The number of bytes that a compressed file of `size` bytes may still expand to."""

    def __init__(self, size: int) -> None:
        self._left = max(_ALWAYS_EXPANDED, _MOST_EXPANSION * size)

    @property
    def is_full(self) -> bool:
        """Whether the file has expanded to more bytes than it may."""
        return self._left < 0

    def take(self, size: int) -> None:
        """Count bytes. Raises DamagedError if they are too many: made to fill memory or a disk."""
        self._left -= size
        if self.is_full:
            raise DamagedError(f"it expands to more than {_MOST_EXPANSION} times its size")


_FAULTS = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,  # an unknown method of compression
    RuntimeError,  # encrypted
    ValueError,
    OSError,
)


def _damaged(what: str, error: Exception) -> DamagedError:
    """Return what a fault of a compressed file or an archive means; raise it if it is the disk's.

    A damaged archive leads to places before its start.
    """
    if isinstance(error, OSError) and error.errno not in (None, EINVAL):
        raise error
    if isinstance(error, DamagedError):
        return error
    return DamagedError(f"damaged or cut-off {what} ({error or type(error).__name__})")


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
        raise _damaged("zstd file", error) from error


@dataclass(frozen=True)
class Document:
    """A file of papers; `name` is what sources call it, with ``/`` between folders."""

    path: Path
    name: str
    problems: list[Problem] = field(default_factory=list, init=False, compare=False)
    """What is wrong with the file, as far as it has been read and nobody has reported it."""

    def note(self, reason: str, line: int | None = None, *, skipped: bool = False) -> None:
        """Note what is wrong with the file. Raises NothingReadError once that is too much."""
        self.add(Problem(self.name, line, reason, skipped))

    def add(self, problem: Problem) -> None:
        """Note a problem, as `note`."""
        self.problems.append(problem)
        if len(self.problems) == _MOST_UNREAD:
            raise NothingReadError(f"{_MOST_UNREAD:,} problems and no paper")

    def reported(self) -> list[Problem]:
        """Return the problems that nobody has reported, for somebody who does."""
        problems = self.problems.copy()
        self.problems.clear()
        return problems

    @property
    def format(self) -> str:
        """The ending of the name of the file, without the ending of its compression: ``json``."""
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
            name = compression(self.path, file.peek(_LONGEST_MAGIC))
            if name is None:
                yield from _chunks(file)
                return
            room = ExpansionLimit(self.size)
            try:
                for chunk in _zstd(file) if name == "zstd" else _chunks(_OPEN[name](file)):
                    room.take(len(chunk))
                    yield chunk
            except DamagedError:
                raise
            except _FAULTS as error:
                raise _damaged(f"{name} file", error) from error

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


MOST_LEVELS = 3
"""How deep archives may be nested."""
_BLOCK = 4096
"""Bytes of a disk that a file takes at the least."""


@dataclass(frozen=True)
class Member(Document):
    """A file of an archive, unpacked to below `root`."""

    archive: Document
    root: Path
    room: ExpansionLimit
    """What all files of the archive, and of those in it, may expand to together."""

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the archive of the file: the archive is what people have."""
        return self.archive.sha256


def unpack(archive: Document, root: Path, room: ExpansionLimit) -> Iterator[Problem]:
    """Unpack an archive to a folder, as far as it is not damaged; yield what is wrong with it."""
    level, outer = 1, archive
    while isinstance(outer, Member):
        level, outer = level + 1, outer.archive
    if level > MOST_LEVELS:
        yield Problem(archive.name, None, f"an archive inside {MOST_LEVELS} others is not read")
        return
    with archive.path.open("rb") as file, TemporaryFile() as held:
        is_plain = compression(archive.path, file.peek(_LONGEST_MAGIC)) is None
        try:
            for chunk in () if is_plain else archive.chunks():
                held.write(chunk)
        except DamagedError as error:
            yield Problem(archive.name, None, str(error))
        held.seek(0)
        files = _zip_files if archive.archive_kind == "zip" else _tar_files
        try:
            for name, stream in files(file if is_plain else held):
                own = _plain(name)
                if wrong := _write(stream, root / own, room):
                    yield Problem(f"{archive.name}/{own}", None, wrong)
                if room.is_full:
                    return
        except _FAULTS as error:
            yield Problem(archive.name, None, str(_damaged("archive", error)))


def _write(stream: IO[bytes], path: Path, room: ExpansionLimit) -> str | None:
    """Write a file of an archive; return what is wrong with it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            room.take(_BLOCK)
            while chunk := stream.read(CHUNK):
                room.take(len(chunk))
                file.write(chunk)
    except _FAULTS as error:
        if getattr(error, "errno", None) in (EEXIST, EISDIR, ENAMETOOLONG, ENOTDIR):
            return "its name is too long, or that of another file"
        return str(_damaged("archive", error))
    return None


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


def _plain(name: str) -> str:
    """Return a name that stays within the archive, also where it was made to climb out of it."""
    name = name.encode("utf-8", "replace").decode().replace("\\", "/")
    parts = PurePosixPath(name).parts
    return "/".join(part for part in parts if part.strip("/") not in ("", ".", "..")) or "unnamed"


RECORDS = 8
"""How many of the largest records a document may be as large as."""
REPLACED = "invalid characters are replaced by U+FFFD"
_NOT_UTF8 = "not UTF-8: from here on such bytes are read as Windows-1252; save the file as UTF-8"
_NO_TEXT = "not text, or UTF-16 without its byte order mark; save it as UTF-8"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BAD_BYTE = re.compile("[\udc80-\udcff]")
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BYTE_ORDER_MARKS = (  # UTF-32's little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_XML = re.compile(
    rb"""<\?xml[^>]{0,100}encoding=["']((?:iso-?8859|latin|us-ascii|windows-125|koi8|gb|big5|"""
    rb"""euc|shift)[\w-]{0,20})["']""",
    re.I,
)
"""The encodings, besides those of Unicode, that the first line of a file in XML may declare."""


def whole_text(document: Document, longest: int) -> str:
    """Return the text of a document; nothing where it is too large, which is noted."""
    parts: list[str] = []
    size = 0
    for portion in portions(document):
        parts.append(portion.text)
        size += len(portion.text)
        if size > RECORDS * longest:
            document.note(too_long(longest), skipped=True)
            return ""
    text = "".join(parts)
    return text + "\n" if text else ""


Texts = Callable[[str], str | None]
"""Returns the text of a file by its path from the folder of a document; None if there is none."""


def texts_beside(document: Document, longest: int) -> Texts:
    """Return a function that reads the files beside a document, none outside of its archive."""
    folder = document.path.parent
    root = document.root if isinstance(document, Member) else folder

    def text(name: str) -> str | None:
        try:
            path = (folder / name).resolve()
            if not path.is_relative_to(root.resolve()) or not path.is_file():
                return None
            return whole_text(Document(path, name), longest)
        except (OSError, ValueError):
            return None

    return text


def whole_bytes(document: Document, longest: int) -> bytes | None:
    """Return the bytes of a document; None where it is too large or damaged, which is noted."""
    data = bytearray()
    try:
        for chunk in document.chunks():
            data += chunk
            if len(data) > RECORDS * longest:
                document.note(f"larger than {shown_size(RECORDS * longest)}: skipped", skipped=True)
                return None
    except DamagedError as error:
        document.note(str(error), skipped=True)
        return None
    return bytes(data)


def blocks(document: Document, begin: re.Pattern[str], longest: int) -> Iterator[Line[str]]:
    """Yield the records of a document, from a line that `begin` matches to before the next one.

    Text before the first is ignored. Records over `longest` characters are skipped.
    """
    held: list[str] = []
    number = size = 0

    def block() -> Iterator[Line[str]]:
        if size > longest:
            document.note(too_long(longest), number, skipped=True)
        elif number:
            yield Line(number, "".join(held))

    at_start = True
    for line in lines(document, longest):
        if at_start and begin.match(line.text):
            yield from block()
            held, number, size = [], line.number, 0
        if number:
            size += len(line.text) + 1
            if size <= longest:
                held.append(line.text + "\n" * line.is_last)
            else:
                held.clear()
        at_start = line.is_last
    yield from block()


def storable(text: str) -> str:
    """Put U+FFFD for each character that XML and UTF-8 cannot hold; offsets stay."""
    # Most texts have no other characters that are not printed than line ends, which is soon seen.
    return text if text.replace("\n", " ").isprintable() else _UNSTORABLE.sub("\ufffd", text)


def lines(document: Document, longest: int = MAX_RECORD_SIZE) -> Iterator[Line[str]]:
    """Read the lines of a document, one portion in memory; a file that ends a line ends in "".

    Those over `longest` come in pieces. Otherwise as `portions`.
    """
    return split_lines((portion.text for portion in portions(document)), "\n", longest)


def portions(document: Document) -> Iterator[Line[str]]:
    """Read the text of a document in portions, each with the number of the line it begins in.

    Lines end in LF, for which the file may have CR LF or CR. A file that is damaged or cut off is
    read as far as it goes; one that holds no text has no portions. Either is noted. Raises OSError
    where it cannot be opened.
    """
    decoder: io.IncrementalNewlineDecoder | None = None
    number, is_utf8 = 1, True
    try:
        for chunk in chain(document.chunks(), [b""]):
            is_first, decoder = decoder is None, decoder or _decoder(chunk)
            text = decoder.decode(chunk, final=not chunk)
            if is_first and len(_CONTROL.findall(text)) >= len(text) / 100:
                document.note(_NO_TEXT if chunk else "the file is empty")
                return
            bad = None if text.isascii() else _BAD_BYTE.search(text)
            if bad and is_utf8:
                is_utf8 = False
                document.note(_NOT_UTF8, number + text.count("\n", 0, bad.start()))
            if text:
                yield Line(number, _BAD_BYTE.sub(_from_windows, text) if bad else text)
            number += text.count("\n")
    except DamagedError as error:
        cut = "the text before it was read" if decoder else "nothing could be read"
        document.note(f"{error}; {cut}")


def start(document: Document) -> str:
    """Return the beginning of the text of a document, of HTML without programs and pictures.

    Raises OSError where it cannot be opened.
    """
    head = document.head
    if len(head) >= CHUNK and _HTML.match(head):
        with suppress(DamagedError):
            head = _EMBEDDED.sub(b"", b"".join(islice(document.chunks(), _MOST_CHUNKS)))[:CHUNK]
    return _decoder(head).decode(head) if head else ""


def _from_windows(bad: re.Match[str]) -> str:
    """Read a byte that was not UTF-8 in the encoding that is the likeliest."""
    return bytes([ord(bad[0]) - 0xDC00]).decode("cp1252", "replace")


def _decoder(start: bytes) -> io.IncrementalNewlineDecoder:
    """Return what decodes a text, with LF for line ends, and bad bytes as lone surrogates."""
    encoding, errors = "utf-8-sig", "surrogateescape"
    for mark, marked in _BYTE_ORDER_MARKS:
        if start.startswith(mark):
            encoding, errors = marked, "replace"
            break
    if declared := _XML.match(start):
        with suppress(LookupError):
            encoding, errors = codecs.lookup(declared[1].decode()).name, "replace"
    return io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(errors), True)
