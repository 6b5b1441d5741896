"""Selections of statements, as Cypher."""

from typing import Any

from stemma.graph.neo4j.selection import any_of
from stemma.graph.selection import Selection
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


def select_statements(chosen: Selection) -> tuple[str, dict[str, Any]]:
    """Return Cypher that binds the statements which pass as `(s)-[r]->(e)`, and its parameters."""
    conditions = ["r.origin IS NOT NULL"]
    parameters: dict[str, Any] = {}
    if chosen.compared:
        conditions.append(f"({_ANY_RESULT})")
    for condition, name, value in (
        ("e.id = $entity", "entity", chosen.entity),
        ("e.kind IN $kinds", "kinds", [kind.value for kind in chosen.kinds] or None),
        ("r.confidence >= $sure", "sure", chosen.min_confidence or None),
        ("s:Paper AND s.year >= $year_from", "year_from", chosen.since),
        ("s:Paper AND s.year <= $year_to", "year_to", chosen.until),
        (
            "r.origin <> $catalogue",
            "catalogue",
            None if chosen.include_catalogue else CATALOGUE_ORIGIN,
        ),
        ("toLower(r.metric) CONTAINS toLower($metric)", "metric", chosen.metric),
        (f"{_LOW} >= $low", "low", chosen.min_factor),
        (f"{_HIGH} <= $high", "high", chosen.max_factor),
        ("r.direction = $way", "way", chosen.outcome and chosen.outcome.value),
    ):
        if value is not None:
            conditions.append(condition)
            parameters[name] = value
    types = any_of(chosen.relations or RelationType)
    return f"MATCH (s)-[r:{types}]->(e:Entity) WHERE {' AND '.join(conditions)}", parameters
