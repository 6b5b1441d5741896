"""Selections: works that pass a filter, in an order, as Cypher.

Only names of the model are ever written into a query; all that users say goes in as parameters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from stemma.graph.filters import WorkFilter
from stemma.graph.neo4j.record import UNKNOWN_YEAR
from stemma.graph.property_graph import name_key
from stemma.graph.provenance import Provenance
from stemma.graph.selection import PageOrder
from stemma.graph.store import WorkType
from stemma.graph.wording import Wording, wordings
from stemma.schema import RelationType

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


@dataclass(slots=True)
class Selection:
    """Cypher that binds the works which pass as `n`, and its parameters."""

    cypher: str
    parameters: dict[str, Any] = field(default_factory=dict)


def select(type_: WorkType, chosen: WorkFilter) -> Selection:
    """Return what selects the works that pass a filter."""
    label = _LABELS[type_]
    conditions = ["n.sort_name IS NOT NULL"]  # What is ours has one.
    parameters: dict[str, Any] = {}
    start = f"MATCH (n:{label})"
    if chosen.relations or chosen.entity:
        types = any_of(chosen.relations or RelationType)
        if type_ is WorkType.PAPER and chosen.entity:
            start = (
                f"MATCH (:Entity {{id: $entity}})<-[r:{types}]-(n:Paper) "
                "WHERE r.origin IS NOT NULL WITH DISTINCT n"
            )
        elif type_ is WorkType.PAPER:
            conditions.append(f"EXISTS {{ (n)-[r:{types}]->(:Entity) WHERE {_OURS} }}")
        else:
            conditions.append(f"EXISTS {{ (n)<-[r:{types}]-(:Paper) WHERE {_OURS} }}")
            if chosen.entity:
                conditions.append("n.id = $entity")
        parameters["entity"] = chosen.entity
    for number, stated in enumerate(chosen.stated if type_ is WorkType.PAPER else ()):
        types = any_of(stated.relations or RelationType)
        conditions.append(
            f"{'NOT ' if stated.excluded else ''}(n.id IN $stated{number} "
            f"OR EXISTS {{ (n)-[r:{types}]->(e:Entity) "
            f"WHERE {_OURS} AND e.id IN $stated{number} }})"
        )
        parameters[f"stated{number}"] = list(stated.entities)
    for condition, more in _provenance(chosen.provenance) if type_ is WorkType.PAPER else ():
        conditions.append(condition)
        parameters |= more
    if chosen.text:
        ways = (Wording((name_key(chosen.text),)), *wordings(chosen.text))
        conditions.append(f"any(way IN $ways WHERE {worded('way', 'n.search_keys')})")
        parameters["ways"] = [way_of(each) for each in ways]
    if chosen.kinds:
        conditions.append("n.kind IN $kinds")
        parameters["kinds"] = [kind.value for kind in chosen.kinds]
    for condition, more in _among_entities(chosen) if type_ is WorkType.ENTITY else ():
        conditions.append(condition)
        parameters |= more
    if chosen.year_from is not None:
        conditions.append(f"n.published_edtf IS NOT NULL AND {_YEAR} >= $year_from")
        parameters["year_from"] = chosen.year_from
    if chosen.year_to is not None:
        conditions.append(f"n.published_edtf IS NOT NULL AND {_YEAR} <= $year_to")
        parameters["year_to"] = chosen.year_to
    return Selection(f"{start} WHERE {' AND '.join(conditions)}", parameters)


def _among_entities(chosen: WorkFilter) -> Iterator[tuple[str, dict[str, Any]]]:
    if chosen.general is not None:
        yield "n.general = $general", {"general": chosen.general}
    if chosen.broader is not None:
        yield (
            "EXISTS { (n)-[steps:BROADER*]->(:Entity {id: $broader}) "
            "WHERE all(step IN steps WHERE step.origin IS NOT NULL) }",
            {"broader": chosen.broader},
        )


def _provenance(chosen: Provenance) -> Iterator[tuple[str, dict[str, Any]]]:
    if chosen.authors:
        yield (
            "EXISTS { (n)<-[w:WROTE]-(a:Author) WHERE w.place IS NOT NULL AND a.id IN $authors }",
            {"authors": list(chosen.authors)},
        )
    for role, words in chosen.words.items():
        name = role.value
        yield (
            f"any(each IN coalesce(n.search_{name}s, []) WHERE each CONTAINS ${name})",
            {name: words},
        )
    for pattern, name, ids in (
        ("(n)-[c:CITES]->(other:Paper)", "cites", chosen.cites),
        ("(n)<-[c:CITES]-(other:Paper)", "cited_by", chosen.cited_by),
    ):
        if ids:
            yield (
                f"EXISTS {{ {pattern} WHERE c.origin IS NOT NULL AND other.id IN ${name} }}",
                {name: list(ids)},
            )


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


_OURS = "r.origin IS NOT NULL"
_YEAR = f"coalesce(n.year, {UNKNOWN_YEAR})"


def order_key(order: PageOrder) -> str:
    """Return the expression that an order sorts `n` by; ids break ties."""
    return _ORDERS[order]


def any_of(relations: Iterable[RelationType]) -> str:
    """Return relations as the types of a relationship in a pattern."""
    return "|".join(RelationType(each).value for each in relations)
