"""Derivation: the lineage that one paper states, by its linked statements."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stemma.schema import (
    LINEAGE_RELATIONS,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    RelationType,
    Span,
)


@dataclass(frozen=True, slots=True)
class Derivation:
    """`child` (an entity, or the paper itself) has `relation` to `parent`, as one paper says."""

    child: str
    parent: str
    relation: RelationType
    confidence: float


def main_contribution(extraction: Extraction) -> FoundEntity | None:
    """Return what the paper introduces in its title, else what it introduces first."""
    introduced = _introduced(extraction)
    return min(introduced, key=_first_place, default=None)


def derivations(extraction: Extraction, ids: Mapping[str, str]) -> list[Derivation]:
    """Return the lineage edges that a paper states; `ids` are those of its entities, by name.

    Each (child, parent, relation) is given once, by the surest.
    """
    surest: dict[tuple[str, str, RelationType], float] = {}
    for relation, child in deriving(extraction, ids):
        edge = (child, ids[relation.entity], relation.type)
        surest[edge] = max(relation.confidence, surest.get(edge, 0.0))
    return [Derivation(*edge, confidence) for edge, confidence in sorted(surest.items())]


def deriving(extraction: Extraction, ids: Mapping[str, str]) -> Iterator[tuple[FoundRelation, str]]:
    """Yield the relations that make lineage, each with the id of the child.

    The child is the contribution that the evidence names, else the main one, else the paper. No
    work derives from itself.
    """
    introduced = _introduced(extraction)
    main = main_contribution(extraction)
    for relation in extraction.relations:
        if relation.type not in LINEAGE_RELATIONS:
            continue
        contribution = _named_in(relation.evidence, introduced, main) or main
        child = ids[contribution.name] if contribution else extraction.paper.id
        if child != ids[relation.entity]:
            yield relation, child


def _introduced(extraction: Extraction) -> list[FoundEntity]:
    names = {
        relation.entity
        for relation in extraction.relations
        if relation.type is RelationType.INTRODUCES
    }
    return [entity for entity in extraction.entities if entity.name in names]


def _first_place(entity: FoundEntity) -> tuple[bool, float, str]:
    """Order by where the paper first names an entity, its title before its abstract."""
    places = [(mention.field is not Field.TITLE, mention.start) for mention in entity.mentions]
    return (*min(places, default=(True, float("inf"))), entity.name)


def _named_in(
    evidence: tuple[Evidence, ...], introduced: list[FoundEntity], main: FoundEntity | None
) -> FoundEntity | None:
    """Return the contribution that the strongest possible sentence names: the main, if it does."""
    for sentence in evidence:
        named = [
            entity
            for entity in introduced
            if any(_within(mention, sentence) for mention in entity.mentions)
        ]
        if named:
            return main if main in named else min(named, key=_first_place)
    return None


def _within(inner: Span, outer: Span) -> bool:
    return inner.field is outer.field and outer.start <= inner.start and inner.end <= outer.end
