"""LaTeX in names, titles and abstracts, as plain text."""

from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text

_LONGEST = 200_000


@lru_cache(maxsize=1)
def _decoder() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="verbatim", keep_comments=True, strict_latex_spaces=True)


def from_latex(text: str) -> str:
    """Return a text without LaTeX: accents as letters, no braces; formulas stay as they are."""
    if not any(mark in text for mark in "\\{}$~") and "--" not in text and "``" not in text:
        return text
    if len(text) > _LONGEST:
        return text
    # A bare % is a percent sign here, not the beginning of a comment.
    text = text.replace("\\%", "%").replace("%", "\\%")
    try:
        plain: str = _decoder().latex_to_text(text, tolerant_parsing=True)
    except (ValueError, IndexError, RecursionError, TypeError, AttributeError, KeyError):
        return text
    return plain.replace("\xa0", " ")
