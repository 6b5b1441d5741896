"""Selections: works and statements that pass filters, in an order, as Cypher.

Only names of the model are ever written into a query; all that users say goes in as parameters.
"""

from collections.abc import Iterable
from typing import Any

from stemma.graph.filters import WorkFilter
from stemma.graph.neo4j.record import UNKNOWN_YEAR
from stemma.graph.property_graph import name_key
from stemma.graph.provenance import Provenance
from stemma.graph.selection import PageOrder, Selection
from stemma.graph.store import WorkType
from stemma.graph.wording import Wording, wordings
from stemma.schema import CATALOGUE_ORIGIN, RelationType

Query = tuple[str, dict[str, Any]]
"""Cypher, and its parameters."""
_LABELS = {WorkType.PAPER: "Paper", WorkType.ENTITY: "Entity"}
# "2021" comes after "2021-12", and an unknown year (XXXX) after all others: so does a tilde.
_ORDERS = {
    PageOrder.NAME: "n.sort_name",
    PageOrder.PUBLISHED: "coalesce(n.published_edtf, '~') + '~'",
    # The greatest first; a month or day that is not known comes after all known ones.
    PageOrder.NEWEST: "CASE WHEN n.year IS NULL THEN 1 ELSE -(n.year * 10000 "
    "+ coalesce(toInteger(substring(n.published_edtf, 5, 2)), 13) * 100 "
    "+ coalesce(toInteger(substring(n.published_edtf, 8, 2)), 32)) END",
    PageOrder.PAPERS: "-coalesce(n.papers, 0)",
}
_OURS = "r.origin IS NOT NULL"
_YEAR = f"n.published_edtf IS NOT NULL AND coalesce(n.year, {UNKNOWN_YEAR})"
_LOW = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.low END)"
_HIGH = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.high END)"
_ANY_RESULT = (
    "(coalesce(r.factor, r.difference, r.low) IS NOT NULL "
    "OR coalesce(r.metric, r.direction, r.condition, r.unit) IS NOT NULL)"
)
PAGE_OF_STATEMENTS = """
WITH s, r, e, -r.confidence AS unsure
WHERE $key IS NULL OR unsure > $key[0] OR unsure = $key[0] AND (s.id > $key[1] OR s.id = $key[1]
  AND (type(r) > $key[2] OR type(r) = $key[2] AND e.id > $key[3]))
RETURN [s.id, type(r), e.id, properties(r)] AS statement
ORDER BY unsure, s.id, type(r), e.id LIMIT $first
"""
"""Lists what was selected after the place `$key` in the order of confidence."""


class _Conditions:
    """Conditions that all have to hold, and the parameters that they name."""

    def __init__(self, *conditions: str) -> None:
        self._conditions, self.parameters = list(conditions), dict[str, Any]()

    def add(self, condition: str, **parameters: Any) -> None:
        """Add a condition, unless one of its parameters is None."""
        if None not in parameters.values():
            self._conditions.append(condition)
            self.parameters |= parameters

    def __str__(self) -> str:
        return f"WHERE {' AND '.join(self._conditions)}"


