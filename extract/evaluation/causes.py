"""Why a lineage edge is missed or spurious: what is there instead."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stemma.extract.evaluation.alignment import Alignment, Claim, Target
from stemma.schema import LINEAGE_RELATIONS, RelationType

NO_ENTITY = "no entity"
"""The cause of errors whose entity the other side does not have."""


@dataclass(frozen=True, slots=True)
class LineageCauses:
    """Errors of lineage by cause: the strongest relation that the other side has to the same
    entity (MENTIONS where it has none), or NO_ENTITY.

    `missed`: edges of the annotators; `spurious`: edges of the extractor.
    """

    missed: Counter[str] = field(default_factory=Counter)
    spurious: Counter[str] = field(default_factory=Counter)


def lineage_causes(papers: Iterable[Alignment]) -> LineageCauses:
    """Count over all papers. As in `Scores.lineage`, BUILDS_ON and IMPROVES_ON count as one."""
    causes = LineageCauses()
    for paper in papers:
        gold, predicted = _strongest(paper.gold_claims), _strongest(paper.predicted_claims)
        paired = set(paper.pairs.values())
        for target, relation in gold.items():
            other = predicted.get(target)
            if relation in LINEAGE_RELATIONS and other not in LINEAGE_RELATIONS:
                causes.missed[_cause(other, target in paired)] += 1
        for target, relation in predicted.items():
            other = gold.get(target)
            if relation in LINEAGE_RELATIONS and other not in LINEAGE_RELATIONS:
                causes.spurious[_cause(other, isinstance(target, int))] += 1
    return causes


def _cause(other: RelationType | None, has_entity: bool) -> str:
    if not has_entity:
        return NO_ENTITY
    return (other or RelationType.MENTIONS).value


def _strongest(claims: Mapping[Claim, object]) -> dict[Target, RelationType]:
    """Return one relation to each entity: lineage before others, else as RelationType orders."""
    order = [*LINEAGE_RELATIONS, *RelationType]
    result: dict[Target, RelationType] = {}
    for relation, target in sorted(claims, key=lambda claim: order.index(claim[0])):
        result.setdefault(target, relation)
    return result
