"""Cue phrases: what each sentence says of the entities in it, by its wording."""

import re
import tomllib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from spacy.tokens import Doc

from stemma.extract.recognition import (
    NamedEntity,
    Recognition,
    Relation,
    Sentence,
    component,
    entities_of,
    recognition,
    sentences_of,
    set_relations,
    tokens_of,
)
from stemma.schema import EntityKind, RelationType

ONLY_FOR = {
    RelationType.RUNS_ON: {EntityKind.HARDWARE},
    RelationType.EVALUATED_ON: {EntityKind.DATASET, EntityKind.MODEL},
}
"""The kinds of entities that some relations lead to; the others lead to any."""
_WEAK = frozenset({RelationType.USES, RelationType.MENTIONS})
_MOST_SENTENCES = 3
_BESIDES = 0.4
"""The confidence from which a relation stands beside a stronger one."""


class Vote(NamedTuple):
    """That a sentence (by its number) states `relation` of an entity (by its number)."""

    entity: int
    relation: RelationType
    sentence: int
    confidence: float
    origin: str


def _elected(doc: Doc, entity: NamedEntity, votes: list[Vote]) -> list[Relation]:
    """Return the strongest relations of an entity that the text supports, at least one."""
    by_relation: dict[RelationType, list[Vote]] = defaultdict(list)
    for vote in votes:
        if entity.kind in ONLY_FOR.get(vote.relation, EntityKind):
            by_relation[vote.relation].append(vote)
    # Tuples, not relations: most do not stand, and their sentences need not be looked up.
    ranked = sorted(
        (-max(vote.confidence for vote in each), relation) for relation, each in by_relation.items()
    )
    types = [relation for _, relation in ranked]
    if RelationType.INTRODUCES in types:
        types = [RelationType.INTRODUCES]
    else:
        strong = [each for less, each in ranked if -less >= _BESIDES and each not in _WEAK]
        types = strong or types[:1]
    return [_summed(doc, entity, each, by_relation[each]) for each in types]


def _summed(doc: Doc, entity: NamedEntity, type_: RelationType, votes: list[Vote]) -> Relation:
    """One relation of all votes for it: the strongest, with the sentences that agree."""
    ranked = sorted(votes, key=lambda vote: (-vote.confidence, vote.sentence))
    sentences = list(dict.fromkeys(vote.sentence for vote in ranked))[:_MOST_SENTENCES]
    known = recognition(doc).sentences
    evidence = tuple(tokens_of(doc, known[each]) for each in sentences)
    return Relation(type_, entity.name, ranked[0].confidence, evidence, ranked[0].origin)


_CUES = Path(__file__).with_name("cues.toml")
_SURE_OF_WORDING = 0.8
_PLACES = ("before", "after", "anywhere")
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


@dataclass(frozen=True)
class Cue:
    """A phrase before or after an entity that states a relation to it."""

    name: str
    relation: RelationType
    pattern: re.Pattern[str]
    place: str
    kinds: frozenset[EntityKind]
    generic: frozenset[bool]
    frames: frozenset[str]
    not_frames: frozenset[str]
    reliability: float

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Cue":
        """Read a cue from its table in the file."""
        place = next(place for place in _PLACES if place in data)
        return cls(
            name=data["name"],
            relation=RelationType(data["relation"]),
            pattern=re.compile(data[place]),
            place=place,
            kinds=frozenset(EntityKind(kind) for kind in data.get("kinds", EntityKind)),
            generic=frozenset([data["generic"]] if "generic" in data else [True, False]),
            frames=frozenset(data.get("frames", ())),
            not_frames=frozenset(data.get("not_frames", ())),
            reliability=float(data["reliability"]),
        )

    def suits(self, entity: NamedEntity) -> bool:
        """Return whether the cue may speak of such an entity."""
        return entity.kind in self.kinds and entity.generic in self.generic

    def fits(self, frames: frozenset[str]) -> bool:
        """Return whether the cue may speak in a sentence of these sorts."""
        return (not self.frames or not self.frames.isdisjoint(frames)) and (
            self.not_frames.isdisjoint(frames)
        )


class Listed(NamedTuple):
    """Entities (by number) that a sentence lists together, at `start` to `end` of its mask."""

    start: int
    end: int
    entities: list[int]


@cache
def _cue_book() -> tuple[list[Cue], dict[str, re.Pattern[str]]]:
    """Return all cues, and the patterns that classify sentences."""
    data = tomllib.loads(_CUES.read_text("utf-8"))
    patterns = {name: re.compile(pattern) for name, pattern in data["frames"].items()}
    return [Cue.read(each) for each in data["cue"]], patterns


@component("stemma_cues", requires=["doc.ents", "doc.sents"], assigns=["doc._.relations"])
def cue_finder(doc: Doc) -> Doc:
    """Set the relations for which sentences vote, by their cues or by what most of them mean."""
    found = recognition(doc)
    sentences = sentences_of(doc)
    entities = entities_of(doc)
    votes: dict[int, list[Vote]] = defaultdict(list)
    for number, spans in _by_sentence(found, entities):
        for vote in _votes(found.text, number, sentences[number], spans, entities):
            votes[vote.entity].append(vote)
    set_relations(doc, chain(*(_elected(doc, each, votes[k]) for k, each in enumerate(entities))))
    return doc


