"""Statements: which relation a work has to an entity, and the sentences behind it."""

from dataclasses import dataclass
from enum import StrEnum

from stemma.schema.comparison import Comparison
from stemma.schema.paper import Field


class RelationType(StrEnum):
    """What a paper says about an entity. INTRODUCES, BUILDS_ON and IMPROVES_ON make the lineage;
    an entity that it COMPARES_WITH is a baseline.

    An entity with any other relation gets no MENTIONS.
    """

    INTRODUCES = "INTRODUCES"
    """The entity is the paper's own named contribution."""
    BUILDS_ON = "BUILDS_ON"
    """The contribution extends, adapts, or lives inside or on top of a prior named work."""
    IMPROVES_ON = "IMPROVES_ON"
    """The paper states a limit of a prior named work, which the contribution addresses."""
    COMPARES_WITH = "COMPARES_WITH"
    """The entity is a baseline: measured or contrasted against in results."""
    USES = "USES"
    """An ingredient, tool or object of study, if none of the above applies."""
    RUNS_ON = "RUNS_ON"
    """Hardware that the work targets, was run on or measured on."""
    EVALUATED_ON = "EVALUATED_ON"
    """Datasets and benchmarks, and models that serve as the workload of an evaluation."""
    MENTIONS = "MENTIONS"
    """Background only."""

    @property
    def words(self) -> str:
        """The relation as words of a sentence: "builds on"."""
        return self.value.lower().replace("_", " ")


LINEAGE_RELATIONS = (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""The relations that make a lineage edge."""
CATALOGUE_ORIGIN = "catalogue"
"""The origin of statements that come from the catalogue: their subject is an entity."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a paper's text. Offsets are Unicode code points, half open, into the field."""

    text: str
    field: Field
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention(Span):
    """Where a text names an entity: the surface form as it stands there."""


@dataclass(frozen=True, slots=True)
class Evidence(Span):
    """The exact sentence that states a relation."""

    @property
    def section(self) -> str | None:
        """The kind of section that it is in, in words; None for title and abstract."""
        return self.field.section


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
