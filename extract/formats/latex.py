"""LaTeX in names, titles and abstracts, as plain text."""

from functools import lru_cache
from typing import Any

from pylatexenc import latex2text
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalker, get_default_latex_context_db
from pylatexenc.macrospec import std_macro

_LONGEST = 200_000
_SHORT = 200
"""Characters of a text that may well come again, such as a name."""


_SIZES = {"Large", "LARGE", "Huge", "HUGE"}


@lru_cache(maxsize=1)
def _decoder() -> LatexNodes2Text:
    context = latex2text.get_default_latex_context_db()
    known = [latex2text.MacroTextSpec("-", ""), latex2text.MacroTextSpec("href", "%(2)s")]
    context.add_context_category("stemma", macros=known, prepend=True)
    context.set_unknown_macro_spec(latex2text.MacroTextSpec("", _named))
    return LatexNodes2Text(
        latex_context=context,
        math_mode="verbatim",
        keep_comments=True,
        strict_latex_spaces=True,
    )


@lru_cache(maxsize=1)
def _context() -> Any:
    context = get_default_latex_context_db()  # which takes longer to make than most texts to read
    context.add_context_category("stemma", macros=[std_macro("href", False, 2)], prepend=True)
    return context


def _named(node: Any) -> str:
    r"""Return the name that a macro stands for: ``\LaTeX`` or ``\BERT{}``, but no layout."""
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
        return text
    return plain.replace("\xa0", " ")


_remembered = lru_cache(maxsize=65536)(_decoded)
