"""The edges of a lineage: that one work derives from another, as statements say."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from stemma.schema import CATALOGUE_ORIGIN, PartialDate, RelationType, Statement

_ORDER = tuple(RelationType)
"""A tuple, since an enumeration takes longer to go through, for each of many edges."""
_DECIMALS = 4
"""Of the confidence of an edge: what binary fractions add behind them says nothing."""


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
    def only_in_catalogue(self) -> bool:
        """Whether the catalogue alone states the edge."""
        return all(statement.origin == CATALOGUE_ORIGIN for statement in self.statements)

    @property
    def attributes(self) -> dict[str, Any]:
        """What networks have of it: its confidences, and its surest sentence with the paper."""
        quoted = next((statement for statement in self.statements if statement.evidence), None)
        return {
            "confidence": self.confidence,
            "relations": "; ".join(self.relations),
            **{relation.value.lower(): sure for relation, sure in self.confidences.items()},
            **({"paper": quoted.subject, "sentence": quoted.evidence[0].text} if quoted else {}),
        }


def edge_confidence(edge: Iterable[Statement]) -> float:
    """Return 1 - Π(1 - c) over distinct subjects, each by its strongest statement."""
    strongest: dict[str, float] = {}
    for statement in edge:
        strongest[statement.subject] = max(
            statement.confidence, strongest.get(statement.subject, 0.0)
        )
    return round(1 - prod(1 - confidence for confidence in strongest.values()), _DECIMALS)


def lineage_edge(
    child: str, parent: str, statements: Collection[Statement], dates: Mapping[str, PartialDate]
) -> LineageEdge:
    """Make an edge of the statements that support it."""
    relations = {statement.relation for statement in statements}
    return LineageEdge(
        child,
        parent,
        {
            relation: edge_confidence(
                statement for statement in statements if statement.relation is relation
            )
            for relation in _ORDER
            if relation in relations
        },
        edge_confidence(statements),
        tuple(sorted(statements, key=place_of)),
        parent in dates and child in dates and dates[parent].is_after(dates[child]),
    )


StatementPlace = tuple[bool, float, str, str, str]
"""The place of a statement among others."""


def place_of(statement: Statement) -> StatementPlace:
    """Order statements: those of papers before facts of the catalogue, which have no sentence, the
    surest first, then by what they are unique by."""
    is_fact = statement.origin == CATALOGUE_ORIGIN
    return (is_fact, -statement.confidence, *statement.key)
