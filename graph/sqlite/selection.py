"""Selections: pages of works in an order, as queries of the index."""

from collections.abc import Iterator
from typing import Any

from stemma.graph.filters import EVERYTHING, StatementFilter, WorkFilter
from stemma.graph.provenance import Provenance
from stemma.graph.selection import PageOrder
from stemma.graph.sqlite.name_search import indexed
from stemma.graph.store import WorkType
from stemma.graph.wording import Wording, wordings
from stemma.schema.name import match_key

_ORDERS = {
    PageOrder.NAME: "name COLLATE NOCASE",
    PageOrder.PUBLISHED: "date_order",
    # "02021-04-15" as a number, the greatest first; the year of what is undated has five digits.
    PageOrder.NEWEST: "CASE WHEN date_order >= '1' THEN 1 "
    "ELSE -CAST(replace(date_order, '-', '') AS INTEGER) END",
    PageOrder.PAPERS: "-papers",
}
_INDEXES = {PageOrder.PUBLISHED: "paper_by_date", PageOrder.NEWEST: "paper_by_newest"}
_NARROWER = """no IN (
    WITH RECURSIVE below(no) AS (
        SELECT narrower FROM broader WHERE broader = (SELECT no FROM work WHERE id = ?)
        UNION SELECT narrower FROM broader JOIN below ON broader = below.no
    ) SELECT no FROM below)"""
_YEARS = """
WITH RECURSIVE years(year) AS (
    SELECT substr(MIN(date_order), 1, 5) FROM work WHERE type = 'paper'
    UNION ALL SELECT (
        SELECT substr(MIN(date_order), 1, 5) FROM work
        WHERE type = 'paper' AND date_order > year || '~'
    ) FROM years WHERE year IS NOT NULL
)
SELECT CAST(year AS INTEGER), (
    SELECT COUNT(*) FROM work WHERE type = 'paper' AND date_order BETWEEN year AND year || '~'
) FROM years WHERE year IS NOT NULL
"""
"""Counts all papers of each year along an index, from year to year."""
Query = tuple[str, list[Any]]


def count_query(type_: WorkType, chosen: WorkFilter) -> Query:
    """Return the query that counts all works that pass."""
    if type_ is WorkType.PAPER and _names_entity_alone(chosen):
        return "SELECT COALESCE(SUM(papers), 0) FROM work WHERE id = ?", [chosen.entity]
    condition, values = _condition(type_, chosen)
    return f"SELECT COUNT(*) FROM work WHERE {condition}", values


def year_query(chosen: WorkFilter) -> Query:
    """Return the query that counts the papers of each year that pass."""
    if _names_entity_alone(chosen):
        return (
            "SELECT year, entity_year.papers FROM entity_year JOIN work ON no = entity "
            "WHERE id = ? ORDER BY year",
            [chosen.entity],
        )
    if chosen == EVERYTHING:
        return _YEARS, []
    condition, values = _condition(WorkType.PAPER, chosen)
    return (
        "SELECT CAST(substr(date_order, 1, 5) AS INTEGER) AS year, COUNT(*) FROM work "
        f"WHERE {condition} GROUP BY year ORDER BY year",
        values,
    )


def paper_condition(chosen: WorkFilter) -> Query:
    """Return the condition on rows of `work` that papers meet which pass."""
    return _condition(WorkType.PAPER, chosen)


def page_query(
    type_: WorkType,
    chosen: WorkFilter,
    order: PageOrder,
    after: str | None,
    before: str | None,
    most: int,
    backward: bool,
    many: bool,
) -> Query:
    """Return the query that lists the works of a page; of a page backward the last comes first.

    Where `many` papers pass, they are looked for in the order of their dates until there are
    enough; where few do, all that pass are sorted.
    """
    walks = many and type_ is WorkType.PAPER and order in _INDEXES
    condition, values = _condition(type_, chosen, walks)
    index = ""
    if type_ is WorkType.PAPER and order in _INDEXES:
        # SQLite does not know how many pass, and might walk for few.
        index = f"INDEXED BY {_INDEXES[order]}" if walks else "NOT INDEXED"
    key = _ORDERS[order]
    between, cursors = "", []
    for cursor, side in ((after, ">"), (before, "<")):
        if cursor is not None:
            between += f" AND ({key}, id) {side} (SELECT {key}, id FROM work WHERE id = ?)"
            cursors.append(cursor)
    way = " DESC" if backward else ""
    return (
        "SELECT id, type, name, kind, general, details "
        f"FROM work {index} WHERE {condition}{between} "
        f"ORDER BY {key}{way}, id{way} LIMIT ?",
        [*values, *cursors, most],
    )


