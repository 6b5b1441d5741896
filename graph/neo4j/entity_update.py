"""Updates of entities: what linking makes of them, the catalogue's facts, and what papers say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.neo4j.connection import Connection, Read
from stemma.graph.neo4j.counting import Difference
from stemma.graph.neo4j.edge_update import EdgeUpdate, Ends
from stemma.graph.neo4j.record import (
    KIND_LABELS,
    entity,
    entity_properties,
    statement_properties,
)
from stemma.graph.neo4j.removal import remove_nodes, restore_nodes
from stemma.graph.neo4j.selection import any_of
from stemma.schema import (
    CATALOGUE_ORIGIN,
    LINEAGE_RELATIONS,
    Entity,
    EntityKind,
    Fact,
    RelationType,
    Statement,
)
from stemma.schema.batches import batched

_BATCH = 2000
_WRITERS = 2
"""Transactions at a time, where each is about other entities."""


_ALL = "MATCH (e:Entity) WHERE e._order IS NOT NULL"
_SOME = "UNWIND $ids AS id MATCH (e:Entity {id: id})"
_HELD = """
RETURN e {.id, .name, .kind, .general, .aliases, ._year} AS own,
  [(e)-[b:BROADER]->(w:Entity) WHERE b.origin IS NOT NULL | w.id] AS broader
"""
_PUT = """
UNWIND $rows AS row MERGE (e:Entity {{id: row[0]}}) SET e:{label}, e += row[1]
"""
_FORGET_KIND = """
UNWIND $ids AS id MATCH (e:Entity {{id: id}}) REMOVE e:{label}
"""
_NARROWER = """
UNWIND $rows AS row
MATCH (e:Entity {id: row[0]})-[b:BROADER]->(w:Entity)
WHERE b.origin IS NOT NULL AND NOT w.id IN row[1] DELETE b
"""
_BROADER = """
UNWIND $rows AS row UNWIND row[1] AS broader
MATCH (e:Entity {id: row[0]}) MATCH (w:Entity {id: broader})
WHERE NOT EXISTS { (e)-[b:BROADER]->(w) WHERE b.origin IS NOT NULL }
CREATE (e)-[:BROADER {origin: $origin}]->(w)
"""
_CLEAR = """
UNWIND $ids AS id MATCH (e:Entity {id: id})-[b:BROADER]-() WHERE b.origin IS NOT NULL DELETE b
"""
_FACTS = f"""
UNWIND $ids AS id MATCH (a:Entity {{id: id}})
WITH a, id MATCH (a)-[r:{any_of(LINEAGE_RELATIONS)}]->(b:Entity)
WHERE r.origin = '{CATALOGUE_ORIGIN}'
RETURN DISTINCT id AS subject, type(r) AS relation, b.id AS entity
"""
_STATE = """
UNWIND $rows AS row MATCH (a:Entity {{id: row[0]}}) MATCH (b:Entity {{id: row[1]}})
CREATE (a)-[r:{type}]->(b) SET r = $properties
"""
_UNSTATE = """
UNWIND $rows AS row MATCH (e:Entity {{id: row[0]}})
WITH e, row MATCH (e)-[r:{type}]->(:Entity {{id: row[1]}})
WHERE r.origin = $origin DELETE r
"""
_COUNT = f"""
UNWIND $rows AS row MATCH (e:Entity {{id: row[0]}})
CALL (e) {{
  OPTIONAL MATCH (p:Paper)-[r:{any_of(RelationType)}]->(e) WHERE r.origin IS NOT NULL
  RETURN count(DISTINCT p) AS papers
}}
"""
_ADD = """
UNWIND $rows AS row MATCH (e:Entity {id: row[0]})
WITH e, coalesce(e.papers, 0) + row[1] AS papers
"""
_DESCRIBE = """
CALL (e) {
  OPTIONAL MATCH (p:Paper)-[r:INTRODUCES]->(e) WHERE r.origin IS NOT NULL
  RETURN min(CASE WHEN p IS NOT NULL THEN coalesce(p.published, '~') + '~' END) AS introduced
}
WITH *, right('000' + toString(e._year), 4) + '~' AS catalogued
WITH e, papers,
  CASE WHEN catalogued < coalesce(introduced, '~') THEN catalogued ELSE introduced END AS first
WITH e, papers,
  EXISTS { (:Paper)-[r:COMPARES_WITH]->(e) WHERE r.origin IS NOT NULL } AS baseline,
  CASE first WHEN '~~' THEN null ELSE left(first, size(first) - 1) END AS published
WITH e, papers, baseline, published,
  CASE WHEN published STARTS WITH 'XXXX' THEN null ELSE toInteger(left(published, 4)) END AS year
FOREACH (each IN CASE WHEN coalesce(e.papers, -1) <> papers
    OR coalesce(e.published, '') <> coalesce(published, '') THEN [e] ELSE [] END |
  SET each.papers = papers, each.published = published, each.year = year)
