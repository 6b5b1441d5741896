"""Groups in braces, in LaTeX source."""

import re
from collections.abc import Iterator

_BRACE = re.compile(r"\\.|[{}]", re.S)


def arguments(text: str, command: str) -> Iterator[str]:
    """Return the arguments of each use of a command."""
    pattern = re.compile(rf"\\{command}\s*(?:\[(?:[^\[\]]|\[[^\]]*\])*\]\s*)?(?=\{{)")
    for found in pattern.finditer(text):
        own = balanced(text, found.end())
        if own is not None:
            yield own


def balanced(text: str, start: int, longest: int = 1 << 20) -> str | None:
    """Return the text between the brace at `start` and the one that closes it.

    None if that is not among the next `longest` characters.
    """
    depth = 0
    for found in _BRACE.finditer(text, start, start + longest):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return text[start + 1 : found.start()]
    return None
