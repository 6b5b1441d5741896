"""Texts of files, whatever their compression and encoding: by lines, by blocks of lines, or whole.

A block is a record of a format in which a line marks the beginning of each, with its first line.
"""

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from stemma.extract.formats.document import DamagedError, Document
from stemma.schema import Problem
from stemma.schema.text_line import MAX_RECORD_SIZE, Line, shown_size, split_lines, too_long

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
    for each in portions(document):
        parts.append(each.text)
        size += len(each.text)
        if size > RECORDS * longest:
            document.note(too_long(longest), skipped=True)
            return ""
    text = "".join(parts)
    return text + "\n" if text else ""


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


def blocks(
    document: Document, begin: re.Pattern[str], longest: int
) -> Iterator[Line[str] | Problem]:
    """Yield the records of a document, from a line that `begin` matches to before the next one.

    Text before the first is ignored. Records over `longest` characters are skipped.
    """
    held: list[str] = []
    number = size = 0

    def block() -> Iterator[Line[str] | Problem]:
        if size > longest:
            yield Problem(document.name, number, too_long(longest), skipped=True)
        elif number:
            yield Line(number, "".join(held))

    at_start = True
    for each in lines(document, longest):
        if at_start and begin.match(each.text):
            yield from block()
            held, number, size = [], each.number, 0
        if number:
            size += len(each.text) + 1
            if size <= longest:
                held.append(each.text + "\n" * each.is_last)
            else:
                held.clear()
        at_start = each.is_last
    yield from block()


def storable(text: str) -> str:
    """Put U+FFFD for each character that XML and UTF-8 cannot hold; offsets stay."""
    # Most texts have no other characters that are not printed than line ends, which is soon seen.
    return text if text.replace("\n", " ").isprintable() else _UNSTORABLE.sub("\ufffd", text)


def lines(document: Document, longest: int = MAX_RECORD_SIZE) -> Iterator[Line[str]]:
    """Read the lines of a document, one portion in memory; a file that ends a line ends in "".

    Those over `longest` come in pieces. Otherwise as `portions`.
    """
    return split_lines((each.text for each in portions(document)), "\n", longest)


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
    """Return the beginning of the text of a document. Raises OSError where it cannot be opened."""
    head = document.head
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
