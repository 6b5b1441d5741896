"""Wording that leaves no doubt how a paper relates to an entity: "It improves on X"."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from stemma.extract.recognition import NamedEntity, Sentence, recognition, sentences_of
from stemma.schema import EntityKind, RelationType

_ENTITY, _OWN = "ENT", "OWN"
_SUCH_AS = (
    r"(?:,? ?\(?(?:such as|including|like|e\.g\.,?|i\.e\.,?|namely|viz\.|:) (?:[\w-]+ ){0,2}?)"
)
_GAP = re.compile(
    r"\s?(?:(?!(?:that|which|while|but|when|on|by|with|for|using|in|from|via|where|we|to)\b)"
    rf"[\w×%’'.+/$\\@*-]+ ){{0,6}}{_SUCH_AS}?(?:(?:the|a|an|both|popular|standard|original) )*\(?"
)
_IMPROVES = re.compile(r"\bimprov(?:es?|ed|ing) (?:up)?on\b|\bimproved (?:form|version) of\b")
_SELF = re.compile(r"\bOWN\b|\b(?:[Ww]e|[Oo]ur|[Tt]his (?:paper|work))\b|^(?:It|This)\b")
_OTHER_SUBJECT = re.compile(r"\bENT,? (?:which |that )?(?:\w{1,20}ly )?$")
_ALSO_PRESENTS = re.compile(
    r"\b(?:introduc|present|propos|develop|describ|releas)\w{0,4} (?:[\w-]{1,20} ){0,3}"
    r"(?P<first>[^\s,]{2,40}), (?:which|that|an?|the) [^.;:]{2,120}?, and (?:an? |the |our )?"
    r"(?P<second>[^,.;:]{2,60}), (?:which|that|an?|the) "
)
"""As in "We present A, which extends B, and C, which extends D": C is presented too."""
_MAY_SAY = re.compile(rf"{_IMPROVES.pattern}|, and [^.;:]{{1,80}}, (?:which|that|an?|the) ")
_LIST_LINK = re.compile(
    r"(?:[ -](?:[a-z]+ ){0,2}?[a-z]+)?(?: \([^()]{0,40}\))?"
    r"(?:,? (?:and|or|as well as|to|vs\.?|and the|and its)|,|/|;| &| \+)\s?(?:the |a |an |on )?"
)

_Place = tuple[int, int, int]
"""Where a name begins and ends, and the number of the entity that it is of."""


class _Listed(NamedTuple):
    """Entities (by number) that a sentence lists together, at `start` to `end` of its mask."""

    start: int
    end: int
    entities: list[int]


def worded(doc: Doc, entities: Sequence[NamedEntity]) -> dict[int, tuple[RelationType, int]]:
    """Return the relations to entities, by number, that wording leaves no doubt of, with the
    number of the sentence: what is introduced, and what is improved on.

    `entities` are those of `doc`, and say which of them the paper introduces.
    """
    found, sentences = recognition(doc), sentences_of(doc)
    places: dict[int, list[_Place]] = defaultdict(list)
    for entity, each in enumerate(entities):
        for start, end in each.spans:
            number = found.sentence_at(start)
            if end <= sentences[number].end:
                places[number].append((start, end, entity))
    result: dict[int, tuple[RelationType, int]] = {}
    for number, spans in sorted(places.items()):
        said = _said(found.text, sentences[number], sorted(spans), entities)
        for entity, relation in said:
            result.setdefault(entity, (relation, number))
    return result


def _said(
    text: str, sentence: Sentence, spans: list[_Place], entities: Sequence[NamedEntity]
) -> Iterator[tuple[int, RelationType]]:
    """Yield the relations that one sentence states beyond doubt, with the numbers of entities."""
    if sentence.in_title or not _MAY_SAY.search(text, sentence.start, sentence.end):
        return
    if pair := _ALSO_PRESENTS.search(text, sentence.start, sentence.end):
        named = {(start, end): entity for start, end, entity in spans}
        first, second = named.get(pair.span("first")), named.get(pair.span("second"))
        if first is not None and second is not None and entities[first].introduced:
            yield second, RelationType.INTRODUCES
    masked, lists = _mask(text, sentence, spans, entities)
    for hit in _IMPROVES.finditer(masked) if _SELF.search(masked) else ():
        listed = next((each for each in lists if each.start >= hit.end()), None)
        is_near = listed and _GAP.fullmatch(masked, hit.end(), listed.start)
        if listed and is_near and not _OTHER_SUBJECT.search(masked, 0, hit.start()):
            for each in listed.entities:
                if entities[each].kind is not EntityKind.DATASET and not entities[each].generic:
                    yield each, RelationType.IMPROVES_ON


def _mask(
    text: str, sentence: Sentence, spans: list[_Place], entities: Sequence[NamedEntity]
) -> tuple[str, list[_Listed]]:
    """Return the sentence with entities masked, and the entities in it, by lists.

    Entities that are listed together ("X, Y and Z") make one mask.
    """
    parts: list[str] = []
    lists: list[_Listed] = []
    length, position = 0, sentence.start
    for start, end, entity in spans:
        between = text[position:start]
        own = entities[entity].introduced
        if lists and not own and lists[-1].end == length and _LIST_LINK.fullmatch(between):
            lists[-1].entities.append(entity)
        else:
            word = _OWN if own else _ENTITY
            parts += [between, word]
            length += len(between)
            lists.append(_Listed(length, length + len(word), [entity]))
            length += len(word)
        position = end
    parts.append(text[position : sentence.end])
    return "".join(parts), lists
