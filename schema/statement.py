"""Statements: what the graph says, linked to entities, with evidence."""

from dataclasses import dataclass

from stemma.schema.comparison import Comparison
from stemma.schema.evidence import Evidence
from stemma.schema.relation import RelationType

CATALOGUE_ORIGIN = "catalogue"
"""The origin of statements that come from the catalogue: their subject is an entity."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`subject` (a work's id) has `relation` to `entity` (an id); unique by these three.

    `evidence` has the strongest first, and is empty where the origin is the catalogue.
    `comparison` is how a COMPARES_WITH turned out, as far as the evidence says. What people
    `confirmed` has the confidence 1.
    """

    subject: str
    relation: RelationType
    entity: str
    confidence: float
    evidence: tuple[Evidence, ...]
    origin: str
    comparison: Comparison | None = None
    confirmed: bool = False

    @property
    def key(self) -> tuple[str, RelationType, str]:
        """What a statement is unique by."""
        return (self.subject, self.relation, self.entity)
