"""Statements of the whole graph, filtered, the surest first, page by page."""

from dataclasses import dataclass

from stemma.schema import RelationType, Statement

StatementKey = tuple[str, RelationType, str]
"""What a statement is unique by: `Statement.key`."""


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Statements, the surest first; `total` counts those of all pages."""

    statements: tuple[Statement, ...]
    total: int
    has_next: bool
    has_previous: bool
