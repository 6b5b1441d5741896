"""The text of a query, and what is checked before ladybug runs it.

A database that is opened to be read still reads files (``LOAD FROM``) and calls procedures
(``CALL``), and ladybug has no setting against either. Both are clauses, which may come anywhere
after the first one.
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
    """Return a query without its comments; everything else keeps its position.

    Raises StoreError, ending with `elsewhere`, for a query that does more than read the graph.
    Comments are removed because ladybug does not end one at ``/* **/``, where others do.
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
