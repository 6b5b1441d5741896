"""Selections: pages of works in an order, as queries of the index."""

from typing import Any

from stemma.graph.store import PageOrder, WorkFilter, WorkType
from stemma.schema.name import match_key

_ORDERS = {
    PageOrder.NAME: "name_order",
    PageOrder.PUBLISHED: "date_order",
    PageOrder.PAPERS: "-papers",
}
Query = tuple[str, list[Any]]


def page_query(
    type_: WorkType, chosen: WorkFilter, order: PageOrder, after: str | None, first: int
) -> tuple[Query, Query]:
    """Return the queries that count all works that pass, and that list a page of them."""
    condition, values = _condition(type_, chosen)
    key = _ORDERS[order]
    follows, cursor = "1", []
    if after is not None:
        follows = f"({key}, id) > (SELECT {key}, id FROM work WHERE id = ?)"
        cursor = [after]
    return (
        (f"SELECT COUNT(*) FROM work WHERE {condition}", values),
        (
            f"SELECT id, type, name, kind, details FROM work WHERE {condition} AND {follows} "
            f"ORDER BY {key}, id LIMIT ?",
            [*values, *cursor, first],
        ),
    )


def _condition(type_: WorkType, chosen: WorkFilter) -> Query:
    conditions, values = ["type = ?"], [type_.value]
    if chosen.text:
        conditions.append("no IN (SELECT work FROM spelling WHERE instr(key, ?) > 0)")
        values.append(match_key(chosen.text))
    if chosen.kinds:
        conditions.append(f"kind IN ({_places(chosen.kinds)})")
        values += chosen.kinds
    if chosen.relations or chosen.entity:
        stated, more = _stated(type_, chosen)
        conditions.append(stated)
        values += more
    if chosen.year_from is not None:
        conditions.append("substr(date_order, 1, 5) >= ? AND published IS NOT NULL")
        values.append(f"{chosen.year_from:05}")
    if chosen.year_to is not None:
        conditions.append("substr(date_order, 1, 5) <= ? AND published IS NOT NULL")
        values.append(f"{chosen.year_to:05}")
    return " AND ".join(conditions), values


def _stated(type_: WorkType, chosen: WorkFilter) -> Query:
    """Papers that state such a thing; entities of which papers state it."""
    own, conditions, values = "subject", ["parts <> ''"], list[Any]()
    if type_ is WorkType.ENTITY:
        own = "entity"
    if chosen.relations:
        conditions.append(f"relation IN ({_places(chosen.relations)})")
        values += chosen.relations
    if chosen.entity:
        conditions.append("entity = (SELECT no FROM work WHERE id = ?)")
        values.append(chosen.entity)
    return f"no IN (SELECT {own} FROM statement WHERE {' AND '.join(conditions)})", values


def _places(values: tuple[Any, ...]) -> str:
    return ",".join("?" * len(values))
