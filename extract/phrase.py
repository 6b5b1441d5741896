"""Phrases: established techniques and devices that only their last word gives away."""

import re

from spacy.tokens import Doc

from stemma.extract.kind import MODIFIERS, WORDING
from stemma.extract.recognition import Candidate, component, recognition
from stemma.schema import EntityKind

_KINDS = {
    head: EntityKind(kind) for kind, heads in WORDING["phrases"].items() for head in heads.split()
}
_HEAD = re.compile(rf" (?<=\w )(?P<head>{'|'.join(_KINDS)})(?![\w-])", re.IGNORECASE)
_BEFORE = re.compile(r"(?:(?<![\w-])[A-Za-z][\w-]{1,30} ){1,3}$")
_WINDOW = 60
_SCORE = 0.5
_VERB = re.compile(r"(?:ly|izes?|ifies|uires?|orms?|ains?)$")


@component("stemma_phrases")
def phrase_finder(doc: Doc) -> Doc:
    """Add a candidate for each noun phrase such as "structured factorization", by its head noun."""
    found = recognition(doc)
    text = found.text
    for match in _HEAD.finditer(text):
        head, end = match.span("head")
        before = _BEFORE.search(text, max(0, head - _WINDOW), head)
        if before is None:
            continue
        start = _without_modifiers(text, before.start(), head)
        if start < head and found.in_one_field(start, end):
            kind = _KINDS[match.group("head").lower()]
            found.candidates.append(Candidate(start, end, kind, "phrase", _SCORE))
    return doc


def _without_modifiers(text: str, start: int, head: int) -> int:
    """Where the phrase begins once articles, verbs and praise in front of it are left out."""
    begin = head
    for word in reversed(list(re.finditer(r"\S+", text[start:head]))):
        if word.group().lower() in MODIFIERS or _VERB.search(word.group()):
            break
        begin = start + word.start()
    return begin
