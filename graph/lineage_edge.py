"""Edges of lineage, and the statements that support them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import prod

from stemma.schema import CATALOGUE_ORIGIN, PartialDate, RelationType, Statement

_DECIMALS = 4
"""Of the confidence of an edge: what binary fractions add behind them says nothing."""
_ORDER = tuple(RelationType)


@dataclass(frozen=True, slots=True)
class LineageEdge:
    """`child` derives from `parent` (ids); unique by these two.

    `statements` are what says so, the strongest first. `confidence` is 1 - Π(1 - c) over distinct
    papers, each by its strongest statement; `confidences` are the same of each relation alone.
    `anachronism` is true where the parent was published after its child.
    """

    child: str
    parent: str
    confidences: Mapping[RelationType, float]
    confidence: float
    statements: tuple[Statement, ...]
    anachronism: bool = False

    @property
    def relations(self) -> tuple[RelationType, ...]:
        """The relations that make the edge, in the order of their definition."""
        return tuple(self.confidences)

    @property
    def in_catalogue(self) -> bool:
        """Whether it is a fact of the catalogue, whatever papers state as well."""
        return any(each.origin == CATALOGUE_ORIGIN for each in self.statements)

    @property
    def only_in_catalogue(self) -> bool:
        """Whether nothing but the catalogue states it."""
        return all(each.origin == CATALOGUE_ORIGIN for each in self.statements)


@dataclass(frozen=True, slots=True)
class Support:
    """What one statement adds to an edge.

    `subject` is the paper that states it, or for facts of the catalogue the child itself.
    """

    subject: str
    relation: RelationType
    confidence: float
    from_catalogue: bool


def edge_confidence(edge: Iterable[Support]) -> float:
    """Return 1 - Π(1 - c) over distinct subjects, each by its strongest statement."""
    strongest: dict[str, float] = {}
    for each in edge:
        strongest[each.subject] = max(each.confidence, strongest.get(each.subject, 0.0))
    return round(1 - prod(1 - each for each in strongest.values()), _DECIMALS)


def confidence_by_relation(edge: Collection[Support]) -> dict[RelationType, float]:
    """Return the confidence of each relation that makes an edge, in their order of definition."""
    return {
        relation: edge_confidence(each for each in edge if each.relation is relation)
        for relation in sorted({each.relation for each in edge}, key=_ORDER.index)
    }


def lineage_edge(
    child: str,
    parent: str,
    support: Collection[Support],
    statements: Iterable[Statement],
    dates: Mapping[str, PartialDate],
) -> LineageEdge:
    """Make an edge of its support, with the statements that this is taken from."""
    return LineageEdge(
        child,
        parent,
        confidence_by_relation(support),
        edge_confidence(support),
        tuple(sorted(statements, key=_by_evidence)),
        parent in dates and child in dates and dates[parent].is_after(dates[child]),
    )


def _by_evidence(statement: Statement) -> tuple[bool, tuple[float, str, str, str]]:
    """Order the statements of an edge: those with a sentence first, then the surest."""
    return (not statement.evidence, by_confidence(statement))


def by_confidence(statement: Statement) -> tuple[float, str, str, str]:
    """Order statements by confidence, the surest first, then by what they are unique by."""
    return (-statement.confidence, statement.subject, statement.relation, statement.entity)