def _votes(
    text: str,
    number: int,
    sentence: Sentence,
    spans: list[tuple[int, int, int]],
    entities: Sequence[NamedEntity],
) -> Iterator[Vote]:
    cues, patterns = _cue_book()
    masked, lists = mask(text, sentence, spans, entities)
    present = {each for listed in lists for each in listed.entities}
    ordered = sorted(present)
    for entity in ordered:
        if entities[entity].introduced:
            score = entities[entity].score
            yield Vote(entity, RelationType.INTRODUCES, number, score, "coined/1")
    for entity, relation in _worded(text, sentence, spans, entities):
        yield Vote(entity, relation, number, _SURE_OF_WORDING, "wording/1")
    frames = frozenset(
        ["title"]
        if sentence.in_title
        else [name for name, pattern in patterns.items() if pattern.search(masked)]
    )
    for cue in cues:
        suited = [each for each in ordered if cue.suits(entities[each])]
        if suited and cue.fits(frames):
            spoken_of = _spoken_of(cue, masked, lists, present)
            for entity in filter(spoken_of.__contains__, suited):
                yield Vote(entity, cue.relation, number, cue.reliability, f"cue:{cue.name}/1")


def _by_sentence(
    found: Recognition, entities: Sequence[NamedEntity]
) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """Yield the numbers of sentences with the places in them of entities, by their numbers."""
    places: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for number, entity in enumerate(entities):
        for start, end in entity.spans:
            places[found.sentence_at(start)].append((start, end, number))
    for number in sorted(places):
        yield number, sorted(places[number])


def mask(
    text: str,
    sentence: Sentence,
    spans: list[tuple[int, int, int]],
    entities: Sequence[NamedEntity],
) -> tuple[str, list[Listed]]:
    """Return the sentence with entities masked, and the entities in it, by lists.

    Entities that are listed together ("X, Y and Z") make one mask.
    """
    parts: list[str] = []
    lists: list[Listed] = []
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
            lists.append(Listed(length, length + len(word), [entity]))
            length += len(word)
        position = end
    parts.append(text[position : sentence.end])
    return "".join(parts), lists


def worded(doc: Doc, entities: Sequence[NamedEntity]) -> dict[int, tuple[RelationType, int]]:
    """Return the relations to entities, by number, that wording leaves no doubt of, with the
    number of the sentence: what is introduced, and what is improved on.

    `entities` are those of `doc`, and say which of them the paper introduces.
    """
    found, result = recognition(doc), dict[int, tuple[RelationType, int]]()
    sentences = sentences_of(doc)
    for number, spans in _by_sentence(found, entities):
        sentence = sentences[number]
        within = [each for each in spans if each[1] <= sentence.end]
        for entity, relation in _worded(found.text, sentence, within, entities):
            result.setdefault(entity, (relation, number))
    return result


def _worded(
    text: str,
    sentence: Sentence,
    spans: list[tuple[int, int, int]],
    entities: Sequence[NamedEntity],
) -> Iterator[tuple[int, RelationType]]:
    if sentence.in_title or not _MAY_SAY.search(text, sentence.start, sentence.end):
        return
    if pair := _ALSO_PRESENTS.search(text, sentence.start, sentence.end):
        named = {(start, end): entity for start, end, entity in spans}
        first, second = named.get(pair.span("first")), named.get(pair.span("second"))
        if first is not None and second is not None and entities[first].introduced:
            yield second, RelationType.INTRODUCES
    masked, lists = mask(text, sentence, spans, entities)
    for hit in _IMPROVES.finditer(masked) if _SELF.search(masked) else ():
        listed = _next_after(hit.end(), lists, masked)
        if listed and not _OTHER_SUBJECT.search(masked, 0, hit.start()):
            for each in listed.entities:
                if entities[each].kind is not EntityKind.DATASET and not entities[each].generic:
                    yield each, RelationType.IMPROVES_ON


def _spoken_of(cue: Cue, masked: str, lists: list[Listed], present: Set[int]) -> Set[int]:
    """The entities that the cue speaks of in a masked sentence."""
    if cue.place == "anywhere":
        return present if cue.pattern.search(masked) else frozenset()
    if cue.place == "after":
        heard = [each for each in lists if cue.pattern.match(masked, each.end)]
    elif not cue.pattern.search(masked, 0, lists[-1].start):
        return frozenset()  # most cues: what stands after the last entity need not be searched
    else:
        nearest = [_next_after(hit.end(), lists, masked) for hit in cue.pattern.finditer(masked)]
        heard = [each for each in nearest if each]
    return {entity for listed in heard for entity in listed.entities}


def _next_after(offset: int, lists: list[Listed], masked: str) -> Listed | None:
    """The next listed entities after `offset`, if only a few words lie between."""
    at = bisect_left(lists, offset, key=lambda each: each.start)
    if at == len(lists):
        return None
    listed = lists[at]
    return listed if _GAP.fullmatch(masked, offset, listed.start) else None
