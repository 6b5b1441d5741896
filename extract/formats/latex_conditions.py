"""Parts of LaTeX source that are not typeset: comments, and what a condition leaves out."""

import re

_BEGIN, _END = re.compile(r"\\begin\s*\{comment\}"), re.compile(r"\\end\s*\{comment\}")
_NO_CONDITION = (
    "f|thenelse|def|undef|csdef|csundef|blank|notblank|str\\w*|bool|toggle|num\\w+|package\\w*|"
    "class\\w*|language\\w*|pdf\\w*"
)
"""Commands that begin as conditions do, but end without a ``\\fi``, or are signs."""
_TOKEN = re.compile(
    rf"(\\newif\s*|\\let\s*)?\\(?:if\s?(0)(?!\d)|if(?!(?:{_NO_CONDITION})(?![A-Za-z]))([A-Za-z@]*)|(else|fi))"
    r"(?![A-Za-z@])[ \t]?"
)
_SET = re.compile(r"\\([A-Za-z@]+?)(true|false)(?![A-Za-z@])")


def without_unread(text: str) -> str:
    r"""Leave out comments, and what ``\iffalse``, ``\if0`` and the source's own conditions hide.

    A condition whose value is not known stays, with both its parts.
    """
    text = _without_comments(text)
    if "\\if" not in text:
        return text
    known = {"0": False, "false": False, "true": True}
    tokens = list(_TOKEN.finditer(text))
    known.update((each[3], False) for each in tokens if each[1] and "newif" in each[1])
    for name, value in _SET.findall(text):
        if name in known and name != "if":
            known[name] = value == "true"
    parts, end = list[str](), 0
    open_: list[bool | None] = []
    for token in tokens:
        if token[1]:
            continue
        read = False not in open_
        if token[4] and not open_:
            continue
        before = text[end : token.start()] if read else ""
        if not token[4]:
            open_.append(known.get(token[2] or token[3]))
            kept = open_[-1] is None
        else:
            kept = open_[-1] is None
            value = open_.pop()
            if token[4] == "else":
                open_.append(None if value is None else not value)
        parts += [before, token[0] if read and kept else ""]
        end = token.end()
    if open_:
        return text
    return "".join([*parts, text[end:]])


def _without_comments(text: str) -> str:
    parts, end = list[str](), 0
    while (begin := _BEGIN.search(text, end)) and (close := _END.search(text, begin.end())):
        parts.append(text[end : begin.start()])
        end = close.end()
    return "".join([*parts, text[end:]])
