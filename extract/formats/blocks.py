"""Blocks of lines: the records of formats in which a line marks the beginning of each."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import lines
from stemma.schema.problem import Problem
from stemma.schema.text_line import too_long


class Block(NamedTuple):
    """The lines of a record, with the number of the first."""

    line: int
    text: str


def blocks(document: Document, begin: re.Pattern[str], longest: int) -> Iterator[Block | Problem]:
    """Cut a document into blocks, each from a line that `begin` matches to before the next.

    Text before the first is ignored. Blocks over `longest` characters are skipped.
    """
    held: list[str] = []
    number = size = 0
    at_start = True
    for each in lines(document, longest):
        if isinstance(each, Problem):
            yield each
            continue
        if at_start and begin.match(each.text):
            if number:
                yield _block(document, number, held, size, longest)
            held, number, size = [], each.number, 0
        if number:
            size += len(each.text) + 1
            if size <= longest:
                held.append(each.text + "\n" * each.is_last)
            else:
                held.clear()
        at_start = each.is_last
    if number:
        yield _block(document, number, held, size, longest)


def _block(
    document: Document, number: int, held: list[str], size: int, longest: int
) -> Block | Problem:
    if size > longest:
        return Problem(document.name, number, too_long(longest), skipped=True)
    return Block(number, "".join(held))
