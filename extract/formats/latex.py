"""LaTeX in names, titles and abstracts, as plain text."""

import logging
import re
from functools import lru_cache
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec
from pylatexenc.latex2text import get_default_latex_context_db as get_default_texts
from pylatexenc.latexwalker import LatexWalker, get_default_latex_context_db
from pylatexenc.macrospec import MacroSpec

logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # it warns of macros of its own
_LONGEST = 200_000
_SHORT = 200
"""Texts with fewer characters, such as names, are likely to occur again: they are cached."""
_READ = {
    "{": "texttt textsf textmd textup textnormal mbox hbox hl url path doi nolinkurl uppercase "
    "lowercase MakeUppercase MakeLowercase",
    "{{": "href bibinfo bibfield foreignlanguage raisebox scalebox texorpdfstring",
    "[{{": "textcolor colorbox",
    "{{{": "resizebox",
}
"""Macros by their arguments, of which the last is text; pylatexenc leaves it out or changes it."""
_SIZES = {"Large", "LARGE", "Huge", "HUGE"}
_WRITTEN = {
    **dict.fromkeys(("ref", "cref", "Cref", "autoref", "eqref", "pageref", "nameref"), ("{", "")),
    "includegraphics": ("[{", ""),
    "today": ("", ""),  # of the day on which it is typeset
    **dict.fromkeys(("newline", "linebreak", "titlebreak", "xspace"), ("", " ")),
    "-": ("", ""),
    **{"textless": ("", "<"), "textgreater": ("", ">"), "textbar": ("", "|"), "slash": ("", "/")},
    **{"textquotedbl": ("", '"'), "textbraceleft": ("", "{"), "textbraceright": ("", "}")},
    **{"textunderscore": ("", "_"), "textminus": ("", "−"), "pounds": ("", "£")},
    **{"copyright": ("", "©"), "S": ("", "§"), "P": ("", "¶")},
}
"""The arguments of macros, and the text that replaces them."""

_ACCENT = re.compile(
    r"\{\\['`^\"~=.]\{?\\?[A-Za-z]\}?\}|\\['`^\"~=.]\{\\?[A-Za-z]\}|"
    r"(?<=[^\W\d_])\\['`^\"~]\\?[aeiouyAEIOUcnz]|"
    r"\{?\\(?:c\{[cCsStT]|v\{[cCsSzZrReEnNdDtTgG]|H\{[oOuU]|u\{[aAgGiIoO]|k\{[aAeE]|r\{[aAuU])\}\}?|"
    r"\{\\(?:o|O|l|L|ss|ae|AE|oe|OE|aa|AA|i)\}"
)
"""Letters with accents, in texts that are otherwise plain; no quotation mark after a backslash."""


def with_accents(text: str) -> str:
    """Return a text with letters for the accents that LaTeX writes as commands: ``Poincar\\'e``."""
    return _ACCENT.sub(lambda match: from_latex(match[0]), text) if "\\" in text else text


def _last_argument(node: Any, l2tobj: Any) -> str:  # pylatexenc passes them by name
    arguments = [each for each in (node.nodeargd and node.nodeargd.argnlist) or () if each]
    return str(l2tobj.nodelist_to_text(arguments[-1:]))


@lru_cache(maxsize=1)
def _decoder() -> LatexNodes2Text:
    texts = get_default_texts()
    macros = [
        MacroTextSpec(name, _last_argument) for each in _READ.values() for name in each.split()
    ]
    macros += [MacroTextSpec(name, text) for name, (_, text) in _WRITTEN.items()]
    texts.add_context_category("papers", macros=macros, prepend=True)
    texts.set_unknown_macro_spec(MacroTextSpec("", _named))
    return LatexNodes2Text(
        latex_context=texts, math_mode="verbatim", keep_comments=True, strict_latex_spaces=True
    )


@lru_cache(maxsize=1)
def _context() -> Any:
    context = get_default_latex_context_db()  # which takes longer to make than most texts to read
    macros = [
        MacroSpec(name, arguments) for arguments, each in _READ.items() for name in each.split()
    ]
    macros += [MacroSpec(name, arguments) for name, (arguments, _) in _WRITTEN.items()]
    context.add_context_category("papers", macros=macros, prepend=True)
    return context


def _named(node: Any) -> str:
    r"""Return the name of an unknown macro as its text (``\BERT{}``), unless it is for layout."""
    name: str = node.macroname
    source, end = node.parsing_state.s, node.pos + node.len
    takes_text = source.startswith("{", end) and not source.startswith("{}", end)
    is_name = name != name.lower() and name not in _SIZES and not name.startswith("IEEE")
    return name + node.macro_post_space if is_name and not takes_text else ""


def from_latex(text: str) -> str:
    """Return a text without LaTeX: accents as letters, no braces; formulas stay as they are."""
    if not any(mark in text for mark in "\\{}$~") and "--" not in text and "``" not in text:
        return text
    if len(text) > _LONGEST:
        return text
    return _remembered(text) if len(text) < _SHORT else _decoded(text)


def _decoded(text: str) -> str:
    # A bare % is a percent sign here, not the beginning of a comment.
    source = text.replace("\\%", "%").replace("%", "\\%")
    try:
        walker = LatexWalker(source, latex_context=_context(), tolerant_parsing=True)
        plain: str = _decoder().nodelist_to_text(walker.get_latex_nodes()[0])
    except (ValueError, IndexError, RecursionError, TypeError, AttributeError, KeyError):
        plain = source
    return plain.replace("\xa0", " ")


_remembered = lru_cache(maxsize=65536)(_decoded)
