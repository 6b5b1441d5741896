"""Masked sentences: names hidden, LaTeX remnants spelt plainly, every character in its place."""

import re
from collections.abc import Sequence

TARGET = "\ue000"
"""Stands for each character of the entity compared with."""
OTHER = "\ue001"
"""Stands for each character of another entity."""

_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# What LaTeX commands mean; the listings often lost a backslash: "10.7times", "$\t" + "imes$".
_LATEX = re.compile(
    r"\$?\\?\b(?:(?P<times>(?:(?<=\\)|(?<=\d)|(?<=\$))times\b\$?|(?<=[\t ])imes\b\$?)"
    r"|(?P<least>(?:(?<=\\)(?:geq?|gt)|geq)(?![a-z]))"
    r"|(?P<about>(?:(?<=\\)(?:sim|approx)|(?<=\$)sim)(?![a-z])))"
)
_DIGITS_TIMES = re.compile(r"(?<=\d)(?P<times>times\b)")
_MAP = re.compile(r"\bmAP\b")
_MARKUP = re.compile(r"[\n\r\t\\${}*]")
_ODD_SPACE = re.compile(r"[\u00a0\u2000-\u200b\u202f]")


def mask(sentence: str, start: int, end: int, others: Sequence[tuple[int, int]]) -> str:
    """Return `sentence` in lower case with its entities masked, as long as it was.

    `start` and `end` are the span of the entity compared with; offsets hold for both texts.
    """
    text = sentence.translate(_ASCII_LOWER)
    for match in _MAP.finditer(sentence):  # in lower case it would be any map
        text = text[: match.start()] + "mAP" + text[match.end() :]
    for span in others:
        left, right = max(span[0], 0), min(span[1], len(text))
        if left < right:
            text = text[:left] + OTHER * (right - left) + text[right:]
    text = text[:start] + TARGET * (end - start) + text[end:]
    if "\\" in text or "$" in text or "imes" in text or "geq" in text:
        text = _LATEX.sub(_spelt, text)
        text = _DIGITS_TIMES.sub(_spelt, text)
    text = _MARKUP.sub(" ", text)
    return text if text.isascii() else _ODD_SPACE.sub(" ", text)


def _spelt(match: re.Match[str]) -> str:
    sign = {"times": "×", "least": ">", "about": "~"}[match.lastgroup or "about"]
    return sign.ljust(len(match.group()))