def _names_entity_alone(chosen: WorkFilter) -> bool:
    """Return whether papers pass that name an entity, of which there are counts."""
    return bool(chosen.entity) and chosen == WorkFilter(entity=chosen.entity)


def _condition(type_: WorkType, chosen: WorkFilter, walks: bool = False) -> Query:
    """Return what works must be like; `walks` where they are looked at one after the other."""
    # A constant, for the indexes of papers alone.
    conditions, values = [f"type = '{type_.value}'"], list[Any]()
    if chosen.text:
        ways = (Wording((match_key(chosen.text),)), *wordings(chosen.text))
        holds = [indexed(each) for each in ways]
        either = " OR ".join(f"({condition})" for condition, _ in holds)
        conditions.append(f"no IN (SELECT work FROM spelling WHERE {either})")
        values += [each for _, parts in holds for each in parts]
    if chosen.kinds:
        conditions.append(f"kind IN ({_places(chosen.kinds)})")
        values += chosen.kinds
    if chosen.general is not None and type_ is WorkType.ENTITY:
        conditions.append("general = ?")
        values.append(chosen.general)
    if chosen.broader is not None and type_ is WorkType.ENTITY:
        conditions.append(_NARROWER)
        values.append(chosen.broader)
    if chosen.relations or chosen.entity:
        condition, more = _stated(type_, chosen, walks)
        conditions.append(condition)
        values += more
    for stated in chosen.stated if type_ is WorkType.PAPER else ():
        condition, more = _one_stated(stated, walks)
        conditions.append(condition)
        values += more
    if type_ is WorkType.PAPER:
        for condition, more in _provenance(chosen.provenance):
            conditions.append(condition)
            values += more
    years = ((chosen.year_from, ">="), (chosen.year_to, "<="))
    # With other conditions, which fewer papers meet, SQLite should not use the index of dates.
    only_years = chosen == WorkFilter(year_from=chosen.year_from, year_to=chosen.year_to)
    for year, side in years:
        if year is not None:
            conditions.append(f"{'' if only_years else '+'}date_order {side} ?")
            values.append(f"{year:05}{'~' if side == '<=' else ''}")
    if any(year is not None for year, _ in years):
        # What has a date without a year is after all years; what has none, in none.
        conditions.append("(date_order < '1' OR published IS NOT NULL)")
    return " AND ".join(conditions), values


def _stated(type_: WorkType, chosen: WorkFilter, walks: bool) -> Query:
    """Papers that state such a thing; entities of which papers state it."""
    conditions, values = [], list[Any]()
    if type_ is WorkType.ENTITY:
        conditions.append("origin IS NOT NULL")  # Papers do not state facts of the catalogue.
    if chosen.relations:
        conditions.append(f"relation IN ({_places(chosen.relations)})")
        values += chosen.relations
    if chosen.entity:
        conditions.append(f"{_plain(walks)}entity = (SELECT no FROM work WHERE id = ?)")
        values.append(chosen.entity)
    own = "entity" if type_ is WorkType.ENTITY else "subject"
    # Most statements are of the commonest relations: to look for one of each entity takes less.
    return _in_statements(own, conditions, walks or own == "entity"), values


def _one_stated(stated: StatementFilter, walks: bool) -> Query:
    # By their numbers, by which works are found even where no index of them is to be used.
    numbers = f"(SELECT no FROM work WHERE id IN ({_places(stated.entities)}))"
    conditions = [f"{_plain(walks)}entity IN {numbers}"]
    if stated.relations:
        conditions.append(f"relation IN ({_places(stated.relations)})")
    return (
        f"{'NOT ' if stated.excluded else ''}"
        f"(no IN {numbers} OR {_in_statements('subject', conditions, walks)})",
        [*stated.entities, *stated.entities, *stated.relations],
    )


def _plain(walks: bool) -> str:
    """Return what keeps SQLite from an index of entities, where one paper is looked at: a hub's
    statements are all read then."""
    return "+" if walks else ""


def _in_statements(own: str, conditions: list[str], walks: bool) -> str:
    """Return the condition that a work is at the `own` end of a statement."""
    if walks:
        return (
            f"EXISTS (SELECT 1 FROM statement WHERE {' AND '.join([f'{own} = no', *conditions])})"
        )
    return f"no IN (SELECT {own} FROM statement WHERE {' AND '.join(conditions) or 'TRUE'})"


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
