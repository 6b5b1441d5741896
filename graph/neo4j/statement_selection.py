"""Selections of statements, as Cypher."""

from typing import Any

from stemma.graph.neo4j.selection import any_of
from stemma.graph.statement_page import StatementChoice
from stemma.schema import CATALOGUE_ORIGIN, RelationType

PAGE_OF_STATEMENTS = """
WITH s, r, e, -r.confidence AS unsure
WHERE $key IS NULL OR unsure > $key[0] OR unsure = $key[0] AND (s.id > $key[1] OR s.id = $key[1]
  AND (type(r) > $key[2] OR type(r) = $key[2] AND e.id > $key[3]))
RETURN [s.id, type(r), e.id, properties(r)] AS statement
ORDER BY unsure, s.id, type(r), e.id LIMIT $first
"""
"""Lists what was selected after the place `$key` in the order of confidence."""
_LOW = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.low END)"
_HIGH = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.high END)"
_ANY_RESULT = (
    "coalesce(r.factor, r.difference, r.low) IS NOT NULL "
    "OR coalesce(r.metric, r.direction, r.condition, r.unit) IS NOT NULL"
)


def select_statements(chosen: StatementChoice) -> tuple[str, dict[str, Any]]:
    """Return Cypher that binds the statements which pass as `(s)-[r]->(e)`, and its parameters."""
    conditions = ["r.origin IS NOT NULL"]
    parameters: dict[str, Any] = {}
    compared = chosen.compared
    if compared:
        conditions.append(f"({_ANY_RESULT})")
    for condition, name, value in (
        ("e.id = $entity", "entity", chosen.entity),
        ("e.kind IN $kinds", "kinds", [kind.value for kind in chosen.kinds] or None),
        ("r.confidence >= $sure", "sure", chosen.min_confidence or None),
        ("s:Paper AND s.year >= $year_from", "year_from", chosen.year_from),
        ("s:Paper AND s.year <= $year_to", "year_to", chosen.year_to),
        (
            "r.origin <> $catalogue",
            "catalogue",
            None if chosen.include_catalogue else CATALOGUE_ORIGIN,
        ),
        ("toLower(r.metric) CONTAINS toLower($metric)", "metric", compared and compared.metric),
        (f"{_LOW} >= $low", "low", compared.min_factor if compared else None),
        (f"{_HIGH} <= $high", "high", compared.max_factor if compared else None),
        ("r.direction = $way", "way", compared and compared.direction and compared.direction.value),
    ):
        if value is not None:
            conditions.append(condition)
            parameters[name] = value
    types = any_of(chosen.relations or RelationType)
    return f"MATCH (s)-[r:{types}]->(e:Entity) WHERE {' AND '.join(conditions)}", parameters
