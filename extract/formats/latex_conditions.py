"""Parts of LaTeX source that are not typeset: comments, and branches of conditions."""

import re

_BEGIN, _END = re.compile(r"\\begin\s*\{comment\}"), re.compile(r"\\end\s*\{comment\}")
_NO_CONDITION = (
    "f|thenelse|def|undef|csdef|csundef|blank|notblank|str\\w*|bool|toggle|num\\w+|package\\w*|"
    "class\\w*|language\\w*|pdf\\w*"
)
"""Commands that begin like conditions, but have no ``\\fi``, or are signs."""
_TOKEN = re.compile(
    rf"(\\newif\s*|\\let\s*)?\\(?:if\s?(0)(?!\d)|if(?!(?:{_NO_CONDITION})(?![A-Za-z]))([A-Za-z@]*)|(else|fi))"
    r"(?![A-Za-z@])[ \t]?"
)
_SET = re.compile(r"\\([A-Za-z@]+?)(true|false)(?![A-Za-z@])")


def without_unread(text: str) -> str:
    r"""Leave out comments, and branches of ``\iffalse``, ``\if0`` and of the source's ``\newif``.

    A condition whose value is not known is kept, with both branches.
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
        definition, zero, name, other = token.groups()
        if definition or (other and not open_):
            continue
        if False not in open_:
            parts.append(text[end : token.start()])
        value = open_.pop() if other else known.get(zero or name)
        if value is None and False not in open_:
            parts.append(token[0])
        if other != "fi":
            open_.append(not value if other and value is not None else value)
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
