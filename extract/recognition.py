"""A paper as one spaCy Doc: what recognisers share, and the entities and relations found in it.

The title stands before the abstract; of a plain text, before the first blank line, and without one
it is an abstract. Of doc.ents, each span has an entity's kind as label, its name as id, and the id
of the catalogue's concept, where that is certain, as kb_id. `doc._.entities` reads and writes them
together by what they name, and `doc._.relations` how the paper relates to them.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgspec import convert
from spacy.language import Language
from spacy.tokens import Doc, Span

from stemma.schema import (
    Comparison,
    EntityKind,
    Evidence,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
)
from stemma.schema.comparison import to_json

_BETWEEN_FIELDS = "\n\n"


class Sentence(NamedTuple):
    """Characters `start` to `end` of a document, in one field, without blanks around them."""

    start: int
    end: int
    in_title: bool


class Candidate(NamedTuple):
    """Characters `start` to `end` of a document, which the recogniser `source` takes for a name.

    `score` in [0, 1] is how often the source is right, `kind` what it takes the entity for (None
    where it cannot tell), `concept` the id of the catalogue concept where the name has one sense.
    `introduced` means that the text presents the entity as its own, `generic` that the name is one
    of a class (LLM, GPU) rather than of one thing.
    """

    start: int
    end: int
    kind: EntityKind | None
    source: str
    score: float
    concept: str | None = None
    introduced: bool = False
    generic: bool = False


@dataclass(slots=True)
class Recognition:
    """What the recognisers share while a Doc goes through them. It is not stored with the Doc.

    `text` is that of the Doc (which would join its tokens each time it is asked for),
    `title_end` is where the title ends, and `abstract_start` where the abstract begins.
    `synonyms` are pairs of spans that name the same thing, `excluded` spans that name no entity.
    """

    text: str
    title_end: int
    abstract_start: int
    sentences: list[Sentence] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    synonyms: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    excluded: set[tuple[int, int]] = field(default_factory=set)

    def in_one_field(self, start: int, end: int) -> bool:
        """Return whether a span lies wholly in the title or wholly in the abstract."""
        return end <= self.title_end or start >= self.abstract_start

    def sentence_at(self, offset: int) -> int:
        """Return the number of the sentence in which `offset` lies."""
        return max(0, bisect_right(self.sentences, offset, key=attrgetter("start")) - 1)


def component(
    name: str, *, requires: Sequence[str] = (), assigns: Sequence[str] = ()
) -> Callable[[Callable[[Doc], Doc]], Callable[..., Callable[[Doc], Doc]]]:
    """Make a function of a Doc a component of this name, which has no settings.

    In its place stands the factory that spaCy finds by an entry point, and that returns it.
    """

    def registered(function: Callable[[Doc], Doc]) -> Callable[..., Callable[[Doc], Doc]]:
        def factory(nlp: Language, name: str) -> Callable[[Doc], Doc]:
            return function

        return Language.factory(name, requires=requires, assigns=assigns, func=factory)

    return registered


_recognitions: WeakKeyDictionary[Doc, Recognition] = WeakKeyDictionary()


def recognition(doc: Doc) -> Recognition:
    """Return the state that recognisers share for `doc`: candidates, and spans of its text."""
    found = _recognitions.get(doc)
    if found is None:
        _recognitions[doc] = found = _nothing_found(doc.text, doc._.title_end)
    return found


def sentences_of(doc: Doc) -> list[Sentence]:
    """Return the sentences of `doc`, which some component has to have set."""
    found = recognition(doc)
    if not found.sentences:
        for sent in doc.sents:
            start, end = sent.start_char, sent.end_char
            if stripped := found.text[start:end].strip():
                start = found.text.index(stripped[0], start)
                sentence = Sentence(start, start + len(stripped), start < found.title_end)
                found.sentences.append(sentence)
    return found.sentences


def _nothing_found(text: str, title_end: int | None) -> Recognition:
    end = text.find(_BETWEEN_FIELDS) if title_end is None else title_end
    if end < 0:
        return Recognition(text, 0, 0)
    return Recognition(text, end, end + len(_BETWEEN_FIELDS))


Doc.set_extension("title_end", default=None, force=True)


def document_of(nlp: Language, title: str, abstract: str) -> Doc:
    """Return a paper for a pipeline: `nlp(document_of(nlp, title, abstract))`.

    A plain text with a blank line after its title does as well, unless the title has one itself.
    """
    text = title + _BETWEEN_FIELDS + abstract
    doc = nlp.make_doc(text)
    doc._.title_end = len(title)
    _recognitions[doc] = _nothing_found(text, len(title))
    return doc


_STORED = "stemma_relations"
"""In doc.user_data: plain lists, which a Doc can be saved with, and which hold no Span of it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """The paper has a relation of this `type` to an entity, given by name (`ent.id_`).

    `confidence` is in [0, 1]; `evidence` are the sentences that state it, the strongest first;
    `origin` names the component that found it, with its version; `comparison` is how a
    COMPARES_WITH turned out.
    """

    type: RelationType
    entity: str
    confidence: float
    evidence: tuple[Span, ...]
    origin: str
    comparison: Comparison | None = None


