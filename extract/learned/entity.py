"""A recognised entity of one paper."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.form_index import FormIndex


@dataclass(slots=True)
class Entity:
    """`spans`: where it is named; `surfaces`: its distinct forms as written; `probability` that
    it is one; `own`: that the paper introduces it, by the words around it."""

    name: str
    kind: str
    forms: set[str]
    spans: list[Span]
    probability: float = 1.0
    own: float = 0.0
    surfaces: list[str] = field(default_factory=list)


def complete(document: Document, entities: Sequence[Entity]) -> None:
    """Give each entity every place of the paper that has one of its forms, longest names first,
    and its surfaces."""
    owners: dict[str, int] = {}
    for k, entity in enumerate(entities):
        for form in entity.forms:
            owners.setdefault(form, k)
    reached = (0, 0)
    for (s, start, end), form in document.places(FormIndex(owners)):
        if (s, start) >= reached and (
            len(form) > 3 or not document.sentences[s].words[start].islower()
        ):
            entities[owners[form]].spans.append((s, start, end))
            reached = (s, end)
    for entity in entities:
        entity.spans = sorted(set(entity.spans))
        entity.surfaces = list(dict.fromkeys(document.surface(span) for span in entity.spans))
