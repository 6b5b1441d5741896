"""Derivation: the lineage that one paper states, by its linked statements."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from stemma.schema import (
    LINEAGE_RELATIONS,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    RelationType,
)
from stemma.schema.full_text import FIELD_ORDER


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


def lineage_claims(
    extraction: Extraction,
) -> Iterator[tuple[FoundRelation, FoundEntity | None]]:
    """Yield what a paper states of its lineage, each with the contribution that this is about.

    That is the contribution that the evidence names, else the main one, else the paper (None).
    """
    main = main_contribution(extraction)
    places = _Places(_introduced(extraction), main)
    for relation in extraction.relations:
        if relation.type in LINEAGE_RELATIONS:
            yield relation, places.named_in(relation.evidence) or main


def derivations(extraction: Extraction, ids: Mapping[str, str]) -> list[Derivation]:
    """Return the lineage edges that a paper states; `ids` are those of its entities, by name.

    Each (child, parent, relation) is given once, by the surest.
    """
    surest: dict[tuple[str, str, RelationType], float] = {}
    for relation, child in relations_by_child(extraction, ids):
        edge = (child, ids[relation.entity], relation.type)
        surest[edge] = max(relation.confidence, surest.get(edge, 0.0))
    return [Derivation(*edge, confidence) for edge, confidence in sorted(surest.items())]


def relations_by_child(
    extraction: Extraction, ids: Mapping[str, str]
) -> Iterator[tuple[FoundRelation, str]]:
    """Yield the relations that make lineage, each with the id of the child.

    The child is the contribution that the claim is about, or the paper. No work derives from
    itself.
    """
    for relation, contribution in lineage_claims(extraction):
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


def _first_place(entity: FoundEntity) -> tuple[float, float, str]:
    """Order by where the paper first names an entity: title, abstract, sections."""
    places = [(FIELD_ORDER[mention.field], mention.start) for mention in entity.mentions]
    return (*min(places, default=(float("inf"), float("inf"))), entity.name)


class _Places:
    """Where the contributions of a paper are named, in order: found without looking at them all."""

    def __init__(self, introduced: Iterable[FoundEntity], main: FoundEntity | None) -> None:
        self._main = main
        self._places = sorted(
            (
                (mention.field, mention.start, mention.end, entity)
                for entity in introduced
                for mention in entity.mentions
            ),
            key=lambda place: place[:3],
        )

    def named_in(self, evidence: Iterable[Evidence]) -> FoundEntity | None:
        """Return the contribution that the strongest sentence names which names one."""
        for sentence in evidence:
            first = bisect_left(self._places, (sentence.field, sentence.start), key=_start)
            last = bisect_right(self._places, (sentence.field, sentence.end), key=_start)
            named = [
                entity for _, _, end, entity in self._places[first:last] if end <= sentence.end
            ]
            if named:
                return self._main if self._main in named else min(named, key=_first_place)
        return None


def _start(place: tuple[Field, int, int, FoundEntity]) -> tuple[Field, int]:
    return place[:2]
