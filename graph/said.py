"""What papers and the catalogue say of an edge of lineage, and what the edge comes to."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import prod

from stemma.graph.store import LineageEdge
from stemma.schema import LINEAGE_RELATIONS, PartialDate, RelationType, Statement

_DECIMALS = 4
"""Of the confidence of an edge: what binary fractions add behind them says nothing."""
_ORDER = tuple(RelationType)


@dataclass(frozen=True, slots=True)
class Said:
    """`subject` (a paper, or for facts of the catalogue the child itself) states an edge."""

    subject: str
    relation: RelationType
    confidence: float
    from_catalogue: bool


def let_through(
    edge: Iterable[Said],
    relations: Collection[RelationType],
    min_confidence: float,
    include_catalogue: bool,
) -> list[Said]:
    """Return what the filters leave of what is said of an edge."""
    wanted = relations or LINEAGE_RELATIONS
    return [
        each
        for each in edge
        if each.confidence >= min_confidence
        and each.relation in wanted
        and (include_catalogue or not each.from_catalogue)
    ]


def confidence(edge: Iterable[Said]) -> float:
    """Return 1 - Π(1 - c) over distinct subjects, each by its strongest statement."""
    strongest: dict[str, float] = {}
    for each in edge:
        strongest[each.subject] = max(each.confidence, strongest.get(each.subject, 0.0))
    return round(1 - prod(1 - each for each in strongest.values()), _DECIMALS)


def confidences(edge: Collection[Said]) -> dict[RelationType, float]:
    """Return the confidence of each relation that makes an edge, in their order of definition."""
    return {
        relation: confidence(each for each in edge if each.relation is relation)
        for relation in sorted({each.relation for each in edge}, key=_ORDER.index)
    }


def lineage_edge(
    child: str,
    parent: str,
    said: Collection[Said],
    statements: Iterable[Statement],
    dates: Mapping[str, PartialDate],
) -> LineageEdge:
    """Make an edge of what is said of it, with the statements that say so."""
    return LineageEdge(
        child,
        parent,
        confidences(said),
        confidence(said),
        tuple(sorted(statements, key=_telling)),
        _is_later(dates.get(parent), dates.get(child)),
    )


def _telling(statement: Statement) -> tuple[bool, tuple[float, str, str, str]]:
    """Order what is said of an edge: what has a sentence first, then the surest."""
    return (not statement.evidence, surest(statement))


def surest(statement: Statement) -> tuple[float, str, str, str]:
    """Order statements by confidence, the surest first, then by what they are unique by."""
    return (-statement.confidence, statement.subject, statement.relation, statement.entity)


def _is_later(a: PartialDate | None, b: PartialDate | None) -> bool:
    """Tell whether `a` is certainly after `b`, as far as both are known."""
    if not a or not b:
        return False
    for one, other in zip((a.year, a.month, a.day), (b.year, b.month, b.day), strict=True):
        if one is None or other is None:
            return False
        if one != other:
            return one > other
    return False
