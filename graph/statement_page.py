"""Statements of the whole graph, filtered, the surest first, page by page; and of one work."""

from dataclasses import dataclass
from typing import Self

from stemma.schema import EntityKind, PartialDate, RelationType, Statement

StatementKey = tuple[str, RelationType, str]
"""What a statement is unique by: `Statement.key`."""


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
