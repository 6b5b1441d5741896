"""The ties of records: what papers go by, whom they are by, and what their references name.

They lead from readings to the nodes that ties of names have as well::

    (:_StemmaReading)-[:_GOES_BY|_REFERS_TO|_IS_BY]->(:_StemmaTie {code})
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

from neo4j import ManagedTransaction

from stemma.graph.linking.keys import code_of
from stemma.graph.linking.people import key_of_name
from stemma.graph.linking.references import keys_of, keys_of_reference
from stemma.graph.neo4j.connection import Read
from stemma.schema.paper import Author, Paper


class RecordTie(StrEnum):
    """The sorts of ties, as the types of relationships."""

    GOES_BY = "_GOES_BY"
    REFERS_TO = "_REFERS_TO"
    IS_BY = "_IS_BY"


_TIED = """
UNWIND $codes AS code MATCH (t:_StemmaTie {{code: code}})
WITH code, t MATCH (t)<-[:{type}]-(n) RETURN code, n.paper AS paper
"""
_HELD = """
UNWIND $papers AS paper MATCH (n:_StemmaReading {paper: paper})
RETURN paper, [(n)-[r:_GOES_BY|_REFERS_TO|_IS_BY]->(t) | [type(r), t.code]] AS ties
"""
_ADD = """
UNWIND $rows AS row MATCH (n:_StemmaReading {{paper: row[0]}})
UNWIND row[1] AS code MERGE (t:_StemmaTie {{code: code}}) CREATE (n)-[:{type}]->(t)
"""
_CUT = """
UNWIND $rows AS row MATCH (n:_StemmaReading {{paper: row[0]}})
WITH n, row MATCH (n)-[r:{type}]->(t) WHERE t.code IN row[1] DELETE r
"""


def tied(read: Read, sort: RecordTie, keys: Collection[str]) -> list[tuple[str, str]]:
    """Return the papers (ids) that have ties to some keys, each with the key."""
    codes = {code_of(key): key for key in keys}
    rows = read(_TIED.format(type=sort.value), codes=list(codes)) if codes else ()
    return [(row["paper"], codes[row["code"]]) for row in rows]


def author_ties(author: Author) -> set[str]:
    """Return the keys that an author shares with those who may be the same person."""
    ids = (each for each in (author.orcid, author.id) if each)
    return {f"name {key_of_name(author.name)}", *(f"id {each}" for each in ids)}


def write_record_ties(
    transaction: ManagedTransaction, papers: Iterable[Paper], removed: Collection[str]
) -> set[int]:
    """Write the ties of papers whose readings are there, and take out those of others.

    Return the nodes (codes) that may have no ties any more.
    """
    wanted = {each.id: codes_of_record(each) for each in papers}
    for id_ in removed:
        wanted[id_] = {}
    held: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in transaction.run(_HELD, papers=list(wanted)):
        for type_, code in row["ties"]:
            held[row["paper"], type_].add(code)
    lost = set[int]()
    for sort in RecordTie:
        add, cut = list[list[Any]](), list[list[Any]]()
        for id_, codes in wanted.items():
            before, after = held[id_, sort.value], codes.get(sort, set())
            if after - before:
                add.append([id_, sorted(after - before)])
            if before - after:
                cut.append([id_, sorted(before - after)])
                lost |= before - after
        for cypher, rows in ((_CUT, cut), (_ADD, add)):
            if rows:
                transaction.run(cypher.format(type=sort.value), rows=rows)
    return lost


def codes_of_record(paper: Paper) -> Mapping[RecordTie, set[int]]:
    """Return the numbers of the nodes that a paper's record is tied to."""
    keys: dict[RecordTie, list[str]] = defaultdict(list)
    keys[RecordTie.GOES_BY] += keys_of(paper)
    for reference in paper.references:
        keys[RecordTie.REFERS_TO] += keys_of_reference(reference)
    for author in paper.authors:
        keys[RecordTie.IS_BY] += author_ties(author)
    return {sort: set(map(code_of, own)) for sort, own in keys.items()}
