"""What names look like: the patterns of words that names are made of, and where a name stands."""

import re
from collections.abc import Collection

import ahocorasick_rs

WORD = (
    r"(?<!\w)(?:[A-Zα-ωΑ-Ω](?:[\w+@*]|\.(?=\w)){0,40}|\d{1,9}\w{0,40}(?=-)|[a-z]{1,30}[A-Z0-9]\w{0,40})"
    r"(?:[-&^$](?:[\w+{}]|\.(?=\w)){1,40}){0,8}(?:\$[^$ ]{1,20}\$)?"
)
"""A word of a name: it has a capital, a digit or a Greek letter; "++" and hyphens may follow.

All lengths are bounded, so that no text, however odd, takes long.
"""
NAME = rf"{WORD}(?: (?:(?:of|for|and|the|with|in|to) )?{WORD}){{0,5}}"
"""Up to six such words, with small words between them."""
UNUSUAL = (
    r"(?<!\w)(?:(?:[A-Za-zα-ω][\w.]{0,40}[A-Z0-9α-ω+][\w.+]{0,40}|[A-Z]{2,40}\w{0,40})(?:[-/][\w.+]{1,40}){0,8}"
    r"|[A-Z][a-z]{1,30}\w{0,40}(?:-[A-Z0-9]\w{0,40}){1,8})"
)
"""A word that no ordinary text has: inner capitals, digits, or capitals throughout."""
VARIANT = (
    r"(?:[- ]?v?\d+(?:\.\d+)*[BM]?(?:-[A-Z]\w+)?|\+\+|-(?:[A-Z]{1,3}|[A-Z][a-z]+|\d+))(?![\w%]|-\w)"
)
"""What makes a version or size of a name: "-7B", "++", " v2", "-Chat"."""
QUOTE = r"[\"'“‘`*{\\]*(?:\\?(?:textbf|textit|emph|textsc|texttt|textsf|bf|it|sc|tt)\s?\{?)?\s?"
"""Quotation marks and LaTeX commands that may stand before a name."""

_VARIANT = re.compile(VARIANT)
_UNUSUAL_WORD = re.compile(rf"(?:{UNUSUAL})$")
_GOES_ON = re.compile(r"\w|\+|-\d|\.\d")


def one_of(words: str) -> str:
    """Return a pattern for any of the words, which may be patterns, in `words`."""
    return f"(?:{'|'.join(words.split())})"


def is_unusual(word: str) -> bool:
    """Return whether `word` looks like a name in any context."""
    return _UNUSUAL_WORD.match(word) is not None


def places_of(names: Collection[str], text: str) -> dict[str, list[tuple[int, int]]]:
    """Return where each of `names` occurs in `text`, as a whole word and in its own case."""
    found: dict[str, list[tuple[int, int]]] = {}
    for name, starts in _starts(names, text).items():
        places = found[name] = []
        end = 0
        for at in starts:
            if at < end:
                continue
            end = at + len(name)
            before = text[at - 1 : at] if at else ""
            if not (before.isalnum() or before in ("\\", "_")) and not _GOES_ON.match(text, end):
                places.append((at, end))
    return found


def variants_of(names: Collection[str], text: str) -> dict[str, str]:
    """Return the sizes and versions of `names` that the text has: "Holm-7B" of "Holm"."""
    found: dict[str, str] = {}
    for name, starts in _starts(names, text).items():
        end = 0
        for at in starts:
            stands_alone = not (at and (text[at - 1].isalnum() or text[at - 1] in "_\\"))
            if at < end or not stands_alone:
                continue
            if variant := _VARIANT.match(text, at + len(name)):
                end = variant.end()
                found.setdefault(text[at:end], name)
    return found


def _starts(names: Collection[str], text: str) -> dict[str, list[int]]:
    """Return where the letters of each of `names` begin, found in one pass however many they are.

    A search for each would take time that grows with the square of a text full of new names.
    """
    found: dict[str, list[int]] = {name: [] for name in names}
    if found:
        every = list(found)
        automaton = ahocorasick_rs.AhoCorasick(every)
        for number, start, _ in automaton.find_matches_as_indexes(text, overlapping=True):
            found[every[number]].append(start)
    return found
