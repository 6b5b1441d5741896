"""Updates of what the records of papers come to: who the authors are, and which papers cite which.

Both follow from all papers together. What is written is what has changed since.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.linking.people import people
from stemma.graph.linking.references import citations, keys_of, keys_of_reference
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.record import authors, person_properties
from stemma.graph.neo4j.removal import remove_nodes, restore_nodes
from stemma.schema.paper import Paper, Reference

FROM_REFERENCES = "references"
"""The origin of citations."""
_BATCH = 5000

_NAMED = """
MATCH (p:Paper) WHERE p._order IS NOT NULL AND size(p.authors) > 0
RETURN p.id AS id, p.authors AS names, p.author_orcids AS orcids,
  p.author_affiliations AS affiliations, p.author_ids AS ids
"""
_PEOPLE = "MATCH (a:Author) WHERE a._keys IS NOT NULL RETURN properties(a) AS own"
_WROTE = """
MATCH (a:Author)-[w:WROTE]->(p:Paper) WHERE w.place IS NOT NULL
RETURN a.id AS author, p.id AS paper, w.place AS place
"""
_PUT = "UNWIND $rows AS row MERGE (a:Author {id: row[0]}) SET a += row[1]"
_WRITE = """
UNWIND $rows AS row MATCH (a:Author {id: row[0]}) MATCH (p:Paper {id: row[1]})
CREATE (a)-[:WROTE {place: row[2]}]->(p)
"""
_UNWRITE = """
UNWIND $rows AS row MATCH (p:Paper {id: row[1]})
WITH p, row MATCH (p)<-[w:WROTE {place: row[2]}]-(a) WHERE a.id = row[0] DELETE w
"""
_CITING = """
MATCH (p:Paper) WHERE p._order IS NOT NULL AND size(p.references) > 0
RETURN p.id AS id, p.references AS references
"""
_IDENTIFIED = """
MATCH (p:Paper) WHERE p._order IS NOT NULL
RETURN p {.id, .title, .doi, .arxiv_id, .links} AS own
"""
_CITES = """
MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE c.origin IS NOT NULL
RETURN a.id AS citing, b.id AS cited
"""
_CITE = f"""
UNWIND $rows AS row MATCH (a:Paper {{id: row[0]}}) MATCH (b:Paper {{id: row[1]}})
CREATE (a)-[:CITES {{origin: '{FROM_REFERENCES}'}}]->(b)
"""
_UNCITE = """
UNWIND $rows AS row MATCH (a:Paper {id: row[0]})
WITH a, row MATCH (a)-[c:CITES]->(b) WHERE b.id = row[1] AND c.origin IS NOT NULL DELETE c
"""


def put_people(connection: Connection) -> None:
    """Make the authors of the papers that there are the people that there are."""
    found = people(
        (
            row["id"],
            list(authors(row["names"], row["orcids"], row["affiliations"], row["ids"])),
        )
        for row in connection.read(_NAMED)
    )
    held = {row["own"]["id"]: row["own"] for row in connection.read(_PEOPLE)}
    if not (found or held):
        return
    wanted = {person.id: person_properties(person) for person, _ in found}
    changed = [
        [id_, own] for id_, own in wanted.items() if _known({"id": id_, **own}) != held.get(id_)
    ]
    before = {(row["author"], row["paper"], row["place"]) for row in connection.read(_WROTE)}
    after = {(person.id, each.paper, each.place) for person, own in found for each in own}
    _write(connection, _UNWRITE, sorted(before - after))
    for batch in _batches(changed):
        connection.write(partial(_put, rows=batch))
    _write(connection, _WRITE, sorted(after - before))
    for gone in _batches(sorted(held.keys() - wanted.keys())):
        connection.write(partial(_remove, ids=gone))


def _put(transaction: ManagedTransaction, rows: Sequence[Any]) -> None:
    restore_nodes(transaction, "Author", [id_ for id_, _ in rows])
    transaction.run(_PUT, rows=rows)


def _remove(transaction: ManagedTransaction, ids: Sequence[str]) -> None:
    remove_nodes(transaction, "Author", ids)


def put_citations(connection: Connection) -> None:
    """Make the citations between the papers that there are those which references come to."""
    citing = connection.read(_CITING)
    before = {(row["citing"], row["cited"]) for row in connection.read(_CITES)}
    after = set[tuple[str, str]]()
    if citing:
        after = set(citations(identifiers(connection), _references(citing)))
    _write(connection, _UNCITE, sorted(before - after))
    _write(connection, _CITE, sorted(after - before))


def identifiers(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield by what papers (ids) go."""
    for row in connection.read(_IDENTIFIED):
        own = row["own"]
        known = Paper(
            own["id"],
            own["title"],
            links=tuple(own["links"] or ()),
            doi=own["doi"],
            arxiv_id=own["arxiv_id"],
        )
        for key in keys_of(known):
            yield known.id, key


def _references(rows: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in rows:
        for each in row["references"]:
            yield row["id"], keys_of_reference(Reference.parse(each))


def _write(connection: Connection, cypher: str, rows: Sequence[Sequence[Any]]) -> None:
    for batch in _batches([list(row) for row in rows]):
        connection.write(partial(_run, cypher=cypher, rows=batch))


def _run(transaction: ManagedTransaction, cypher: str, rows: Sequence[Any]) -> None:
    transaction.run(cypher, rows=rows)


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _known(own: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in own.items() if value is not None}
