"""Groups in braces, in LaTeX source."""

import re
from collections.abc import Iterator

_BRACE = re.compile(r"\\.|[{}]", re.S)
_MOST_UNCLOSED = 20
"""For each, the rest of the text is searched."""


def arguments(text: str, command: str) -> Iterator[str]:
    """Yield the arguments of the uses of a command, which may have options before them."""
    pattern = re.compile(
        rf"\\{command}\s*(?:\[(?:[^\[\]]|\[[^\[\]]{{0,200}}\]){{0,500}}\]\s*)?(?=\{{)"
    )
    return (argument for _, argument in uses(text, pattern))


def uses(text: str, command: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the uses of a command before a brace, each with its argument; none within another."""
    end = unclosed = 0
    for found in command.finditer(text):
        if found.start() < end:
            continue
        argument = balanced(text, found.end())
        if argument is not None:
            end = found.end() + len(argument) + 2
            yield found, argument
        elif (unclosed := unclosed + 1) == _MOST_UNCLOSED:
            return


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
