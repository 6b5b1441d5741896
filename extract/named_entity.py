"""Named entities: the spans of doc.ents by what they name.

Each span has the kind as its label, the entity's name as its id, and the id of the catalogue's
concept, where that is certain, as its kb_id. `doc._.entities` reads and writes them together.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from spacy.tokens import Doc, Span

from stemma.schema import EntityKind

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
