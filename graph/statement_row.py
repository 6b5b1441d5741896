"""Statements without their evidence: all that it takes to count, filter and sort them."""

from dataclasses import dataclass
from typing import Self

from stemma.graph.statement_page import StatementKey
from stemma.schema import EntityKind, PartialDate, RelationType


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement of or about a work, without its evidence.

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
