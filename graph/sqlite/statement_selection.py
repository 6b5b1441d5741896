"""Selections of statements, as queries of the index."""

from collections.abc import Collection
from typing import Any

from stemma.graph.selection import Selection
from stemma.schema import RelationType

Query = tuple[str, list[Any]]
_FROM = """
FROM statement JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
WHERE """
_KEY = "(-confidence, s.id, relation, e.id)"
# A statement of a work about itself is listed once.
_ENDS = ("subject = ?1 AND entity <> ?1", "entity = ?1")
_SUREST = """
WITH least AS MATERIALIZED (SELECT COALESCE((
    SELECT confidence FROM ({tops}) ORDER BY confidence DESC LIMIT 1 OFFSET ?2 - 1
), 0) AS confidence),
found AS MATERIALIZED ({found})
SELECT s.id, relation, e.id FROM found
JOIN work s ON s.no = subject JOIN work e ON e.no = entity
ORDER BY confidence DESC, s.id, relation, e.id LIMIT ?2
"""
_TOP = """
SELECT * FROM (
    SELECT confidence FROM statement WHERE {end} AND relation = {relation}
    ORDER BY confidence DESC LIMIT ?2
)
"""
_FOUND = """
SELECT subject, relation, entity, confidence FROM statement
WHERE {end} AND relation IN ({relations}) AND confidence >= (SELECT confidence FROM least)
"""


def surest(work: int, relations: Collection[RelationType], first: int) -> Query:
    """Return the query that lists the surest statements of a work (its number).

    A hub has thousands of statements. An index says how sure those of each relation are, and only
    what is as sure as the last one wanted is looked up.
    """
    wanted = dict.fromkeys(relations or RelationType)
    places = [f"?{number}" for number, _ in enumerate(wanted, start=3)]
    tops = (_TOP.format(end=end, relation=each) for end in _ENDS for each in places)
    found = (_FOUND.format(end=end, relations=",".join(places)) for end in _ENDS)
    query = _SUREST.format(tops=" UNION ALL ".join(tops), found=" UNION ALL ".join(found))
    return query, [work, first, *wanted]


def counting(chosen: Selection) -> Query:
    """Return the query that counts the statements that pass, whatever was compared."""
    condition, values = _condition(chosen)
    return f"SELECT COUNT(*) {_FROM}{condition}", values


def listing(chosen: Selection, after: tuple[float, str, str, str] | None, most: int) -> Query:
    """Return the query that lists them, the surest first, after the one with the key `after`."""
    condition, values = _condition(chosen)
    if after is not None:
        condition += f" AND {_KEY} > (?, ?, ?, ?)"
        values = [*values, *after]
    return (
        f"SELECT s.id, relation, e.id, confidence {_FROM}{condition} "
        "ORDER BY -confidence, s.id, relation, e.id LIMIT ?",
        [*values, most],
    )


def _condition(chosen: Selection) -> Query:
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
        conditions.append("origin IS NOT NULL")
    for year, sign in ((chosen.since, ">="), (chosen.until, "<=")):
        if year is not None:
            conditions.append(
                f"s.type = 'paper' AND s.published IS NOT NULL "
                f"AND substr(s.date_order, 1, 5) {sign} ?"
            )
            values.append(f"{year:05}")
    return " AND ".join(conditions), values
