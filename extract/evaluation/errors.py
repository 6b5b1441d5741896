"""Errors: what an annotator would object to in the extraction of a paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from stemma.extract.evaluation.alignment import Alignment, Claim, Support, Target
from stemma.extract.evaluation.evaluation import quotes_the_same
from stemma.schema import EntityKind, RelationType


class ErrorSort(StrEnum):
    """What went wrong."""

    MISSED_ENTITY = "missed entity"
    SPURIOUS_ENTITY = "spurious entity"
    WRONG_KIND = "wrong kind"
    MISSED_RELATION = "missed relation"
    MISSED_WITH_ENTITY = "missed relation of a missed entity"
    SPURIOUS_RELATION = "spurious relation"
    SPURIOUS_WITH_ENTITY = "spurious relation of a spurious entity"
    WRONG_RELATION = "wrong relation"
    WRONG_EVIDENCE = "wrong evidence"


@dataclass(frozen=True, slots=True)
class Error:
    """One error: `gold` and `predicted` are kinds or relations, None on the side that has none.

    `entity` is the name of the entity it is about, the annotator's where there is one.
    """

    sort: ErrorSort
    gold: EntityKind | RelationType | None
    predicted: EntityKind | RelationType | None
    entity: str
    gold_support: Support | None = None
    predicted_support: Support | None = None

    @property
    def label(self) -> str:
        """Say what went wrong, as in "missed BUILDS_ON" and "USES instead of BUILDS_ON"."""
        if self.sort is ErrorSort.WRONG_EVIDENCE:
            return f"wrong evidence for {self.gold}"
        if self.gold and self.predicted:
            return f"{self.predicted} instead of {self.gold}"
        of_entity = self.sort in (ErrorSort.MISSED_WITH_ENTITY, ErrorSort.SPURIOUS_WITH_ENTITY)
        verdict = "missed" if self.gold else "spurious"
        label = f"{verdict} {self.gold or self.predicted}"
        return f"{label}, as its entity" if of_entity else label


def errors(alignment: Alignment) -> list[Error]:
    """Return the errors in one paper, those of entities first.

    Where an entity lacks a relation and has another that it should not have, they make one error:
    a wrong relation. MENTIONS counts there alone, as it is not scored.
    """
    return [*_of_entities(alignment), *_of_relations(alignment), *_of_evidence(alignment)]


def _of_entities(alignment: Alignment) -> Iterator[Error]:
    found = {alignment.target(each.name): each for each in alignment.found}
    for index, entity in enumerate(alignment.gold.entities):
        partner = found.get(index)
        if partner is None:
            yield Error(ErrorSort.MISSED_ENTITY, entity.kind, None, entity.name)
        elif partner.kind is not entity.kind:
            yield Error(ErrorSort.WRONG_KIND, entity.kind, partner.kind, entity.name)
    for target, extra in found.items():
        if isinstance(target, str):
            yield Error(ErrorSort.SPURIOUS_ENTITY, None, extra.kind, extra.name)


def _of_relations(alignment: Alignment) -> Iterator[Error]:
    gold, predicted = alignment.gold_claims, alignment.predicted_claims
    missed = _by_target(gold.keys() - predicted.keys())
    spurious = _by_target(predicted.keys() - gold.keys())
    paired = set(alignment.pairs.values())
    for target in sorted(missed | spurious, key=lambda each: (isinstance(each, str), str(each))):
        name = alignment.name(target)
        lacking, extra = missed.get(target, []), spurious.get(target, [])
        for right, wrong in zip(lacking, extra, strict=False):
            yield Error(
                ErrorSort.WRONG_RELATION,
                right,
                wrong,
                name,
                gold[right, target],
                predicted[wrong, target],
            )
        sort = ErrorSort.MISSED_RELATION if target in paired else ErrorSort.MISSED_WITH_ENTITY
        for relation in _scored(lacking[len(extra) :]):
            yield Error(sort, relation, None, name, gold_support=gold[relation, target])
        sort = ErrorSort.SPURIOUS_RELATION if target in paired else ErrorSort.SPURIOUS_WITH_ENTITY
        for relation in _scored(extra[len(lacking) :]):
            support = predicted[relation, target]
            yield Error(sort, None, relation, name, predicted_support=support)


def _of_evidence(alignment: Alignment) -> Iterator[Error]:
    for claim, support in alignment.predicted_claims.items():
        gold = alignment.gold_claims.get(claim)
        relation, target = claim
        if gold is None or not gold.evidence or relation is RelationType.MENTIONS:
            continue
        if not any(quotes_the_same(a, b) for a in gold.evidence for b in support.evidence):
            name = alignment.name(target)
            yield Error(ErrorSort.WRONG_EVIDENCE, relation, relation, name, gold, support)


def _by_target(claims: Iterable[Claim]) -> dict[Target, list[RelationType]]:
    """Gather the relations to each entity, the strongest first and MENTIONS last."""
    order = list(RelationType)
    gathered: dict[Target, list[RelationType]] = {}
    for relation, target in sorted(claims, key=lambda claim: order.index(claim[0])):
        gathered.setdefault(target, []).append(relation)
    return gathered


def _scored(relations: Iterable[RelationType]) -> list[RelationType]:
    return [each for each in relations if each is not RelationType.MENTIONS]
