"""Groups in braces, in LaTeX source."""

import re
from collections.abc import Iterator


def arguments(text: str, command: str) -> Iterator[str]:
    """Return the arguments of each use of a command."""
    pattern = re.compile(rf"\\{command}\s*(?:\[(?:[^\[\]]|\[[^\]]*\])*\]\s*)?(?=\{{)")
    for found in pattern.finditer(text):
        own = balanced(text, found.end())
        if own is not None:
            yield own


def balanced(text: str, start: int) -> str | None:
    """Return what stands between the brace at `start` and the one that closes it."""
    depth, i = 0, start
    for found in re.compile(r"\\.|[{}]", re.S).finditer(text, start):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if not depth:
                return text[start + 1 : found.start()]
        i = found.end()
        if i - start > 1 << 20:
            return None
    return None
