"""Selections: pages of works in an order, as queries of the index."""

from collections.abc import Iterator
from typing import Any

from stemma.graph.filters import StatementFilter, WorkFilter
from stemma.graph.provenance import Provenance
from stemma.graph.store import PageOrder, WorkType
from stemma.schema.name import match_key

_ORDERS = {
    PageOrder.NAME: "name_order",
    PageOrder.PUBLISHED: "date_order",
    # "02021-04-15" as a number, the greatest first; the year of what is undated has five digits.
    PageOrder.NEWEST: "CASE WHEN date_order >= '1' THEN 1 "
    "ELSE -CAST(replace(date_order, '-', '') AS INTEGER) END",
    PageOrder.PAPERS: "-papers",
}
Query = tuple[str, list[Any]]


def page_query(
    type_: WorkType,
    chosen: WorkFilter,
    order: PageOrder,
    after: str | None,
    before: str | None,
    most: int,
    backward: bool,
) -> tuple[Query, Query]:
    """Return the queries that count all works that pass, and that list those of a page.

    Of a page backward the last comes first.
    """
    condition, values = _condition(type_, chosen)
    key = _ORDERS[order]
    between, cursors = "", []
    for cursor, side in ((after, ">"), (before, "<")):
        if cursor is not None:
            between += f" AND ({key}, id) {side} (SELECT {key}, id FROM work WHERE id = ?)"
            cursors.append(cursor)
    way = " DESC" if backward else ""
    return (
        (f"SELECT COUNT(*) FROM work WHERE {condition}", values),
        (
            f"SELECT id, type, name, kind, general, details FROM work WHERE {condition}{between} "
            f"ORDER BY {key}{way}, id{way} LIMIT ?",
            [*values, *cursors, most],
        ),
    )


def _condition(type_: WorkType, chosen: WorkFilter) -> Query:
    conditions, values = ["type = ?"], list[Any]([type_.value])
    if chosen.text:
        conditions.append("no IN (SELECT work FROM spelling WHERE instr(key, ?) > 0)")
        values.append(match_key(chosen.text))
    if chosen.kinds:
        conditions.append(f"kind IN ({_places(chosen.kinds)})")
        values += chosen.kinds
    if chosen.general is not None and type_ is WorkType.ENTITY:
        conditions.append("general = ?")
        values.append(chosen.general)
    if chosen.relations or chosen.entity:
        condition, more = _stated(type_, chosen)
        conditions.append(condition)
        values += more
    for stated in chosen.stated if type_ is WorkType.PAPER else ():
        condition, more = _one_stated(stated)
        conditions.append(condition)
        values += more
    if type_ is WorkType.PAPER:
        for condition, more in _provenance(chosen.provenance):
            conditions.append(condition)
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


def _one_stated(stated: StatementFilter) -> Query:
    relations = f"AND relation IN ({_places(stated.relations)})" if stated.relations else ""
    ids = _places(stated.entities)
    return (
        f"(id IN ({ids}) OR no IN (SELECT subject FROM statement WHERE parts <> '' {relations} "
        f"AND entity IN (SELECT no FROM work WHERE id IN ({ids}))))",
        [*stated.entities, *stated.relations, *stated.entities],
    )


def _provenance(chosen: Provenance) -> Iterator[Query]:
    if chosen.authors:
        yield (
            "no IN (SELECT paper FROM authorship WHERE person IN "
            f"(SELECT no FROM person WHERE id IN ({_places(chosen.authors)})))",
            [*chosen.authors],
        )
    for role, words in chosen.words.items():
        yield (
            "no IN (SELECT paper FROM provenance WHERE role = ? AND instr(words, ?) > 0)",
            [role.value, words],
        )
    for own, other, ids in (
        ("citing", "cited", chosen.cites),
        ("cited", "citing", chosen.cited_by),
    ):
        if ids:
            yield (
                f"no IN (SELECT {own} FROM citation WHERE {other} IN "
                f"(SELECT no FROM work WHERE id IN ({_places(ids)})))",
                [*ids],
            )


def _places(values: tuple[Any, ...]) -> str:
    return ",".join("?" * len(values))
