"""Lineage in words."""

import re
from collections.abc import Mapping

from stemma.graph import Reader
from stemma.graph.searching import meaning
from stemma.schema import RelationType

_STYLES, _SWITCHES = r"text(?:bf|it|sc|tt|sf|rm)|emph|underline", "bf|it|em|tt|sc"
"""Commands for how text looks: those with an argument, and those up to the end of a group."""
_STYLED = (rf"\\(?:{_STYLES}|bf|it)\s*\{{([^{{}}]*)\}}", r"\1")
_IN_FORMULA = r"((?:[^\W\d_]\w{0,30}|[\d.,]{1,12})[×+*%]?|[×→+])"
"""A word, a number or a sign, which is no formula."""
# The LaTeX of abstracts in arXiv: what is inside first. All take time in proportion to the text.
_LATEX = [
    (re.compile(pattern), text)
    for pattern, text in (
        _STYLED,
        _STYLED,
        (rf"\{{\\(?:{_SWITCHES})\s++([^{{}}]*)\}}", r"\1"),
        (r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}", r"\1"),
        (r"\\url\s*\{([^{}]*)\}", r"\1"),
        (r"(?<![\s~])[\s~]*\\cite[a-z]*\s*\{[^{}]*\}", ""),
        (r"(?<=\w)~(?=[\w(\\$])", " "),
        (r"\\([%&_#$])", r"\1"),
        (r"\\times(?![A-Za-z])", "×"),
        (r"\\(?:rightarrow|to)(?![A-Za-z])", "→"),
        (rf"\${_IN_FORMULA}\$", r"\1"),
        (rf"\\\( ?{_IN_FORMULA} ?\\\)", r"\1"),
    )
]
_STYLE_BEFORE = re.compile(rf"\\(?:{_STYLES})\{{$|\{{\\(?:{_SWITCHES}) $")
_LONGEST_STYLE = 16
_FINDERS = {"encoder": "the trained network", "tables": "a table of results"}


def meaning_of(reader: Reader, name: str) -> tuple[str, str | None]:
    """Return the work (an id) that a name means, and a remark if others have the name."""
    meant, others = meaning(reader, name)
    listed = ", ".join(each.id for each in others)
    remark = f"{name} is taken to be {meant}; it is also the name of {listed}"
    return meant, remark if others else None


def relation_phrase(
    confidences: Mapping[RelationType, float], wording: Mapping[RelationType, str] | None = None
) -> str:
    """Return the relations of an edge in words; of several, each with its own confidence.

    "builds on", or "builds on (0.26) and improves on (0.71)". `wording` has other words for them.
    """
    words = {relation: (wording or {}).get(relation, relation.words) for relation in confidences}
    if len(words) == 1:
        return next(iter(words.values()))
    return " and ".join(f"{words[relation]} ({sure:.2f})" for relation, sure in confidences.items())


def in_section(section: str | None) -> str:
    """Return the section of a sentence, to be put after its source; nothing for an abstract."""
    return f", {section}" if section else ""


def finder(origin: str) -> str:
    """Return in words what found a statement, by its origin: "the trained network"."""
    return _FINDERS.get(re.split("[:/]", origin)[0], origin)


def styled(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a place in a text with the command of LaTeX that it is the whole argument of."""
    before = _STYLE_BEFORE.search(text[max(0, start - _LONGEST_STYLE) : start])
    if before and text[end : end + 1] == "}":
        start, end = start - len(before[0]), end + 1
        is_formula = start > 0 and text[start - 1] == text[end : end + 1] == "$"
        return start - is_formula, end + is_formula
    return start, end


def readable(text: str) -> str:
    """Return a text of a paper without LaTeX's commands for text, but with formulas: 41\\%."""
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return text
