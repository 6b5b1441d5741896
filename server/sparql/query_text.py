"""The text of a query: what must be known of it before Oxigraph gets to see it.

Oxigraph follows ``SERVICE`` to wherever it leads and has no option against it. Its grammar knows no
tokens: ``SERVICEex:a {}`` and ``trueSERVICE<a>{}`` are calls to it as well, and whether ``<`` opens
an IRI or compares depends on what is around it. So what looks like a call is one, wherever it
stands: a harmless query is refused for a text such as ``GRAPH service:a {``, which another prefix
avoids, or for a call in a comment.
"""

import re

_SKIP = r"(?:[ \t\r\n]|\#[^\r\n]*+)*+"
_CALL = re.compile(
    rf"""[?$]\w*+ | (?P<call> SERVICE {_SKIP} (?: SILENT {_SKIP} )?
    (?: <[^<>"{{}}|^`\x00-\x20]*> | (?: \\. | [^ \t\r\n{{}}<>"'\#()\\] )++ )
    {_SKIP} \{{ )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL | re.ASCII,
)
"""A variable, or a call."""
_MOST_WORDS = 200
"""Of "service" in a query: as many times, its text may be read to its end."""
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_HIGHEST = 0x10FFFF
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+""" | "(?:[^"\\\r\n]|\\.)*+"
    | [']{3}(?:[^'\\]|\\.|'(?!''))*+[']{3} | '(?:[^'\\\r\n]|\\.)*+'
    | <[^<>"{}|^`\x00-\x20]*> | \#[^\r\n]* | [?$@]\w* | (?:[^\W\d][\w.-]*)?:[\w.:%\\-]*
    | (?P<word>[A-Za-z]+)''',
    re.VERBOSE | re.DOTALL,
)
_UPDATES = {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}


def calls_service(query: str) -> bool:
    """Return whether a query may ask another server.

    Escapes such as ``\\u0053`` are read both ways: as the characters that they stand for, as
    SPARQL 1.1 has it (19.2), and as they are.
    """
    return any(map(_calls_service, {query, _ESCAPE.sub(_character, query)}))


def _calls_service(text: str) -> bool:
    if text.lower().count("service") > _MOST_WORDS:
        return True
    return any(match["call"] for match in _CALL.finditer(text))


def _character(escape: re.Match[str]) -> str:
    code = int(escape.group(1) or escape.group(2), 16)
    return chr(code) if code <= _HIGHEST else escape.group()


def has_dataset_clause(query: str) -> bool:
    """Return whether a query says itself, by ``FROM``, what it is asked of."""
    return "FROM" in _keywords(query)


def is_update(query: str) -> bool:
    """Return whether a text that is no query is an update."""
    first = next((word for word in _keywords(query) if word not in ("BASE", "PREFIX")), "")
    return first in _UPDATES


def _keywords(query: str) -> list[str]:
    """Return the words outside strings, names and comments; ``<`` opens an IRI if it can."""
    return [token["word"].upper() for token in _TOKEN.finditer(query) if token["word"]]
