"""Statements without their evidence: all that it takes to count, filter and sort them."""

from dataclasses import dataclass

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

    @property
    def key(self) -> StatementKey:
        """What the statement is unique by."""
        return (self.subject, self.relation, self.entity)
