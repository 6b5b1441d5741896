"""Relations: how the paper of a Doc relates to its entities, `doc._.relations`."""

from collections.abc import Iterable
from dataclasses import dataclass

from spacy.tokens import Doc, Span

from stemma.schema import Comparison, RelationType
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
