"""Unusual names: words that are names by their inner capitals, and the names listed with others."""

import re

from spacy.tokens import Doc

from stemma.extract.acronym import Span
from stemma.extract.kind import (
    DESCRIBES,
    NO_ENTITY_WORDS,
    WORD,
    kind_in_text,
    kind_of_ending,
    places_of,
)
from stemma.extract.recognition import Candidate, Recognition, component, recognition
from stemma.extract.shape import SMALL_WORD
from stemma.schema import EntityKind

# "MobileNeRF", "cuSPARSE", "RootBA": a small letter beside capitals that do not begin the word.
_INNER_CAPITAL = re.compile(
    r"(?<![\w\\/.@#-])(?:[A-Z]\w{0,40}-)?"
    r"(?:[A-Z]{1,20}[a-z]{1,30}[A-Z]\w{0,40}|[a-z]{1,30}[A-Z]\w{1,40}|[A-Z]{2,20}[a-z]{2,30}\w{0,40})"
    r"(?:-[A-Z0-9]\w{0,40}){0,8}(?![\w]|-[a-z]|://|\.\w)"
)
_MAY_BE_INNER = re.compile(r"[A-Z](?:(?<=[a-z].)|[A-Z][a-z]{2})")
"""What every such word has, and is found sooner."""
_ITEM = rf"{WORD}(?: {WORD}){{0,2}}(?: \([^()]{{1,30}}\)| \[\d+\])?"
_LISTED = re.compile(rf"(?<![\w\\-]){_ITEM}(?:(?:, (?:and |or )?| and | or |/){_ITEM}){{1,30}}")
_SEPARATOR = re.compile(r", (?:and |or )?| and | or |/(?!\d)")
_SCORE = 0.6
_ASIDE = re.compile(r" [\(\[].*$")


@component("stemma_unusual_names")
def unusual_name_finder(doc: Doc) -> Doc:
    """Add a candidate for each name that no other component has found."""
    found = recognition(doc)
    text = found.text
    known = {text[c.start : c.end]: c.kind for c in found.candidates}
    new: dict[str, Span] = {}
    for match in _INNER_CAPITAL.finditer(text) if _MAY_BE_INNER.search(text) else ():
        name = match.group()
        if name not in known and name not in NO_ENTITY_WORDS and not DESCRIBES.search(name):
            new.setdefault(name, match.span())
    for name, places in places_of(new, text).items():
        kind = known[name] = kind_of_ending(name) or kind_in_text(places, text)
        found.candidates.append(Candidate(*new[name], kind, "unusual", _SCORE))
    _add_listed(found, text, known)
    return doc


def _add_listed(found: Recognition, text: str, known: dict[str, EntityKind | None]) -> None:
    """Take what is listed with a known name for a name of the same kind."""
    taken = {at for candidate in found.candidates for at in range(candidate.start, candidate.end)}
    for match in _LISTED.finditer(text):
        items = list(_items(text, *match.span()))
        kinds = [known[text[a:b]] for a, b in items if text[a:b] in known]
        if not kinds:
            continue
        kind = next((kind for kind in kinds if kind), None)
        for start, end in items:
            name = text[start:end]
            is_name = name not in NO_ENTITY_WORDS and not DESCRIBES.search(name)
            own = kind_of_ending(name) or kind
            if own and is_name and taken.isdisjoint(range(start, end)):
                found.candidates.append(Candidate(start, end, own, "listed", _SCORE))


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    items = []
    position = start
    for separator in [*_SEPARATOR.finditer(text, start, end), None]:
        stop = separator.start() if separator else end
        while small := SMALL_WORD.match(text, position, stop):
            position = small.end()
        if item := _ASIDE.sub("", text[position:stop]):
            items.append((position, position + len(item)))
        position = separator.end() if separator else end
    return items
