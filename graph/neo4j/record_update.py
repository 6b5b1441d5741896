"""Updates of what the records of papers come to: who the authors are, and which papers cite which.

Both follow from all papers together. What is written is what has changed since.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.linking.people import key_of_name, people
from stemma.graph.linking.references import citations, keys_of, keys_of_reference
from stemma.graph.neo4j.connection import Connection, Read
from stemma.graph.neo4j.record import authors, person_properties
from stemma.graph.neo4j.record_ties import RecordTie, author_ties, tied
from stemma.graph.neo4j.removal import remove_nodes, restore_nodes
from stemma.schema.batches import batched
from stemma.schema.paper import Author, Paper, Reference

FROM_REFERENCES = "references"
"""The origin of citations."""
_BATCH = 5000

_ALL = "MATCH (p:Paper) WHERE p._order IS NOT NULL"
_SOME = "UNWIND $ids AS id MATCH (p:Paper {id: id})"
_NAMED = """
WITH p WHERE size(p.authors) > 0
RETURN p.id AS id, p.authors AS names, p.author_orcids AS orcids,
  p.author_affiliations AS affiliations, p.author_ids AS ids
"""
_PEOPLE = "MATCH (a:Author) WHERE a._keys IS NOT NULL RETURN properties(a) AS own"
_CALLED = """
UNWIND $names AS name MATCH (a:Author) WHERE a._keys CONTAINS '\\n' + name + '\\n'
RETURN DISTINCT properties(a) AS own
"""
_ALL_WROTE = "MATCH (a:Author)"
_SOME_WROTE = "UNWIND $ids AS id MATCH (a:Author {id: id})"
_WROTE = """
WITH a MATCH (a)-[w:WROTE]->(p:Paper) WHERE w.place IS NOT NULL
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
WITH p, [(p)-[c:CITES]->(b:Paper) WHERE c.origin IS NOT NULL | b.id] AS cites
WHERE size(p.references) > 0 OR size(cites) > 0
RETURN p.id AS id, p.references AS references, cites
"""
_IDENTIFIED = """
MATCH (p:Paper) WHERE p._order IS NOT NULL
RETURN p {.id, .title, .doi, .arxiv_id, .links} AS own
"""
_CITE = f"""
UNWIND $rows AS row MATCH (a:Paper {{id: row[0]}}) MATCH (b:Paper {{id: row[1]}})
CREATE (a)-[:CITES {{origin: '{FROM_REFERENCES}'}}]->(b)
"""
_UNCITE = """
UNWIND $rows AS row MATCH (a:Paper {id: row[0]})
WITH a, row MATCH (a)-[c:CITES]->(b) WHERE b.id = row[1] AND c.origin IS NOT NULL DELETE c
"""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """The records of papers that are added, updated or removed, by their ids."""

    before: Mapping[str, Paper]
    after: Mapping[str, Paper]

    def pairs(self) -> Iterator[tuple[Paper, Paper]]:
        """Yield each as it was and as it is, without contents where it is not there."""
        for id_ in sorted(self.before.keys() | self.after.keys()):
            nothing = Paper(id_, "")
            yield self.before.get(id_, nothing), self.after.get(id_, nothing)


def put_people(connection: Connection, change: RecordChange | None) -> None:
    """Make the authors of the papers that there are the people that there are.

    Only those whom a change may concern are looked at, if it is given.
    """
    read = connection.read
    if change is None:
        found = people(_authors(read(_ALL + _NAMED)))
        held = {row["own"]["id"]: row["own"] for row in read(_PEOPLE)}
        wrote = read(_ALL_WROTE + _WROTE)
    else:
        names, papers = _reached(read, change)
        if not names:
            return
        found = people(papers.items(), names)
        held = _people_called(read, names)
        wrote = read(_SOME_WROTE + _WROTE, ids=list(held))
    if not (found or held):
        return
    wanted = {person.id: person_properties(person) for person, _ in found}
    changed = [
        [id_, own] for id_, own in wanted.items() if _known({"id": id_, **own}) != held.get(id_)
    ]
    before = {(row["author"], row["paper"], row["place"]) for row in wrote}
    after = {(person.id, each.paper, each.place) for person, own in found for each in own}
    _write(connection, _UNWRITE, sorted(before - after))
    for batch in batched(changed, _BATCH):
        connection.write(partial(_put, rows=batch))
    _write(connection, _WRITE, sorted(after - before))
    for gone in batched(sorted(held.keys() - wanted.keys()), _BATCH):
        connection.write(partial(remove_nodes, label="Author", ids=gone))


def _reached(read: Read, change: RecordChange) -> tuple[set[str], dict[str, list[Author]]]:
    """Return the names (keys) and papers whom a change may concern, the papers with their authors.

    They are connected by names and ids: who two authors are depends on nothing else but the names
    of their co-authors.
    """
    names, seen, papers = set[str](), set[str](), dict[str, list[Author]]()
    waiting = [
        author
        for before, after in change.pairs()
        if before.authors != after.authors
        for author in (*before.authors, *after.authors)
    ]
    while waiting:
        names.update(key_of_name(each.name) for each in waiting)
        ties = {tie for each in waiting for tie in author_ties(each)} - seen
        seen |= ties
        new = {paper for paper, _ in tied(read, RecordTie.IS_BY, ties)} - papers.keys()
        papers |= _authors(read(_SOME + _NAMED, ids=sorted(new)))
        waiting = [
            author
            for own in papers.values()
            for author in own
            if not (own_ties := author_ties(author)).isdisjoint(seen) and own_ties - seen
        ]
    return names, papers


def _people_called(read: Read, names: set[str]) -> dict[str, dict[str, Any]]:
    """Return the properties of those who have some names (keys), by their ids."""
    rows = read(_CALLED, names=list(names))
    return {
        own["id"]: own
        for own in (row["own"] for row in rows)
        if not names.isdisjoint(map(key_of_name, (own["name"], *own["other_names"])))
    }


def _authors(rows: Iterable[Any]) -> Iterator[tuple[str, list[Author]]]:
    for row in rows:
        listed = authors(row["names"], row["orcids"], row["affiliations"], row["ids"])
        yield row["id"], list(listed)


def _put(transaction: ManagedTransaction, rows: Sequence[Any]) -> None:
    restore_nodes(transaction, "Author", [id_ for id_, _ in rows])
    transaction.run(_PUT, rows=rows)


def put_citations(connection: Connection, change: RecordChange | None) -> None:
    """Make the citations between the papers that there are those which references come to.

    Only those that a change may concern are looked at, if it is given.
    """
    read = connection.read
    if change is None:
        citing = read(_ALL + _CITING)
        named = identifiers(read) if citing else iter(())
    else:
        citing = read(_SOME + _CITING, ids=_citing(read, change))
        keys = {key for _, own in _references(citing) for key in own}
        named = iter(tied(read, RecordTie.GOES_BY, keys))
    before = {(row["id"], cited) for row in citing for cited in row["cites"]}
    after = set(citations(named, _references(citing)))
    _write(connection, _UNCITE, sorted(before - after))
    _write(connection, _CITE, sorted(after - before))


def _citing(read: Read, change: RecordChange) -> list[str]:
    """Return the papers that may cite others than before a change."""
    found, keys = set[str](), set[str]()
    for before, after in change.pairs():
        if before.references or after.references:
            found.add(after.id)
        keys |= {*keys_of(before)} ^ {*keys_of(after)}
    return sorted(found.union(paper for paper, _ in tied(read, RecordTie.REFERS_TO, keys)))


def identifiers(read: Read) -> Iterator[tuple[str, str]]:
    """Yield the keys of papers (ids)."""
    for row in read(_IDENTIFIED):
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
        for each in row["references"] or ():
            yield row["id"], keys_of_reference(Reference.parse(each))


def _write(connection: Connection, cypher: str, rows: Sequence[Sequence[Any]]) -> None:
    for batch in batched([list(row) for row in rows], _BATCH):
        connection.put(cypher, rows=batch)


def _known(own: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in own.items() if value is not None}
