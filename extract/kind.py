"""The kind of an entity, by the nouns next to its name and by the end of the name itself."""

import re

from stemma.extract.head_noun import WORDING, kind_of_head
from stemma.extract.name_pattern import one_of
from stemma.schema import EntityKind

_IS_A = re.compile(
    r"[}'\"”’]*(?: \([^)]*\))?(?:,| is| are|:| --| —| –) (?:our|an?|the) (?P<what>[^.,;:()]{2,120})"
)
_TITLED = re.compile(r"(?::| [-–—]{1,3}) (?:[Aa]n? |[Tt]he )?(?P<what>[^.,;:()\n]{2,120})")
_NOUN_AFTER = re.compile(r"[}'\"”’]*(?: \([^)]*\))? (?P<noun>[a-z]+)\b")
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


def kind_in_text(places: list[tuple[int, int]], text: str) -> EntityKind | None:
    """The kind that the text gives an entity by the nouns next to its name, if any.

    "X, a compiler that …", "X is a benchmark for …", "the X framework", "a new dataset, X".
    """
    for _, end in places:
        if (match := _IS_A.match(text, end)) and (kind := kind_of_phrase(match.group("what"))):
            return kind
    for _, end in places:
        if (match := _NOUN_AFTER.match(text, end)) and (kind := kind_of_head(match.group("noun"))):
            return kind
    for start, _ in places:
        before = text[max(0, start - _WINDOW) : start]
        if (match := _NOUN_BEFORE.search(before)) and (kind := kind_of_head(match.group("noun"))):
            return kind
    return kind_of_head(text[slice(*places[0])]) if places else None


def kind_in_title(places: list[tuple[int, int]], title: str) -> EntityKind | None:
    """The kind that a title gives what it puts before a colon, if any: "X: A Method for …"."""
    for _, end in places:
        match = _TITLED.match(title, end) if end < len(title) else None
        if match and (kind := kind_of_phrase(match.group("what"))):
            return kind
    return None


def kind_of_phrase(phrase: str) -> EntityKind | None:
    """The kind of the noun phrase with which `phrase` begins."""
    stop = PHRASE_END.search(phrase)
    return kind_of_head((phrase[: stop.start()] if stop else phrase).strip())


def kind_of_ending(name: str) -> EntityKind | None:
    """The kind that the end of a made-up name speaks for: "…Net" is a model, "…Bench" a dataset."""
    match = _ENDING.search(name)
    return _ENDINGS[match.group("ending")] if match else None
