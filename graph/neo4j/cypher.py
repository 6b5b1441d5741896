"""Cypher: questions of users to the database that a graph was pushed to."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import neo4j
from neo4j.exceptions import Neo4jError

from stemma.graph.neo4j.connection import READING_SECONDS, WRITING_SECONDS, store_errors
from stemma.graph.neo4j.store import Neo4jStore
from stemma.graph.store import Store, StoreError

_NO_WRITING = "Neo.ClientError.Statement.AccessMode"
_COUNTED = neo4j.SummaryCounters.__annotations__
"""The names of what a server counts."""
_YOURS = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.")


@dataclass(frozen=True, slots=True)
class CypherAnswer:
    """The names of columns, rows of values as the driver has them, and how many of what were
    written: ``nodes_created``."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    written: Mapping[str, int]


def ask(
    store: Store, query: str, parameters: Mapping[str, Any], write: bool = False
) -> CypherAnswer:
    """Ask a graph in Neo4j in Cypher; without `write`, nothing can be changed.

    It is asked in a transaction of its own, which a server of a cluster that may only read can
    take. Raises StoreError for whatever goes wrong, in the server's own words where it is the
    query, and for a store in a file.
    """
    try:
        json.dumps([query, parameters], ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise StoreError(
            "The query is not valid text: it has bytes that are not UTF-8, or a lone surrogate."
        ) from None
    if not isinstance(store, Neo4jStore):
        raise StoreError(
            f"{store.url} does not answer Cypher: push it to Neo4j (`stemma push neo4j://…`), and "
            "query that with --store neo4j://…; or use `stemma sparql`."
        )
    access = neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS
    seconds = WRITING_SECONDS if write else READING_SECONDS
    connection = store.connection
    with store_errors(connection.address), connection.session(access) as session:
        try:
            result = session.run(neo4j.Query(query, timeout=seconds), dict(parameters))
            columns = result.keys()
            rows = [record.values() for record in result]
            counters = vars(result.consume().counters)
        except OverflowError as error:
            raise StoreError("An integer exceeds Neo4j's 64-bit integer range.") from error
        except Neo4jError as error:
            code = error.code or ""
            if code == _NO_WRITING:
                raise StoreError(
                    "This query would change the graph: add --write to allow it."
                ) from error
            if code.startswith(_YOURS):
                raise StoreError(str(error.message)) from error
            raise
    written = {name: counters[name] for name in _COUNTED if counters.get(name)}
    return CypherAnswer(columns, rows, written)
