"""Statements and edges that know what the works at their ends are called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from stemma.graph import LineageEdge, Work
from stemma.schema import Statement
from stemma.server.presentation.wording import relation_phrase


@dataclass(frozen=True, slots=True)
class NamedStatement(Statement):
    """A statement with the names of its subject and its entity."""

    subject_name: str = ""
    entity_name: str = ""

    @classmethod
    def of(cls, statement: Statement, works: Mapping[str, Work]) -> Self:
        """Name the ends of a statement, which are among `works`."""
        return cls(
            **values(statement),
            subject_name=name_of(statement.subject, works),
            entity_name=name_of(statement.entity, works),
        )

    def __str__(self) -> str:
        words = self.relation.words
        return f"{self.subject_name} {words} {self.entity_name} ({self.confidence:.2f})"


@dataclass(frozen=True, slots=True)
class NamedEdge(LineageEdge):
    """An edge of a lineage with the names of its child and its parent."""

    statements: tuple[NamedStatement, ...]
    child_name: str = ""
    parent_name: str = ""

    @classmethod
    def of(cls, edge: LineageEdge, works: Mapping[str, Work]) -> Self:
        """Name the ends of an edge and of its statements, which are among `works`."""
        named = named_statements(edge.statements, works)
        return cls(
            **{**values(edge), "statements": named},
            child_name=name_of(edge.child, works),
            parent_name=name_of(edge.parent, works),
        )

    def __str__(self) -> str:
        return (
            f"{self.child_name} {relation_phrase(self)} {self.parent_name} ({self.confidence:.2f})"
        )


def named_statements(
    statements: Iterable[Statement], works: Mapping[str, Work]
) -> tuple[NamedStatement, ...]:
    """Name the ends of statements."""
    return tuple(NamedStatement.of(each, works) for each in statements)


def named_edges(edges: Iterable[LineageEdge], works: Mapping[str, Work]) -> tuple[NamedEdge, ...]:
    """Name the ends of edges."""
    return tuple(NamedEdge.of(each, works) for each in edges)


def name_of(work: str, works: Mapping[str, Work]) -> str:
    """Return the name of the work with this id, the id itself where it is not among `works`."""
    return works[work].name if work in works else work


def values(instance: Any) -> dict[str, Any]:
    """Return the fields of a dataclass instance, to make one of a subclass."""
    return {each.name: getattr(instance, each.name) for each in fields(instance)}
