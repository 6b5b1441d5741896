"""What a Doc holds: named entities, the spans of doc.ents by what they name, and relations to them.

Each span has the kind as its label, the entity's name as its id, and the id of the catalogue's
concept, where that is certain, as its kb_id. `doc._.entities` reads and writes them together, and
`doc._.relations` how the paper relates to them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from spacy.tokens import Doc, Span

from stemma.schema import Comparison, EntityKind, RelationType
from stemma.schema.comparison import from_json, to_json

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
            from_json(comparison) if comparison else None,
        )
        for type_, entity, confidence, evidence, origin, comparison in doc.user_data.get(
            _STORED, ()
        )
    ]


def set_relations(doc: Doc, relations: Iterable[Relation]) -> None:
    """Set the relations of a Doc."""
    doc.user_data[_STORED] = [
        (
            each.type.value,
            each.entity,
            each.confidence,
            [(span.start, span.end) for span in each.evidence],
            each.origin,
            to_json(each.comparison) if each.comparison else None,
        )
        for each in relations
    ]


if not Doc.has_extension("relations"):
    Doc.set_extension("relations", getter=relations_of, setter=set_relations)


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
    for each in doc.ents:
        kind = _KINDS.get(each.label_)
        if kind is None:
            continue
        name = each.id_ or each.text
        if (entity := found.get(name)) is None:
            known = more.get(name, ())
            found[name] = entity = NamedEntity(name, kind, each.kb_id_ or None, [], *known)
        entity.spans.append((each.start_char, each.end_char))
    return list(found.values())


def set_entities(doc: Doc, entities: Iterable[NamedEntity]) -> None:
    """Set doc.ents."""
    spans = []
    more = {}
    for each in entities:
        more[each.name] = (each.introduced, each.score, each.generic, each.homonym)
        kind, concept = each.kind.value, each.concept or ""
        spans += [
            whole_tokens(doc, *place, label=kind, kb_id=concept, id_=each.name)
            for place in each.spans
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


if not Doc.has_extension("entities"):
    Doc.set_extension("entities", getter=entities_of, setter=set_entities)
