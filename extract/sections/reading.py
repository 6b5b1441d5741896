"""Readings: the names in a window, with the probabilities of all that may be said of each.

A relation that one window alone leaves in doubt may be sure in the light of all.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spacy.tokens import Doc

from stemma.extract.comparison import compare
from stemma.extract.document import found_in, recognition, sentences_of
from stemma.extract.encoder.component import (
    PaperReader,
    choose_names,
    named_entities,
    read_document,
    recognised,
)
from stemma.extract.encoder.document import Document
from stemma.extract.encoder.network import RELATIONS
from stemma.extract.named_entity import NamedEntity, entities_of
from stemma.schema import Comparison, EntityKind, Field, RelationType

LEAST = 0.2
"""The probability of an entity from which it is looked at."""

Likely = Mapping[RelationType, float]
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a window that names an entity, at `names`; all are offsets in the window.

    `likely`: for each relation the probability that the paper has it to the entity, and `states`
    that this sentence says so. `others` are the names of other entities in it.
    """

    start: int
    end: int
    text: str
    names: tuple[_Span, ...]
    others: tuple[_Span, ...]
    likely: Likely
    states: Likely

    def before(self) -> Iterator[str]:
        """Yield what stands before each of the names."""
        for start, _ in self.names:
            yield self.text[: start - self.start]

    def comparison(self) -> Comparison | None:
        """Return how this work compares with the entity, if the sentence says so."""
        others = [(start - self.start, end - self.start) for start, end in self.others]
        for start, end in self.names:
            if found := compare(self.text, start - self.start, end - self.start, others):
                return found
        return None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a window says of one entity: `forms` are the names that it has there, `likely` is the
    probability that it is one."""

    name: str
    kind: EntityKind
    concept: str | None
    forms: frozenset[str]
    likely: float
    sentences: tuple[Sentence, ...]


_Scored = tuple[NamedEntity, Likely, Mapping[int, Likely]]
"""An entity, its relations, and by sentence which of them that states."""


def readings(doc: Doc, reader: PaperReader | None) -> list[Reading]:
    """Return what is read of a Doc that went through the components before the network.

    `reader` is the network's component, None where rules read alone.
    """
    scored = list(_by_rules(doc) if reader is None else _by_network(doc, reader))
    found, offset = recognition(doc), recognition(doc).abstract_start
    named: dict[int, list[_Span]] = defaultdict(list)
    for entity, *_ in scored:
        for start, end in entity.spans:
            named[found.sentence_at(start)].append((start - offset, end - offset))
    read = []
    for entity, likely, stating in scored:
        places: dict[int, list[_Span]] = defaultdict(list)
        for start, end in entity.spans:
            if start >= offset:
                places[found.sentence_at(start)].append((start - offset, end - offset))
        sentences = []
        for number, own in sorted(places.items()):
            start, end, _ = sentences_of(doc)[number]
            others = tuple(each for each in named[number] if each not in own)
            sentences.append(
                Sentence(
                    start - offset,
                    end - offset,
                    found.text[start:end],
                    tuple(own),
                    others,
                    likely,
                    stating.get(number, {}),
                )
            )
        if sentences:
            forms = frozenset(found.text[start:end] for start, end in entity.spans)
            read.append(
                Reading(
                    entity.name,
                    entity.kind,
                    entity.concept,
                    forms,
                    entity.score,
                    tuple(sentences),
                )
            )
    return read


def _by_network(doc: Doc, reader: PaperReader) -> Iterator[_Scored]:
    document = Document.of(doc)
    groups, related = read_document(reader.network, document, reader.preferred)
    if not groups:
        return
    chosen = recognised(document, choose_names(document, groups, related, LEAST), related)
    for entity, named in zip(chosen, named_entities(doc, document, chosen), strict=True):
        evidence = related.evidence[entity.group]
        stating = {
            number: dict(zip(RELATIONS, evidence[:, number].tolist(), strict=True))
            for number in {recognition(doc).sentence_at(start) for start, _ in named.spans}
        }
        relations = related.relations[entity.group].tolist()
        yield named, dict(zip(RELATIONS, relations, strict=True)), stating


def _by_rules(doc: Doc) -> Iterator[_Scored]:
    _, relations = found_in(doc)
    offset = recognition(doc).abstract_start
    for entity in entities_of(doc):
        own = [each for each in relations if each.entity == entity.name]
        stating: dict[int, dict[RelationType, float]] = defaultdict(dict)
        for relation in own:
            for each in relation.evidence:
                if each.field is Field.ABSTRACT:
                    number = recognition(doc).sentence_at(each.start + offset)
                    stating[number][relation.type] = 1.0
        yield entity, {each.type: each.confidence for each in own}, stating
