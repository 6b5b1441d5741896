"""Authors of LaTeX source, as the classes of conferences and journals have them written."""

import re
from collections.abc import Callable, Iterator

from stemma.extract.formats.draft import author, one_line
from stemma.extract.formats.latex_macros import arguments, notes, without
from stemma.extract.formats.person_name import person_names
from stemma.schema.paper import Author

_AUTHOR = r"(?!short|running|corresponding)[a-zA-Z]{0,12}[aA]uthors?\*?"
_MARK = notes()
_SIGN = re.compile(
    r"\$\s*\^?[^$]{0,40}\$|\\(?:footnotemark|samethanks|footnotesymbol|dag|ddag)(?![A-Za-z])\s*"
    r"(?:\[[^\[\]]{0,20}\])?"
)
_FONT = re.compile(
    r"\\(?:bf|it|rm|sf|tt|normalfont|large|bfseries|name|begin\s*\{tabular\}\s*(?:\[\w\]\s*)?\{\w{1,9}\}|"
    r"end\s*\{tabular\})(?![A-Za-z])"
)
_AFFILIATION = re.compile(r"\\(?:addr|email)(?![A-Za-z]).*", re.S)
"""As journals have it: what follows in the block is no name."""
_BLOCK = re.compile(r"\\(?:and|And|AND|IEEEauthorblockN)(?![A-Za-z])|(?<!\\)&")
LINE_END = re.compile(
    r"\\\\\*?(?:\[[^\]]{0,100}\])?|\\(?:newline|linebreak|titlebreak|break)(?![A-Za-z])"
)
_SPACE = re.compile(r"\\(?:quad|qquad|hfill|hspace)(?![A-Za-z])")
_NO_NAME = re.compile(
    r"[@\d]|\banonymous\b|\b(?:university|institute|department|inc|lab(?:s|oratory)?)\b", re.I
)
_PERSON = re.compile(r"[^\W\d_]\S*(?:[ ~]\S+){1,5}")
_LONGEST_NAME = 60


def latex_authors(
    text: str, expanded: Callable[[str], str], plain: Callable[[str], str]
) -> Iterator[Author]:
    """Yield the authors that a source without comments names, each once.

    `expanded` replaces the macros of the source, `plain` decodes LaTeX.
    """
    seen: set[str] = set()
    for block in arguments(text, _AUTHOR):
        marked = _FONT.sub(" ", _SIGN.sub("*", without(_MARK, expanded(block), "*")))
        for part in _BLOCK.split(marked):
            for line in _lines_of_names(_AFFILIATION.sub("", part)):
                for name in _names(line, plain):
                    if name not in seen:
                        seen.add(name)
                        yield author(name)


def _lines_of_names(block: str) -> Iterator[str]:
    """Yield the lines before those that say where the authors work.

    Further lines than the first have names if a comma leads to them, or if they look like the
    first: marks behind names, or several people between commas.
    """
    lines = [line.strip() for line in LINE_END.split(block)]
    lines = [line for line in lines if line.strip("* {}")]
    for number, line in enumerate(lines):
        before = lines[number - 1].rstrip("* {}")
        if number and (
            line.lstrip(" {").startswith("*")
            or not (before.endswith((",", " and")) or _alike(lines[0], line))
        ):
            return
        yield line


def _alike(first: str, line: str) -> bool:
    people = [each.strip(" *{}") for each in line.split(",")]
    return ("*" in first and "*" in line) or (
        "," in first and len(people) > 1 and all(map(_PERSON.fullmatch, people))
    )


def _names(line: str, plain: Callable[[str], str]) -> Iterator[str]:
    for part in _SPACE.split(line):
        for name in person_names(one_line(plain(part).replace("*", " "))):
            if len(name) <= _LONGEST_NAME and not _NO_NAME.search(name) and name[0].isalpha():
                yield name