FOREACH (each IN CASE WHEN baseline AND NOT e:Baseline THEN [e] ELSE [] END | SET each:Baseline)
FOREACH (each IN CASE WHEN e:Baseline AND NOT baseline THEN [e] ELSE [] END | REMOVE each:Baseline)
"""


def held_entities(read: Read, ids: Collection[str] | None = None) -> dict[str, Entity]:
    """Return the entities that the database holds, all or those of some ids, by id."""
    rows = read(_ALL + _HELD) if ids is None else read(_SOME + _HELD, ids=list(ids))
    return {row["own"]["id"]: entity(row["own"], row["broader"]) for row in rows}


def held_facts(read: Read, ids: Collection[str]) -> set[Fact]:
    """Return the catalogue's facts that the database holds about entities (ids)."""
    return {
        Fact(row["subject"], RelationType(row["relation"]), row["entity"])
        for row in read(_FACTS, ids=list(ids))
    }


def put_entities(
    connection: Connection,
    before: Mapping[str, Entity],
    entities: Mapping[str, Entity],
    gone: Collection[str],
) -> None:
    """Write those of `entities` that are not as they were before; what is gone stays for now."""
    changed = [each for id_, each in entities.items() if before.get(id_) != each]
    _write_side_by_side(
        connection,
        (partial(_put, before=before, entities=batch) for batch in batched(changed, _BATCH)),
    )
    for batch in batched((each for each in changed if each.id in before), _BATCH):
        connection.put(_NARROWER, rows=[[each.id, list(each.broader)] for each in batch])
    for batch in batched((each for each in changed if each.broader), _BATCH):
        rows = [[each.id, [id_ for id_ in each.broader if id_ not in gone]] for each in batch]
        connection.put(_BROADER, rows=rows, origin=CATALOGUE_ORIGIN)


def _put(
    transaction: ManagedTransaction, before: Mapping[str, Entity], entities: Sequence[Entity]
) -> None:
    restore_nodes(transaction, "Entity", [each.id for each in entities])
    of_other_kind: dict[EntityKind, list[str]] = defaultdict(list)
    rows: dict[EntityKind, list[list[Any]]] = defaultdict(list)
    for each in entities:
        held = before.get(each.id, each)
        if held.kind is not each.kind:
            of_other_kind[held.kind].append(each.id)
        rows[each.kind].append([each.id, entity_properties(each)])
    for kind, ids in of_other_kind.items():
        transaction.run(_FORGET_KIND.format(label=KIND_LABELS[kind]), ids=ids)
    for kind, own in rows.items():
        transaction.run(_PUT.format(label=KIND_LABELS[kind]), rows=own)


def put_facts(
    connection: Connection, added: Collection[Fact], gone: Collection[Fact]
) -> Difference:
    """Write facts of the catalogue that come and go, and return what that comes to."""
    more = Difference()
    if added or gone:
        write = partial(_put_facts, new=sorted(added), gone=sorted(gone))
        more.edges.update(connection.write(write))
        more.statements.update(each.relation.value for each in added)
        more.statements.subtract(each.relation.value for each in gone)
    return more


def _put_facts(
    transaction: ManagedTransaction, new: Sequence[Fact], gone: Sequence[Fact]
) -> Counter[Ends]:
    edges = EdgeUpdate()
    for each in gone:
        edges.remove(each.subject, each.subject, each.entity, each.relation)
    edges.add((each.subject, each.subject, each.entity, each.relation, 1.0, "") for each in new)
    for relation in LINEAGE_RELATIONS:
        for cypher, facts in ((_UNSTATE, gone), (_STATE, new)):
            rows = [[each.subject, each.entity] for each in facts if each.relation is relation]
            fact = Statement("", relation, "", 1.0, (), CATALOGUE_ORIGIN)
            if rows:
                transaction.run(
                    cypher.format(type=relation.value),
                    rows=rows,
                    origin=CATALOGUE_ORIGIN,
                    properties=statement_properties(fact),
                )
    return edges.write(transaction)


def remove_entities(connection: Connection, ids: Iterable[str]) -> None:
    """Remove entities that have no statements any more."""

    def remove(transaction: ManagedTransaction, batch: Sequence[str]) -> None:
        transaction.run(_CLEAR, ids=batch)
        remove_nodes(transaction, "Entity", batch)

    for batch in batched(ids, _BATCH):
        connection.write(partial(remove, batch=batch))


def count_papers(connection: Connection, more: Mapping[str, int], *, anew: bool) -> None:
    """Write how many papers name entities, when the first introduced them, and the baselines.

    `more` says how many `more` papers name each than was written, if not all are counted `anew`.
    """
    rows = map(list, sorted(more.items()))
    cypher = (_COUNT if anew else _ADD) + _DESCRIBE

    def count(transaction: ManagedTransaction, batch: Sequence[Any]) -> None:
        transaction.run(cypher, rows=batch)

    _write_side_by_side(
        connection, (partial(count, batch=batch) for batch in batched(rows, _BATCH))
    )


def _write_side_by_side(
    connection: Connection, works: Iterable[Callable[[ManagedTransaction], None]]
) -> None:
    """Run independent transactions in parallel; when one fails, no further ones are started."""
    with ThreadPoolExecutor(_WRITERS) as writers:
        for _ in writers.map(connection.write, works):
            pass
