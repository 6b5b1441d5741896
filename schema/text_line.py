"""Lines of files, read in bounded memory however long they are."""

from collections.abc import Iterable, Iterator
from typing import AnyStr, Generic, NamedTuple

MAX_RECORD_SIZE = 8 * 1024 * 1024
"""The largest record that is read by default: bytes, or characters of a text."""
_SHOWN_OF_TOO_LONG = 1000


class Line(NamedTuple, Generic[AnyStr]):
    """A line and its number, from 1; or a piece of one that is too long, up to the last."""

    number: int
    text: AnyStr
    is_last: bool = True


def split_lines(
    chunks: Iterable[AnyStr], newline: AnyStr, longest: int = MAX_RECORD_SIZE
) -> Iterator[Line[AnyStr]]:
    """Split chunks into lines, those over `longest` into pieces of about that size.

    Text that ends a line ends in an empty one. Of chunks that are all blank only one line is given,
    so that a file of nothing but line ends is soon read.
    """
    number, size = 1, 0
    empty = newline[:0]
    pending: list[AnyStr] = []
    for chunk in chunks:
        if chunk.isspace() and newline in chunk and not size:
            yield Line(number, empty)
            number += chunk.count(newline)
            pending = [empty]
            continue
        parts = chunk.split(newline)
        pending.append(parts[0])
        for text in parts[1:]:
            yield Line(number, empty.join(pending))
            number += 1
            pending.clear()
            pending.append(text)
            size = 0
        size += len(pending[-1])
        if size > longest:
            yield Line(number, empty.join(pending), is_last=False)
            pending, size = [empty], 0
    if pending:
        yield Line(number, empty.join(pending))


def whole_lines(
    lines: Iterable[Line[AnyStr]], longest: int = MAX_RECORD_SIZE
) -> Iterator[Line[AnyStr]]:
    """Pass on whole lines, and of one over `longest` only how it begins (not `is_last`)."""
    goes_on = False
    for line in lines:
        if not goes_on:
            fits = line.is_last and len(line.text) <= longest
            yield line if fits else Line(line.number, line.text[:_SHOWN_OF_TOO_LONG], is_last=False)
        goes_on = not line.is_last


def too_long(longest: int) -> str:
    """Say why a record that is larger than `longest` is skipped."""
    return (
        f"a record of more than {shown_size(longest)} was skipped; the setting max-record-size "
        "accepts larger ones"
    )


def shown_size(size: int) -> str:
    """Write a size in the largest unit that leaves it whole: ``8 MiB``."""
    for unit, bytes_ in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size % bytes_ == 0:
            return f"{size // bytes_} {unit}"
    return f"{size:,} bytes"
