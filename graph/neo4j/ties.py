"""The ties in a database: what connects the records of papers."""

from collections.abc import Collection, Iterable

from neo4j import ManagedTransaction

from stemma.distribution import version
from stemma.graph.neo4j.record_ties import write_record_ties
from stemma.schema import Paper

_LAYOUT = 2
"""The number of the layout of what is kept here: what another one wrote is made again."""
_FORGET_TIES = """
UNWIND $codes AS code MATCH (t:_StemmaTie {code: code}) WHERE NOT EXISTS { (t)--() } DELETE t
"""
REMOVE_TIES = """
MATCH (n:_StemmaUse|_StemmaTie) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS
"""


def layout_of(catalogue: str) -> str:
    """Return what ties depend on, besides the papers, given the fingerprint of a catalogue."""
    return f"{_LAYOUT} {version()} {catalogue}"


def write_ties(
    transaction: ManagedTransaction, papers: Iterable[Paper], removed: Collection[str] = ()
) -> None:
    """Write the ties of papers whose readings are there, and take out those of others (ids)."""
    if lost := write_record_ties(transaction, papers, removed):
        transaction.run(_FORGET_TIES, codes=sorted(lost))
