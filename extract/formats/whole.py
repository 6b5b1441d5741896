"""Documents of one paper or one page, which are held in memory whole."""

from stemma.extract.formats.compression import DamagedError
from stemma.extract.formats.document import Document
from stemma.extract.formats.lines import lines
from stemma.schema.problem import Problem
from stemma.schema.text_line import shown_size, too_long

RECORDS = 8
"""How many of the largest records a document may be as large as."""


def whole_text(document: Document, longest: int) -> tuple[str, list[Problem]]:
    """Return the text of a document and what is wrong with it; no text where it is too large."""
    parts: list[str] = []
    problems: list[Problem] = []
    size = 0
    for each in lines(document, longest):
        if isinstance(each, Problem):
            problems.append(each)
            continue
        size += len(each.text) + 1
        if size > RECORDS * longest:
            return "", [*problems, Problem(document.name, None, too_long(longest), skipped=True)]
        parts += (each.text, "\n") if each.is_last else (each.text,)
    return "".join(parts), problems


def whole_bytes(document: Document, longest: int) -> bytes | Problem:
    """Return the bytes of a document, or that it is too large or damaged."""
    data = bytearray()
    try:
        for chunk in document.chunks():
            data += chunk
            if len(data) > RECORDS * longest:
                reason = f"larger than {shown_size(RECORDS * longest)}: skipped"
                return Problem(document.name, None, reason, skipped=True)
    except DamagedError as error:
        return Problem(document.name, None, str(error), skipped=True)
    return bytes(data)
