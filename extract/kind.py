"""The kind of an entity, by the nouns in and next to its name and by the end of the name itself.

A head noun, the last word of a phrase, also says that a phrase names no entity. And what names look
like: the patterns of words that names are made of, and where a name stands.
"""

import re
import tomllib
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

import ahocorasick_rs

from stemma.schema import EntityKind
from stemma.schema.name import VENDORS

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


WORDING: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("wording.toml").read_text(encoding="utf-8")
)
_KINDS = {
    word: EntityKind(kind) for kind, words in WORDING["heads"].items() for word in words.split()
}
_NO_ENTITY_ENDINGS = frozenset(WORDING["no_entity"]["endings"].split())
NO_ENTITY_WORDS = frozenset((*WORDING["no_entity"]["words"].split(), *VENDORS))
MODIFIERS = frozenset(WORDING["no_entity"]["modifiers"].split())
# "LLM-powered", "GPU-centric": a description, not a name.
DESCRIBES = re.compile(
    r"-(?:\w+ed|\w+ing|aware|level|like|style|driven|specific|free|efficient|centric|friendly|wise"
    r"|agnostic|bound|scale|time|only|side|compatible|oriented|native|ready|first|end|guided)$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"[\w]+$")
_IS_A = re.compile(
    r"[}'\"”’]{0,9}(?: \([^()]{0,200}\))?(?:,| is| are|:| --| —| –) "
    r"(?:our|an?|the) (?P<what>[^.,;:()]{2,120})"
)
_TITLED = re.compile(
    r"(?::| [-–—]{1,3}) (?:[Aa]n? |[Tt]he )?(?!(?:Assess|Benchmark|Evaluat|Measur|Prob)ing\b)"
    r"(?P<what>[^.,;:()\n]{2,120})"
)
_NOUN_AFTER = re.compile(r"[}'\"”’]{0,9}(?: \([^()]{0,200}\))? (?P<noun>[a-z]+)\b")
_NOUN_BEFORE = re.compile(
    r"(?P<noun>\w+)(?:,? (?:called|named|dubbed|termed|coined|namely|i\.e\.,?|referred to as)"
    r"|,| -{1,3}| [–—])? [\"'“‘`*{\\]*(?:(?:text|emph|math)\w*\{)?$"
)
_WINDOW = 60
PHRASE_END = re.compile(
    r"\b"
    + one_of(
        """that which to for where whose based using by with on from via when because as built
        consisting of in and capable able designed enabling leveraging allowing across over
        under between against through like such at into"""
    )
    + r"\b|[,:;—–(]|--"
)
"""What ends a plain noun phrase."""
_ENDINGS = {
    ending: EntityKind(kind)
    for kind, endings in WORDING["endings"].items()
    for ending in endings.split()
}
_ENDING = re.compile(rf"(?P<ending>{'|'.join(_ENDINGS)})s?(?:[-v]?\d[\w.]*)?(?:-[A-Z]\w*)?$")


@lru_cache(maxsize=65536)
def kind_of_head(phrase: str) -> EntityKind | None:
    """Return the kind that the last word of `phrase` speaks for, if any."""
    last = _LAST_WORD.search(phrase)
    if last is None:
        return None
    return _KINDS.get(last.group()) or _KINDS.get(last.group().lower())


@lru_cache(maxsize=65536)
def is_no_entity(phrase: str) -> bool:
    """Return whether `phrase` is a task, metric, quantity, organisation or other non-entity."""
    if phrase in NO_ENTITY_WORDS:
        return True
    last = _LAST_WORD.search(phrase)
    return last is None or last.group().lower() in _NO_ENTITY_ENDINGS


def kind_in_text(places: list[tuple[int, int]], text: str) -> EntityKind | None:
    """The kind that the text gives an entity by the nouns next to its name, if any.

    "X, a compiler that …", "X is a benchmark for …", "the X framework", "a new dataset, X".
    """
    for pattern, kind_of in ((_IS_A, kind_of_phrase), (_NOUN_AFTER, kind_of_head)):
        for _, end in places:
            if (match := pattern.match(text, end)) and (kind := kind_of(match[1])):
                return kind
    for start, _ in places:
        before = text[max(0, start - _WINDOW) : start]
        if (match := _NOUN_BEFORE.search(before)) and (kind := kind_of_head(match.group("noun"))):
            return kind
    return kind_of_head(text[slice(*places[0])]) if places else None


def kind_in_title(places: list[tuple[int, int]], title: str) -> EntityKind | None:
    """The kind that a title gives what it puts before a colon, if any: "X: A Method for …"."""
    titled = (_TITLED.match(title, end) for _, end in places)
    return next(
        (kind for match in titled if match and (kind := kind_of_phrase(match["what"]))), None
    )


def kind_of_phrase(phrase: str) -> EntityKind | None:
    """The kind of the noun phrase with which `phrase` begins, in capitals or not."""
    stop = PHRASE_END.search(phrase.lower())
    return kind_of_head((phrase[: stop.start()] if stop else phrase).strip())


def kind_of_ending(name: str) -> EntityKind | None:
    """The kind that the end of a made-up name speaks for: "…Net" is a model, "…Bench" a dataset."""
    match = _ENDING.search(name)
    return _ENDINGS[match.group("ending")] if match else None
