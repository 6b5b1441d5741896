"""The bounds of a name: not the vendor before it, nor what a list adds to it.

And what is no name."""

import re

from stemma.extract.encoder.document import Document, Span
from stemma.schema import EntityKind
from stemma.schema.vendor import split_vendor

_NUMBERED = re.compile(r"\d[A-Za-z]{0,2}$")
_NUMBER = re.compile(r"[vV]?\d+(?:\.\d+)?[A-Za-z]{0,2}")
_SIZES = frozenset(("tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl"))
_PLACEHOLDER = re.compile(
    r"\$?\\(?:the|our)?(?:ours?|method|approach|model|name|tool|sys|system|framework|dataset|bench"
    r"|benchmark|alg|algo|algorithm|proj|project)(?:name)?\$?",
    re.IGNORECASE,
)
_WITH_VENDOR = (EntityKind.HARDWARE, EntityKind.DATASET)
"""Kinds of which annotators take the vendor for a part of the name: "Microsoft COCO"."""
_WRITTEN_AS_NAME = re.compile(r"\d|(?<=\w)[A-Z]")


def name_within(document: Document, span: Span, kind: EntityKind) -> Span:
    """Return the words of a span that are the name of a thing of this kind."""
    name = _without_list(document, span)
    return name if kind in _WITH_VENDOR else _without_vendor(document, name)


def is_placeholder(name: str) -> bool:
    """Return whether a name stands for one, as a LaTeX command: ``\\ourmethod``."""
    return bool(_PLACEHOLDER.fullmatch(name))


def _without_list(document: Document, span: Span) -> Span:
    """Return the span of the first name of a list: "LLaMA-7B" of "LLaMA-7B/13B".

    What follows is no name by itself.
    """
    begin, end = span
    if not document.words[begin][0].isalpha():
        return span
    for slash in range(begin + 1, end - 1):
        if document.words[slash] == "/" and _are_listed(document.words[slash - 1 : end]):
            return begin, slash
    return span


def _are_listed(words: list[str]) -> bool:
    """Whether words are numbers or sizes with slashes between them; before the first number there
    may be letters, "V1/V2" of "MobileNetV1/V2". The first needs the unit that the last has: "7" of
    "Falcon-7/40B" is no name's end."""
    first, *others = words[::2]
    if any(each != "/" for each in words[1::2]):
        return False
    if first.casefold() in _SIZES:
        return all(each.casefold() in _SIZES for each in others)
    if others[-1][-1].isalpha() and not first[-1].isalpha():
        return False
    return bool(_NUMBERED.search(first)) and all(map(_NUMBER.fullmatch, others))


def _without_vendor(document: Document, span: Span) -> Span:
    """Return the span of "DeepSpeed" in "Microsoft DeepSpeed".

    Only what is written as a name is one without its vendor: not "Cloud" in "Google Cloud".
    """
    parts = split_vendor(document.surface(span))
    is_name = parts and " " not in parts[1] and _WRITTEN_AS_NAME.search(parts[1])
    return (span[0] + 1, span[1]) if is_name else span
