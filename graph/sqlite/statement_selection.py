"""Selections of statements, as queries of the index."""

from collections.abc import Collection
from typing import Any

from stemma.graph.statement_page import StatementChoice
from stemma.schema import RelationType

Query = tuple[str, list[Any]]
_FROM = """
FROM statement JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
WHERE """
_KEY = "(-confidence, s.id, relation, e.id)"
_SUREST = """
SELECT s.id, relation, e.id, confidence, parts
FROM statement JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
WHERE statement.{end} = ?1 AND relation = ?2 AND confidence >= COALESCE((
    SELECT confidence FROM statement WHERE {end} = ?1 AND relation = ?2
    ORDER BY confidence DESC LIMIT 1 OFFSET ?3 - 1
), 0)
ORDER BY confidence DESC, s.id, e.id LIMIT ?3
"""
SUREST = tuple(_SUREST.format(end=end) for end in ("subject", "entity"))
"""The queries that together list the surest statements of a work (its number) with a relation.

Only what is as sure as the last one wanted is looked up: a hub has thousands of statements.
"""


_BESIDE = "SELECT subject, relation, entity, confidence FROM statement WHERE {end} = ?1{related}"


def rows_of(work: int, relations: Collection[RelationType], first: int) -> Query:
    """Return the query that lists the surest statements of a work (its number) without evidence.

    Here too, only what is as sure as the last one wanted is looked up.
    """
    places = ",".join(f"?{number}" for number, _ in enumerate(relations, start=3))
    related = f" AND relation IN ({places})" if relations else ""
    beside = " UNION ".join(
        _BESIDE.format(end=end, related=related) for end in ("subject", "entity")
    )
    return (
        f"""
        WITH beside AS MATERIALIZED ({beside})
        SELECT s.id, relation, e.id, confidence, s.published,
        CASE WHEN s.no = ?1 THEN e.kind ELSE s.kind END
        FROM beside JOIN work s ON s.no = subject JOIN work e ON e.no = entity
        WHERE confidence >= COALESCE((
            SELECT confidence FROM beside ORDER BY confidence DESC LIMIT 1 OFFSET ?2 - 1
        ), 0)
        ORDER BY confidence DESC, s.id, relation, e.id LIMIT ?2
        """,
        [work, first, *relations],
    )


def counting(chosen: StatementChoice) -> Query:
    """Return the query that counts the statements that pass, whatever was compared."""
    condition, values = _condition(chosen)
    return f"SELECT COUNT(*) {_FROM}{condition}", values


def listing(chosen: StatementChoice, after: tuple[float, str, str, str] | None, most: int) -> Query:
    """Return the query that lists them, the surest first, after the one with the key `after`."""
    condition, values = _condition(chosen)
    if after is not None:
        condition += f" AND {_KEY} > (?, ?, ?, ?)"
        values = [*values, *after]
    return (
        f"SELECT s.id, relation, e.id, confidence, parts {_FROM}{condition} "
        "ORDER BY -confidence, s.id, relation, e.id LIMIT ?",
        [*values, most],
    )


def _condition(chosen: StatementChoice) -> Query:
    conditions, values = ["TRUE"], list[Any]()
    if chosen.entity:
        conditions.append("statement.entity = (SELECT no FROM work WHERE id = ?)")
        values.append(chosen.entity)
    for column, allowed in (("relation", chosen.relations), ("e.kind", chosen.kinds)):
        if allowed:
            conditions.append(f"{column} IN ({','.join('?' * len(allowed))})")
            values += allowed
    if chosen.min_confidence:
        conditions.append("confidence >= ?")
        values.append(chosen.min_confidence)
    if not chosen.include_catalogue:
        conditions.append("parts <> ''")
    for year, sign in ((chosen.year_from, ">="), (chosen.year_to, "<=")):
        if year is not None:
            conditions.append(
                f"s.type = 'paper' AND s.published IS NOT NULL "
                f"AND substr(s.date_order, 1, 5) {sign} ?"
            )
            values.append(f"{year:05}")
    return " AND ".join(conditions), values
