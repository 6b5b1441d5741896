"""Evidence: the sentence behind a statement, and where it stands."""

from dataclasses import dataclass

from stemma.schema.paper import Field


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
