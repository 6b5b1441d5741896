"""The text of a query: what must be known of it before Oxigraph gets to see it.

Oxigraph follows ``SERVICE`` to wherever it leads and has no option against it. Its grammar knows no
tokens: ``SERVICEex:a {}`` and ``trueSERVICE<a>{}`` are calls to it as well, and whether ``<`` opens
an IRI or compares depends on what is around it. So all readings of a text are followed at once,
and one in which a service is called is enough. For a harmless query to be refused it needs a text
such as ``GRAPH service:a {``, which another prefix avoids.
"""

import re
from collections.abc import Iterator

_SKIP = r"(?:[ \t\r\n]|\#[^\r\n]*+)*+"
_CALL = re.compile(
    rf"""SERVICE {_SKIP} (?: SILENT {_SKIP} )?
    (?: <[^<>"{{}}|^`\x00-\x20]*> | (?: \\. | [^ \t\r\n{{}}<>"'\#()\\] )++ )
    {_SKIP} \{{""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL | re.ASCII,
)
_IRI = re.compile(r'<[^<>"{}|^`\x00-\x20]*>')
_STRINGS = {
    '"': (
        re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*+"""', re.DOTALL),
        re.compile(r'"(?:[^"\\\r\n]|\\.)*+"'),
    ),
    "'": (
        re.compile(r"'''(?:[^'\\]|\\.|'(?!''))*+'''", re.DOTALL),
        re.compile(r"'(?:[^'\\\r\n]|\\.)*+'"),
    ),
}
_WHOLE = {
    "#": re.compile(r"#[^\r\n]*"),
    "?": re.compile(r"\?\w*"),
    "$": re.compile(r"\$\w*"),
    "@": re.compile(r"@[A-Za-z]*(?:-[A-Za-z0-9]+)*"),
    ":": re.compile(r":(?:[\w.:\-]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])*"),
}
"""What holds no keyword, by its first character: comments, variables, ends of prefixed names."""
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_HIGHEST = 0x10FFFF
_WORD = re.compile(r"[A-Za-z]+")


def calls_service(query: str) -> bool:
    """Return whether a query may ask another server, in any reading of it.

    Escapes such as ``\\u0053`` are read both ways: as the characters that they stand for, as
    SPARQL 1.1 has it (19.2), and as they are.
    """
    return any(
        "service" in text.lower() and _calls_service(text) for text in {query, _unescaped(query)}
    )


def _calls_service(text: str) -> bool:
    seen, ahead = set[int](), [0]
    while ahead:
        place = ahead.pop()
        if place in seen or place >= len(text):
            continue
        seen.add(place)
        if text[place] in "sS" and _CALL.match(text, place):
            return True
        ahead.extend(_next_places(text, place))
    return False


def _next_places(text: str, place: int) -> Iterator[int]:
    """Yield where what begins at `place` may end."""
    first = text[place]
    if first in _STRINGS:
        # A quotation mark on its own is no SPARQL: that reading ends there.
        for string in _STRINGS[first]:
            if found := string.match(text, place):
                yield found.end()
        return
    if first == "<" and (found := _IRI.match(text, place)):
        yield found.end()
    if first in _WHOLE and (found := _WHOLE[first].match(text, place)):
        yield found.end()
    else:
        yield place + 1


def _unescaped(query: str) -> str:
    def character(found: re.Match[str]) -> str:
        code = int(found.group(1) or found.group(2), 16)
        return chr(code) if code <= _HIGHEST else found.group()

    return _ESCAPE.sub(character, query)


def has_dataset_clause(query: str) -> bool:
    """Return whether a query says itself, by ``FROM``, what it is asked of."""
    return any(word == "FROM" for word in _keywords(query))


def is_update(query: str) -> bool:
    """Return whether a text that is no query is an update."""
    first = next((word for word in _keywords(query) if word not in ("BASE", "PREFIX")), "")
    return first in _UPDATES


_UPDATES = {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}


def _keywords(query: str) -> Iterator[str]:
    """Yield the words outside brackets, in the plain reading: ``<`` opens an IRI if it can."""
    depth = place = 0
    while place < len(query):
        first = query[place]
        if word := _WORD.match(query, place):
            place = word.end()
            if not depth and query[place : place + 1] != ":":
                yield word.group().upper()
            continue
        depth += (first in "{(") - (first in "})")
        if first in _STRINGS:
            place = next(_next_places(query, place), place + 1)
        else:
            place = max(_next_places(query, place))
