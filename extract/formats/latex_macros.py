"""Macros of LaTeX source: their arguments in braces, those that it defines; and conditions.

What a condition or a comment leaves out is not typeset, and not read.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_BRACE = re.compile(r"\\.|[{}]", re.S)
_MOST_UNCLOSED = 20
"""For each, the rest of the text is searched."""
_DEFINED = re.compile(
    r"\\(?:(?:(?:re|provide)?newcommand\*?|DeclareRobustCommand\*?|[gex]?def)\s*"
    r"\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[(\d)\]\s*)?(?:\[([^\[\]{}]{0,100})\]\s*)?((?:\#\d){0,9})|"
    r"(?:New|Renew|Provide|Declare)DocumentCommand\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*\{\s*((?:m\s*){0,9})\})"
    r"\s*(?=\{)"
)
_READ = re.compile(
    r"title|author|date|abstract|maketitle|begin|end|(?:sub)*section|paragraph|\w*cite\w*|input|"
    r"include|[aA]nd|AND|bibitem|newblock|footnote|thanks|caption|label|\w*ref|item|documentclass"
)
"""Commands that other modules read, so they are never replaced by a definition."""
_INTERNAL = re.compile(r"@[A-Za-z]")
_PARAMETER = re.compile(r"#(\d)")
_ARGUMENT = re.compile(r"\s*(?:(?=\{)|(\\[A-Za-z]+|[^\s\\{}]))")
_OPTION = re.compile(r"\s*\[([^\[\]]{0,500})\]")
_MOST, _LONGEST = 1000, 500
"""How many definitions are used, and their longest text: longer ones are layout."""
_TIMES = 4
"""How often macros within definitions are replaced; a macro may be defined by itself."""
_LONGEST_TEXT, _LONGEST_ARGUMENT, _MOST_FAILED = 1 << 20, 20_000, 100
"""Bounds on the work that a source can cause."""
_NO_CONDITION = (
    "f|thenelse|def|undef|csdef|csundef|blank|notblank|str\\w*|bool|toggle|num\\w+|package\\w*|"
    "class\\w*|language\\w*|pdf\\w*"
)
"""Commands that begin like conditions, but have no ``\\fi``, or are signs."""
_TOKEN = re.compile(
    rf"(\\newif\s*|\\let\s*)?\\(?:if\s?(0)(?!\d)|if(?!(?:{_NO_CONDITION})(?![A-Za-z]))([A-Za-z@]*)|(else|fi))"
    r"(?![A-Za-z@])[ \t]?"
)
_COMMENT = re.compile(r"\\begin\s*\{comment\}")
_SET = re.compile(r"\\([A-Za-z@]+?)(true|false)(?![A-Za-z@])")
_NOTES = (
    "thanks|footnotetext|footnote|inst|textsuperscript|IEEEauthorrefmark|authorrefmark|fnmsep|"
    "IEEEauthorblockA|IEEEmembership|IEEEcompsocitemizethanks|corref|fnref|tnoteref|tnotemark|thanksref|supit|refaddr"
)


def notes(others: str = "") -> re.Pattern[str]:
    """Return a pattern of commands for footnotes, affiliations and `others`, up to a brace."""
    names = "|".join(filter(None, (_NOTES, others)))
    return re.compile(rf"\\(?:{names})\*?\s*(?:\[[^\[\]]{{0,200}}\]\s*)?(?=\{{)", re.I)


def arguments(text: str, command: str) -> Iterator[str]:
    """Yield the arguments of the uses of a command, which may have options before them."""
    pattern = re.compile(
        rf"\\{command}\s*(?:\[(?:[^\[\]]|\[[^\[\]]{{0,200}}\]){{0,500}}\]\s*)?(?=\{{)"
    )
    return (argument for _, argument in uses(text, pattern))


def uses(text: str, command: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the uses of a command before a brace, each with its argument; none within another."""
    end = unclosed = 0
    for match in command.finditer(text):
        if match.start() < end:
            continue
        argument = balanced(text, match.end())
        if argument is not None:
            end = match.end() + len(argument) + 2
            yield match, argument
        elif (unclosed := unclosed + 1) == _MOST_UNCLOSED:
            return


def without(command: re.Pattern[str], text: str, instead: str = "") -> str:
    """Return a text without the uses of a command and their arguments."""
    return replaced(command, text, lambda _: instead)