def select(type_: WorkType, chosen: WorkFilter) -> Query:
    """Return Cypher that binds the works which pass a filter as `n`, and its parameters."""
    label = _LABELS[type_]
    where = _Conditions("n.sort_name IS NOT NULL")  # What is ours has one.
    start = f"MATCH (n:{label})"
    if chosen.text:
        ways = (Wording((name_key(chosen.text),)), *wordings(chosen.text))
        condition = f"any(way IN $ways WHERE {worded('way', 'n.search_keys')})"
        where.add(condition, ways=[way_of(each) for each in ways])
    where.add("n.kind IN $kinds", kinds=[kind.value for kind in chosen.kinds] or None)
    types = any_of(chosen.relations or RelationType)
    if type_ is WorkType.ENTITY:
        where.add("n.general = $general", general=chosen.general)
        where.add(
            "EXISTS { (n)-[steps:BROADER*]->(:Entity {id: $broader}) "
            "WHERE all(step IN steps WHERE step.origin IS NOT NULL) }",
            broader=chosen.broader,
        )
        if chosen.relations or chosen.entity:
            where.add(f"EXISTS {{ (n)<-[r:{types}]-(:Paper) WHERE {_OURS} }}")
        where.add("n.id = $entity", entity=chosen.entity or None)
    else:
        if chosen.entity:
            start = (
                f"MATCH (:Entity {{id: $entity}})<-[r:{types}]-(n:Paper) "
                f"WHERE {_OURS} WITH DISTINCT n"
            )
            where.parameters["entity"] = chosen.entity
        elif chosen.relations:
            where.add(f"EXISTS {{ (n)-[r:{types}]->(:Entity) WHERE {_OURS} }}")
        for number, stated in enumerate(chosen.stated):
            where.add(
                f"{'NOT ' if stated.excluded else ''}(n.id IN $stated{number} OR EXISTS {{ "
                f"(n)-[r:{any_of(stated.relations or RelationType)}]->(e:Entity) "
                f"WHERE {_OURS} AND e.id IN $stated{number} }})",
                **{f"stated{number}": list(stated.entities)},
            )
        _add_provenance(where, chosen.provenance)
    where.add(f"{_YEAR} >= $year_from", year_from=chosen.year_from)
    where.add(f"{_YEAR} <= $year_to", year_to=chosen.year_to)
    return f"{start} {where}", where.parameters


def _add_provenance(where: _Conditions, chosen: Provenance) -> None:
    where.add(
        "EXISTS { (n)<-[w:WROTE]-(a:Author) WHERE w.place IS NOT NULL AND a.id IN $authors }",
        authors=list(chosen.authors) or None,
    )
    for role, words in chosen.words.items():
        condition = f"any(x IN coalesce(n.search_{role.value}s, []) WHERE x CONTAINS ${role.value})"
        where.add(condition, **{role.value: words})
    for pattern, name, ids in (
        ("(n)-[c:CITES]->(other:Paper)", "cites", chosen.cites),
        ("(n)<-[c:CITES]-(other:Paper)", "cited_by", chosen.cited_by),
    ):
        where.add(
            f"EXISTS {{ {pattern} WHERE c.origin IS NOT NULL AND other.id IN ${name} }}",
            **{name: list(ids) or None},
        )


def select_statements(chosen: Selection) -> Query:
    """Return Cypher that binds the statements which pass as `(s)-[r]->(e)`, and its parameters."""
    where = _Conditions(_OURS)
    if chosen.compared:
        where.add(_ANY_RESULT)
    if not chosen.include_catalogue:
        where.add("r.origin <> $catalogue", catalogue=CATALOGUE_ORIGIN)
    where.add("e.id = $entity", entity=chosen.entity or None)
    where.add("e.kind IN $kinds", kinds=[kind.value for kind in chosen.kinds] or None)
    where.add("r.confidence >= $sure", sure=chosen.min_confidence or None)
    where.add("s:Paper AND s.year >= $year_from", year_from=chosen.since)
    where.add("s:Paper AND s.year <= $year_to", year_to=chosen.until)
    where.add("toLower(r.metric) CONTAINS toLower($metric)", metric=chosen.metric)
    where.add(f"{_LOW} >= $low", low=chosen.min_factor)
    where.add(f"{_HIGH} <= $high", high=chosen.max_factor)
    where.add("r.direction = $way", way=chosen.outcome and chosen.outcome.value)
    types = any_of(chosen.relations or RelationType)
    return f"MATCH (s)-[r:{types}]->(e:Entity) {where}", where.parameters


def way_of(wording: Wording) -> dict[str, list[str]]:
    """Return a wording as a parameter."""
    return {"keys": list(wording.all_keys), "patterns": list(wording.patterns)}


def worded(way: str, key: str) -> str:
    """Return the condition that a key of `n` contains a wording."""
    return (
        f"all(part IN {way}.keys WHERE {key} CONTAINS part) AND "
        f"all(pattern IN {way}.patterns WHERE any("
        "name IN [coalesce(n.title, n.name)] + coalesce(n.aliases, []) WHERE name =~ pattern))"
    )


def order_key(order: PageOrder) -> str:
    """Return the expression that an order sorts `n` by; ids break ties."""
    return _ORDERS[order]


def any_of(relations: Iterable[RelationType]) -> str:
    """Return relations as the types of a relationship in a pattern."""
    return "|".join(RelationType(each).value for each in relations)