def relations_of(doc: Doc) -> list[Relation]:
    """Return the relations of a Doc."""
    return [
        Relation(
            RelationType(type_),
            entity,
            confidence,
            tuple(doc[start:end] for start, end in evidence),
            origin,
            convert(comparison, Comparison) if comparison else None,
        )
        for type_, entity, confidence, evidence, origin, comparison in doc.user_data.get(
            _STORED, ()
        )
    ]


def set_relations(doc: Doc, relations: Iterable[Relation]) -> None:
    """Set the relations of a Doc."""
    doc.user_data[_STORED] = [
        (
            relation.type.value,
            relation.entity,
            relation.confidence,
            [(span.start, span.end) for span in relation.evidence],
            relation.origin,
            to_json(relation.comparison) if relation.comparison else None,
        )
        for relation in relations
    ]


Doc.set_extension("relations", getter=relations_of, setter=set_relations, force=True)


_KINDS = {kind.value: kind for kind in EntityKind}
_MORE = "stemma_entities"


@dataclass(slots=True)
class NamedEntity:
    """An entity of one paper, with the spans (start, end) of characters that name it.

    `introduced`: the text presents it as its own. `score` is the confidence that it is an entity,
    `generic` means a class of things (LLM, GPU) and not one thing (GPT-3, A100), `homonym` that the
    text coins the name for another kind of thing than the catalogue has under it.
    """

    name: str
    kind: EntityKind
    concept: str | None
    spans: list[tuple[int, int]]
    introduced: bool = False
    score: float = 1.0
    generic: bool = False
    homonym: bool = False


def entities_of(doc: Doc) -> list[NamedEntity]:
    """Return the entities in the order in which the text first names them.

    Spans that another component has set count too if their label is one of the kinds; without an
    id their text is the name.
    """
    more = doc.user_data.get(_MORE, {})
    found: dict[str, NamedEntity] = {}
    for ent in doc.ents:
        kind = _KINDS.get(ent.label_)
        if kind is None:
            continue
        name = ent.id_ or ent.text
        if (entity := found.get(name)) is None:
            known = more.get(name, ())
            found[name] = entity = NamedEntity(name, kind, ent.kb_id_ or None, [], *known)
        entity.spans.append((ent.start_char, ent.end_char))
    return list(found.values())


def set_entities(doc: Doc, entities: Iterable[NamedEntity]) -> None:
    """Set doc.ents."""
    spans = []
    more = {}
    for entity in entities:
        more[entity.name] = (entity.introduced, entity.score, entity.generic, entity.homonym)
        kind, concept = entity.kind.value, entity.concept or ""
        spans += [
            whole_tokens(doc, *place, label=kind, kb_id=concept, id_=entity.name)
            for place in entity.spans
        ]
    doc.set_ents(spans, default="outside")
    doc.user_data[_MORE] = more


def whole_tokens(
    doc: Doc, start: int, end: int, *, label: str = "", kb_id: str = "", id_: str = ""
) -> Span:
    """Return the tokens in which characters `start` to `end` lie."""
    span = doc.char_span(start, end, label, kb_id, alignment_mode="expand", span_id=id_)
    if span is None:
        raise ValueError(f"characters {start} to {end} are not in a text of {len(doc.text)}")
    return span


Doc.set_extension("entities", getter=entities_of, setter=set_entities, force=True)


def found_in(doc: Doc) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Return the entities and relations of a Doc that went through the pipeline."""
    found = recognition(doc)
    text = found.text

    def placed(start: int, end: int) -> tuple[str, Field, int, int]:
        if end <= found.title_end:
            return text[start:end], Field.TITLE, start, end
        offset = found.abstract_start
        return text[start:end], Field.ABSTRACT, start - offset, end - offset

    entities = tuple(
        FoundEntity(
            entity.name,
            entity.kind,
            entity.concept,
            tuple(Mention(*placed(start, end)) for start, end in entity.spans),
        )
        for entity in entities_of(doc)
    )
    relations = tuple(
        FoundRelation(
            relation.type,
            relation.entity,
            relation.confidence,
            tuple(Evidence(*placed(span.start_char, span.end_char)) for span in relation.evidence),
            relation.origin,
            relation.comparison,
        )
        for relation in relations_of(doc)
    )
    return entities, relations
