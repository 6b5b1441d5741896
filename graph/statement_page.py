"""Statements of the whole graph, filtered, the surest first, page by page; and of one work."""

from dataclasses import dataclass
from typing import Self

from stemma.graph.filters import FilterError, check_years
from stemma.schema import Comparison, Direction, EntityKind, PartialDate, RelationType, Statement

StatementKey = tuple[str, RelationType, str]
"""What a statement is unique by: `Statement.key`."""


@dataclass(frozen=True, slots=True)
class ComparisonFilter:
    """Which results of comparisons pass: all that state any, unless a field restricts them.

    `metric` is contained in what was measured, whatever the case. `min_factor` and `max_factor`
    bound the factor as the sentence has it; of a range of factors both ends are within them.
    Raises FilterError where no factor can pass.
    """

    metric: str | None = None
    min_factor: float | None = None
    max_factor: float | None = None
    direction: Direction | None = None

    def __post_init__(self) -> None:
        low, high = self.min_factor, self.max_factor
        if (low is not None and low < 0) or (high is not None and high < 0):
            raise FilterError("a factor cannot be negative")
        if low is not None and high is not None and low > high:
            raise FilterError(f"the lowest factor ({low:g}) is above the highest ({high:g})")

    def passes(self, comparison: Comparison) -> bool:
        """Return whether the result of a comparison passes."""
        ends = (comparison.low, comparison.high) if comparison.unit is None else (None, None)
        low, high = (comparison.factor,) * 2 if comparison.factor is not None else ends
        return (
            (self.metric or "").lower() in (comparison.metric or "").lower()
            and self.direction in (None, comparison.direction)
            and (self.min_factor is None or (low is not None and low >= self.min_factor))
            and (self.max_factor is None or (high is not None and high <= self.max_factor))
        )


@dataclass(frozen=True, slots=True)
class StatementChoice:
    """Which statements a page holds; what is None or empty does not restrict.

    `entity` (an id) and `kinds` are of the entity that a statement is about; `year_from` and
    `year_to` of the paper that states it. Without `include_catalogue`, facts of the catalogue are
    left out. With `compared`, only statements with such a result of a comparison pass. Raises
    FilterError where nothing can pass.
    """

    entity: str | None = None
    relations: tuple[RelationType, ...] = ()
    kinds: tuple[EntityKind, ...] = ()
    min_confidence: float = 0.0
    year_from: int | None = None
    year_to: int | None = None
    include_catalogue: bool = True
    compared: ComparisonFilter | None = None

    def __post_init__(self) -> None:
        check_years(self.year_from, self.year_to)
        if not 0 <= self.min_confidence <= 1:
            raise FilterError(
                f"the confidence must be between 0 and 1, not {self.min_confidence:g}"
            )


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Statements, the surest first; `total` counts those of all pages."""

    statements: tuple[Statement, ...]
    total: int
    has_next: bool
    has_previous: bool


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement of or about a work, without its evidence: all that it takes to count, filter and
    sort them.

    `published` is the date of its subject, `kind` that of the work at the other end: None for a
    paper.
    """

    subject: str
    relation: RelationType
    entity: str
    confidence: float
    published: PartialDate | None
    kind: EntityKind | None

    @classmethod
    def read(
        cls,
        subject: str,
        relation: str,
        entity: str,
        confidence: float,
        published: str | None,
        kind: str | None,
    ) -> Self:
        """Read a statement from the values that a store keeps."""
        return cls(
            subject,
            RelationType(relation),
            entity,
            confidence,
            PartialDate.parse(published) if published else None,
            EntityKind(kind) if kind else None,
        )

    @property
    def key(self) -> StatementKey:
        """What the statement is unique by."""
        return (self.subject, self.relation, self.entity)