def replaced(command: re.Pattern[str], text: str, new: Callable[[str], str]) -> str:
    """Return a text in which `new` makes of an argument what replaces the use of a command."""
    parts, end = list[str](), 0
    for match, argument in uses(text, command):
        parts += [text[end : match.start()], new(argument)]
        end = match.end() + len(argument) + 2
    return "".join([*parts, text[end:]])


def balanced(text: str, start: int, longest: int = 1 << 20) -> str | None:
    """Return the text between the brace at `start` and the one that closes it.

    None if that is not among the next `longest` characters.
    """
    depth = 0
    for match in _BRACE.finditer(text, start, start + longest):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth:
            return text[start + 1 : match.start()]
    return None


class _Macro(NamedTuple):
    body: str
    arguments: int
    default: str | None
    """The default of the first argument, in brackets; None if that is not optional."""


class Macros:
    """The macros of a source with arguments as those of ``\\newcommand``."""

    def __init__(self, text: str) -> None:
        self._known: dict[str, _Macro] = {"xspace": _Macro("", 0, None)}
        for match in _DEFINED.finditer(text):
            name = match[1] or match[5]
            body = balanced(text, match.end(), _LONGEST)
            if body is None or _INTERNAL.search(body) or _READ.fullmatch(name):
                continue
            count = int(match[2] or 0) or match[0].count("#") or (match[6] or "").count("m")
            self._known[name] = _Macro(body, count, match[3])
            if len(self._known) == _MOST:
                break
        names = "|".join(map(re.escape, sorted(self._known)))
        self._use = re.compile(rf"\\({names})(?![A-Za-z@])")

    def expanded(self, text: str) -> str:
        """Return a text with the macros replaced by their definitions."""
        for _ in range(_TIMES):
            if len(text) > _LONGEST_TEXT or not self._use.search(text):
                break
            text = self._once(text)
        return text

    def _once(self, text: str) -> str:
        parts, end, room, failed = list[str](), 0, _LONGEST_TEXT, 0
        for match in self._use.finditer(text):
            macro = self._known[match[1]]
            if match.start() < end:
                continue
            if room < 0 or failed > _MOST_FAILED:
                break
            read = _arguments(text, match.end(), macro)
            if read is None:
                failed += 1
                continue
            given, after = read
            body = _with(given, macro.body)
            room -= len(body)
            parts += [text[end : match.start()], body]
            end = after
        return "".join([*parts, text[end:]])


def _with(given: dict[str, str], body: str) -> str:
    return _PARAMETER.sub(lambda number: given.get(number[1], ""), body)


def _arguments(text: str, at: int, macro: _Macro) -> tuple[dict[str, str], int] | None:
    """Return the arguments of a macro at a place, by number, and where they end."""
    if not macro.arguments:
        if text.startswith("{}", at):
            at += 2
        return {}, at
    given: list[str] = []
    if macro.default is not None:
        option = _OPTION.match(text, at)
        given.append(option[1] if option else macro.default)
        at = option.end() if option else at
    while len(given) < macro.arguments:
        match = _ARGUMENT.match(text, at)
        if not match:
            return None
        own = match[1] if match[1] else balanced(text, match.end(), _LONGEST_ARGUMENT)
        if own is None:
            return None
        at = match.end() + (0 if match[1] else len(own) + 2)
        given.append(own)
    return {str(i): each for i, each in enumerate(given, 1)}, at


def without_unread(text: str) -> str:
    r"""Leave out comments, and branches of ``\iffalse``, ``\if0`` and of the source's ``\newif``.

    A condition whose value is not known is kept, with both branches.
    """
    text = without_environments(_COMMENT, text)
    if "\\if" not in text:
        return text
    known = {"0": False, "false": False, "true": True}
    tokens = list(_TOKEN.finditer(text))
    known.update((token[3], False) for token in tokens if token[1] and "newif" in token[1])
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


def environments(begin: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where environments begin and end, by a pattern of their ``\\begin``; none in another.

    A beginning without its end, as definitions have it, is none.
    """
    end, unclosed = 0, set[str]()
    for match in begin.finditer(text):
        closing = "\\end{" + match[0].partition("{")[2]
        if match.start() < end or closing in unclosed:
            continue
        place = text.find(closing, match.end())
        if place < 0:
            unclosed.add(closing)
        else:
            end = place + len(closing)
            yield match.start(), end


def without_environments(begin: re.Pattern[str], text: str) -> str:
    """Leave out environments, by a pattern of their ``\\begin``."""
    parts, end = list[str](), 0
    for start, after in environments(begin, text):
        parts.append(text[end:start])
        end = after
    return " ".join([*parts, text[end:]])
