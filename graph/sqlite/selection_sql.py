"""Selections: pages of works and of statements, in an order, as queries of the index."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from stemma.graph.edge import StatementPlace
from stemma.graph.matching import STATED, Topic, Wording, phrasings
from stemma.graph.reader import WorkType
from stemma.graph.selection import WORKS, Criterion, PageOrder, Selection, provenance_sought
from stemma.schema import RelationType

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
Ask = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]
"""Queries the tables of a store."""
_TITLE, _ABSTRACT = 4.0, 1.0
"""How much a word in a title counts, and one in an abstract."""
_MOST_PHRASES = 40
_STATED = """
SELECT DISTINCT id FROM statement JOIN work ON no = subject
WHERE entity IN (SELECT no FROM work WHERE id IN ({})) AND origin IS NOT NULL
"""
_LENGTH = 3
_MOST_TRIGRAMS = 16
"""Of a text, with which the index is asked: more hardly exclude more."""
_WITH_TRIGRAMS = "(SELECT rowid FROM trigram WHERE trigram MATCH ?)"
_MANY = 2000
"""Names that match: with so many, works are looked at in the order of the answer."""
_BEST = f"""
FROM work INDEXED BY entity_by_papers WHERE type = '{WorkType.ENTITY.value}' AND -papers <= ?
AND EXISTS (
    SELECT 1 FROM spelling INDEXED BY spelling_of_work WHERE work = no AND {{}}
)
"""
_ORDER = "ORDER BY papers DESC, type, name COLLATE NOCASE, id LIMIT ?"


def count_query(type_: WorkType, chosen: Selection) -> Query:
    """Return the query that counts all works that pass."""
    if type_ is WorkType.PAPER and _names_entity_alone(chosen):
        return "SELECT COALESCE(SUM(papers), 0) FROM work WHERE id = ?", [chosen.entity]
    where = _works(type_, chosen)
    return f"SELECT COUNT(*) FROM work WHERE {where}", where.values


def year_query(chosen: Selection) -> Query:
    """Return the query that counts the papers of each year that pass."""
    if _names_entity_alone(chosen):
        return (
            "SELECT year, entity_year.papers FROM entity_year JOIN work ON no = entity "
            "WHERE id = ? ORDER BY year",
            [chosen.entity],
        )
    if not chosen.given(WORKS):
        return _YEARS, []
    where = _works(WorkType.PAPER, chosen)
    return (
        "SELECT CAST(substr(date_order, 1, 5) AS INTEGER) AS year, COUNT(*) FROM work "
        f"WHERE {where} GROUP BY year ORDER BY year",
        where.values,
    )


def page_query(
    type_: WorkType, chosen: Selection, before: str | None, most: int, many: bool
) -> Query:
    """Return the query that lists the works of a page; `before` a work, the last comes first.

    Where `many` papers pass, they are looked for in the order of their dates until there are
    enough; where few do, all that pass are sorted.
    """
    order = chosen.order or PageOrder.NAME
    walks = many and type_ is WorkType.PAPER and order in _INDEXES
    where = _works(type_, chosen, walks)
    index = ""
    if type_ is WorkType.PAPER and order in _INDEXES:
        # SQLite does not know how many pass, and might walk for few.
        index = f"INDEXED BY {_INDEXES[order]}" if walks else "NOT INDEXED"
    key = _ORDERS[order]
    for cursor, side in ((chosen.after, ">"), (before, "<")):
        where.add(f"({key}, id) {side} (SELECT {key}, id FROM work WHERE id = ?)", cursor)
    way = "" if before is None else " DESC"
    return (
        f"SELECT id FROM work {index} WHERE {where} ORDER BY {key}{way}, id{way} LIMIT ?",
        [*where.values, most],
    )


def _names_entity_alone(chosen: Selection) -> bool:
    """Return whether papers pass that name an entity, of which there are counts."""
    return chosen.given(WORKS).keys() == {"entity"}


class _Conditions:
    """Conditions that all have to hold, and the values that they ask for, in order."""

    def __init__(self, *conditions: str) -> None:
        self._conditions, self.values = list(conditions), list[Any]()

    def add(self, condition: str, *values: Any) -> None:
        """Add a condition, unless one of its values is None."""
        if None not in values:
            self._conditions.append(condition)
            self.values += values

    def among(self, condition: str, values: Collection[Any]) -> None:
        """Add a condition with ``{}`` in place of a list, unless there is nothing in it."""
        if values:
            self.add(condition.format(_places(values)), *values)

    def __str__(self) -> str:
        return " AND ".join(self._conditions) or "TRUE"


def _works(type_: WorkType, chosen: Selection, walks: bool = False) -> _Conditions:
    """Return what works must be like; `walks` where they are looked at one after the other."""
    # A constant, for the indexes of papers alone.
    where = _Conditions(f"type = '{type_.value}'")
    if chosen.text:
        holds = [indexed(way) for way in phrasings(chosen.text)]
        either = " OR ".join(f"({condition})" for condition, _ in holds)
        values = (part for _, parts in holds for part in parts)
        where.add(f"no IN (SELECT work FROM spelling WHERE {either})", *values)
    where.among("kind IN ({})", chosen.kinds)
    if type_ is WorkType.ENTITY:
        where.add("general = ?", chosen.general)
        where.add(_NARROWER, chosen.broader)
    if chosen.relations or chosen.entity:
        _add_stated(where, type_, chosen, walks)
    if type_ is WorkType.PAPER:
        for criterion in chosen.criteria:
            _add_criterion(where, criterion, walks)
        _add_provenance(where, chosen)
    # With other conditions, which fewer papers meet, SQLite should not use the index of dates.
    only_years = chosen.given(WORKS).keys() <= {"since", "until"}
    date = "date_order" if only_years else "+date_order"
    if chosen.since is not None:
        where.add(f"{date} >= ?", f"{chosen.since:05}")
    if chosen.until is not None:
        where.add(f"{date} <= ?", f"{chosen.until:05}~")
    if chosen.has_years:
        # What has a date without a year is after all years; what has none, in none.
        where.add("(date_order < '1' OR published IS NOT NULL)")
    return where


def _add_stated(where: _Conditions, type_: WorkType, chosen: Selection, walks: bool) -> None:
    """Papers that state such a thing; entities of which papers state it."""
    conditions = _Conditions()
    if type_ is WorkType.ENTITY:
        conditions.add("origin IS NOT NULL")  # Papers do not state facts of the catalogue.
    conditions.among("relation IN ({})", chosen.relations)
    if chosen.entity:
        conditions.add(f"{_plain(walks)}entity = (SELECT no FROM work WHERE id = ?)", chosen.entity)
    end = "entity" if type_ is WorkType.ENTITY else "subject"
    # Most statements are of the commonest relations: to look for one of each entity takes less.
    where.add(_in_statements(end, conditions, walks or end == "entity"), *conditions.values)


def _add_criterion(where: _Conditions, criterion: Criterion, walks: bool) -> None:
    # By their numbers, by which works are found even where no index of them is to be used.
    numbers = f"(SELECT no FROM work WHERE id IN ({_places(criterion.entities)}))"
    conditions = _Conditions()
    conditions.add(f"{_plain(walks)}entity IN {numbers}", *criterion.entities)
    conditions.among("relation IN ({})", criterion.relations)
    met = f"(no IN {numbers} OR {_in_statements('subject', conditions, walks)})"
    where.add(
        f"{'NOT ' if criterion.excluded else ''}{met}", *criterion.entities, *conditions.values
    )


def _plain(walks: bool) -> str:
    """Return what keeps SQLite from an index of entities, where one paper is looked at: a hub's
    statements are all read then."""
    return "+" if walks else ""


def _in_statements(end: str, own: _Conditions, walks: bool) -> str:
    """Return the condition that a work is at an end of a statement."""
    if walks:
        return f"EXISTS (SELECT 1 FROM statement WHERE {end} = no AND {own})"
    return f"no IN (SELECT {end} FROM statement WHERE {own})"


def _add_provenance(where: _Conditions, chosen: Selection) -> None:
    where.among(
        "no IN (SELECT paper FROM authorship WHERE person IN "
        "(SELECT no FROM person WHERE id IN ({})))",
        chosen.authors,
    )
    for sought in provenance_sought(chosen):
        named = "role = ? AND (instr(words, ?) OR instr(words, ?))"
        where.add(f"no IN (SELECT paper FROM provenance WHERE {named})", *sought)
    for own, other, ids in (
        ("citing", "cited", chosen.citing),
        ("cited", "citing", chosen.cited_in),
    ):
        where.among(
            f"no IN (SELECT {own} FROM citation WHERE {other} IN "
            "(SELECT no FROM work WHERE id IN ({})))",
            ids,
        )


# Statements.

_STATEMENTS = """
FROM statement JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
WHERE """
# A statement of a work about itself is listed once.
_ENDS = ("subject = ?1 AND entity <> ?1", "entity = ?1")
_SUREST = """
WITH least AS MATERIALIZED (SELECT COALESCE((
    SELECT confidence FROM ({tops}) ORDER BY confidence DESC LIMIT 1 OFFSET ?2 - 1
), 0) AS confidence),
found AS MATERIALIZED ({found})
SELECT s.id, relation, e.id FROM found
JOIN work s ON s.no = subject JOIN work e ON e.no = entity
ORDER BY is_fact, confidence DESC, s.id, relation, e.id LIMIT ?2
"""
_TOP = """
SELECT * FROM (
    SELECT confidence FROM statement
    WHERE {end} AND relation = {relation} AND origin IS NOT NULL
    ORDER BY confidence DESC LIMIT ?2
)
"""
_FOUND = """
SELECT subject, relation, entity, confidence, origin IS NULL AS is_fact FROM statement
WHERE {end} AND relation IN ({relations}) AND confidence >= (SELECT confidence FROM least)
"""
_OUTCOME = "json_extract(outcome, '$.{}')"
_FACTOR = (
    f"coalesce({_OUTCOME.format('factor')}, "
    f"CASE WHEN {_OUTCOME.format('unit')} IS NULL THEN {_OUTCOME} END)"
)
"""A factor, or an end of a range of them: low or high."""


def surest(work: int, relations: Collection[RelationType], first: int) -> Query:
    """Return the query that lists the surest statements of a work (its number).

    A hub has thousands of statements. An index says how sure those of each relation are, and only
    what is as sure as the last one wanted is looked up.
    """
    wanted = dict.fromkeys(relations or RelationType)
    places = [f"?{number}" for number, _ in enumerate(wanted, start=3)]
    tops = (_TOP.format(end=end, relation=place) for end in _ENDS for place in places)
    found = (_FOUND.format(end=end, relations=",".join(places)) for end in _ENDS)
    query = _SUREST.format(tops=" UNION ALL ".join(tops), found=" UNION ALL ".join(found))
    return query, [work, first, *wanted]


def counting(chosen: Selection) -> Query:
    """Return the query that counts the statements that pass."""
    where = _statements(chosen)
    return f"SELECT COUNT(*) {_STATEMENTS}{where}", where.values


def listing(chosen: Selection, after: StatementPlace | None, most: int) -> Query:
    """Return the query that lists them, the surest first, after the one with the key `after`."""
    where = _statements(chosen)
    if after is not None:
        where.add("(origin IS NULL, -confidence, s.id, relation, e.id) > (?, ?, ?, ?, ?)", *after)
    return (
        f"SELECT s.id, relation, e.id, confidence {_STATEMENTS}{where} "
        "ORDER BY origin IS NULL, -confidence, s.id, relation, e.id LIMIT ?",
        [*where.values, most],
    )


def _statements(chosen: Selection) -> _Conditions:
    where = _Conditions()
    if chosen.entity:
        where.add("statement.entity = (SELECT no FROM work WHERE id = ?)", chosen.entity)
    where.among("relation IN ({})", chosen.relations)
    where.among("e.kind IN ({})", chosen.kinds)
    if chosen.min_confidence:
        where.add("confidence >= ?", chosen.min_confidence)
    if not chosen.include_catalogue:
        where.add("origin IS NOT NULL")
    for year, sign in ((chosen.since, ">="), (chosen.until, "<=")):
        if year is not None:
            where.add(
                f"s.type = 'paper' AND s.published IS NOT NULL "
                f"AND substr(s.date_order, 1, 5) {sign} ?",
                f"{year:05}",
            )
    # Of several results of a comparison, one has to pass.
    result = _Conditions("c.paper = subject", "c.entity = statement.entity")
    metric = chosen.metric and chosen.metric.lower()
    result.add(f"instr(lower({_OUTCOME.format('metric')}), ?) > 0", metric or None)
    result.add(f"{_OUTCOME.format('direction')} = ?", chosen.outcome)
    result.add(f"{_FACTOR.format('low')} >= ?", chosen.min_factor)
    result.add(f"{_FACTOR.format('high')} <= ?", chosen.max_factor)
    if chosen.compared or result.values:
        compared = f"EXISTS (SELECT 1 FROM comparison c WHERE {result})"
        where.add(f"relation = '{RelationType.COMPARES_WITH}' AND {compared}", *result.values)
    return where


def _places(values: Collection[Any]) -> str:
    return ",".join("?" * len(values))


# Texts.


def about(ask: Ask, topic: Topic, chosen: Selection) -> dict[str, float]:
    """Return the papers (ids) about a topic that pass a filter, with how much, from 0 to 1."""
    where = _works(WorkType.PAPER, chosen) if chosen.given(WORKS) else _Conditions()
    found: dict[str, float] = {}
    if topic.phrases:
        # bm25 is the less the better.
        scores = ask(
            f"SELECT id, -bm25(text, {_TITLE}, {_ABSTRACT}) FROM text JOIN work ON no = text.rowid "
            f"WHERE text MATCH ? AND {where}",
            [" OR ".join(map(_quoted, topic.phrases[:_MOST_PHRASES])), *where.values],
        )
        greatest = max((score for _, score in scores), default=0.0) or 1.0
        found = {id_: score / greatest for id_, score in scores}
    if topic.entities:
        stated = f"{_STATED.format(_places(topic.entities))} AND {where}"
        for (id_,) in ask(stated, [*topic.entities, *where.values]):
            found[id_] = max(STATED, found.get(id_, 0.0))
    return found


def vectors(ask: Ask, chosen: Selection) -> dict[str, bytes]:
    """Return the vectors of papers (ids) that pass a filter, packed."""
    where = _works(WorkType.PAPER, chosen) if chosen.given(WORKS) else _Conditions()
    query = f"SELECT id, packed FROM vector JOIN work ON no = vector.paper WHERE {where}"
    return dict(ask(query, where.values))


def _quoted(phrase: str) -> str:
    return '"{}"'.format(phrase.replace("\0", " ").replace('"', '""'))


# Names, by an index of their trigrams, which says which names may contain a text: those that have
# all its trigrams, in any order.


def search_names(ask: Ask, key: str, ways: Sequence[Wording], chosen: Selection) -> list[str]:
    """Return the works (ids) with a name that words a text in one of some ways, the best first.

    Those that are called `key` come first, then those whose names begin with it. `ask` queries the
    store.
    """
    first, where = chosen.first, _Conditions()
    where.among("kind IN ({})", chosen.kinds)
    where.add("general = ?", chosen.general)
    asked = Wording(ways[0].keys)
    found: dict[str, None] = {}
    for condition, texts, wording in (
        ("key = ?", [key], asked),
        # In the order of keys, those that begin with one come before it with a last character.
        ("key >= ? AND key < ?", [key, f"{key}\U0010ffff"], asked),
        *(("TRUE", list[str](), wording) for wording in ways),
    ):
        holds, parts = containing(wording)
        named = (f"{condition} AND {holds}", [*texts, *parts])
        by_index = named if texts else indexed(wording)
        found |= dict.fromkeys(_best(ask, named, by_index, where, first))
        if len(found) >= first:
            break
    return list(found)[:first]


def _best(ask: Ask, named: Query, by_index: Query, where: _Conditions, first: int) -> Iterator[str]:
    """Yield the first works (ids) with a name that matches, those of most papers first.

    `by_index` says the same as `named`, by an index.
    """
    some = f"SELECT COUNT(*) FROM (SELECT 1 FROM spelling WHERE {by_index[0]} LIMIT {_MANY})"
    if first < _MANY and ask(some, by_index[1]) == [(_MANY,)]:
        best = f"{_BEST.format(named[0])} AND {where}"
        values = [*named[1], *where.values, first]
        # Most entities are named by one paper: these are not looked at one after the other.
        found = ask(f"SELECT papers {best} ORDER BY -papers, id LIMIT ?", [-2, *values])
        if len(found) == first:
            ((least,),) = found[-1:]
            return (id_ for (id_,) in ask(f"SELECT id {best} {_ORDER}", [-least, *values]))
    rows = ask(
        f"SELECT id FROM (SELECT DISTINCT work FROM spelling WHERE {by_index[0]}) "
        f"JOIN work ON no = work WHERE {where} {_ORDER}",
        [*by_index[1], *where.values, first],
    )
    return (id_ for (id_,) in rows)


def containing(wording: Wording) -> Query:
    """Return the condition that a spelling contains a wording."""
    named = "coalesce(text, (SELECT name FROM work named WHERE named.no = spelling.work))"
    # Few keys have the letters, and these alone are read as texts.
    holds = ["instr(key, ?) > 0"] * len(wording.keys)
    holds += [f"{named} REGEXP ?"] * len(wording.patterns)
    return " AND ".join(holds), [*wording.keys, *wording.patterns]


def indexed(wording: Wording) -> Query:
    """Return the same condition, with what an index says of it."""
    condition, values = containing(wording)
    if trigrams := trigrams_in(wording.keys):
        return f"number IN {_WITH_TRIGRAMS} AND {condition}", [trigrams, *values]
    return condition, values


def trigrams_in(words: Iterable[str]) -> str:
    """Return a query for what has all trigrams of some words; empty if they have none."""
    found = {word[i : i + _LENGTH] for word in words for i in range(len(word) - _LENGTH + 1)}
    quoted = (each.replace('"', '""') for each in sorted(found)[:_MOST_TRIGRAMS])
    return " ".join(f'"{each}"' for each in quoted if "\0" not in each)
