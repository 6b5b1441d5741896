"""The text of a question: what must be known of it before ladybug gets to see it.

A database that is opened to be read still reads files (``LOAD FROM``) and calls procedures
(``CALL``), and ladybug has no setting against either. Both are clauses, which may stand anywhere
behind the first one.
"""

import re

from stemma.graph.store import StoreError

_FIRST = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
_PARTS = re.compile(
    r"""(?P<comment> /\* .*? \*/ | //[^\r\n]* )
    | (?P<quoted> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | `[^`]*` )""",
    re.DOTALL | re.VERBOSE,
)
# Keywords may follow a number without a space: LIMIT 1e1LOAD FROM ….
_DOORS = re.compile(r"(?<![^\W\d])(?:LOAD|CALL)(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"\s*(\w*)")
_NO_LINE_END = re.compile(r"[^\r\n]")


def reading(query: str, elsewhere: str) -> str:
    """Return a question without its comments, everything else at its place.

    Raises StoreError, ending with `elsewhere`, for what does more than to read the graph. Where a
    comment ends is thus settled here: ladybug lets ``/* **/`` go on, others do not.
    """
    text = _PARTS.sub(lambda part: _blank(part) if part["comment"] else part.group(), query)
    first = _WORD.match(text)
    if first is None or first[1].upper() not in _FIRST:
        raise StoreError(
            "A store in a folder supports queries that begin with MATCH, OPTIONAL MATCH, UNWIND, "
            f"WITH or RETURN. {elsewhere}"
        )
    if found := _DOORS.search(_PARTS.sub(_blank, text)):
        raise StoreError(
            f"A store in a folder does not support queries with {found.group().upper()}: they "
            "could read more than the graph. (A name is written in backquotes: "
            f"`{found.group()}`.) {elsewhere}"
        )
    return text


def _blank(part: re.Match[str]) -> str:
    return _NO_LINE_END.sub(" ", part.group())
