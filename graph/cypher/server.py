"""Cypher on a Neo4j server."""

from collections.abc import Mapping
from typing import Any

import neo4j
from neo4j import graph, spatial, time
from neo4j.exceptions import Neo4jError

from stemma.graph.cypher import CypherAnswer, Node, Path, Relationship, Value
from stemma.graph.neo4j.connection import READING_SECONDS, WRITING_SECONDS, Connection, store_errors
from stemma.graph.store import StoreError

_NO_WRITING = "Neo.ClientError.Statement.AccessMode"
_COUNTED = neo4j.SummaryCounters.__annotations__
"""The names of what a server counts."""
_YOURS = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.")


def ask(
    connection: Connection, query: str, parameters: Mapping[str, Value], write: bool
) -> CypherAnswer:
    """Ask in a transaction of its own, which a server of a cluster that may only read can take.

    Raises StoreError for whatever goes wrong, in the server's own words where it is the query.
    """
    access = neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS
    seconds = WRITING_SECONDS if write else READING_SECONDS
    with store_errors(connection.address), connection.session(access) as session:
        try:
            result = session.run(neo4j.Query(query, timeout=seconds), dict(parameters))
            columns = result.keys()
            rows = [[_value(each) for each in record.values()] for record in result]
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
    return CypherAnswer(
        columns, rows, {name: counters[name] for name in _COUNTED if counters.get(name)}
    )


def _value(value: Any) -> Value:  # noqa: PLR0911 - a case each
    match value:
        case graph.Node():
            return Node(value.element_id, tuple(sorted(value.labels)), _value(dict(value)))
        case graph.Relationship():
            start, end = (node.element_id if node else "" for node in value.nodes)
            return Relationship(value.element_id, value.type, start, end, _value(dict(value)))
        case graph.Path():
            return Path(tuple(map(_value, value.nodes)), tuple(map(_value, value.relationships)))
        case list():
            return [_value(each) for each in value]
        case dict():
            return {name: _value(each) for name, each in value.items()}
        case time.DateTime() | time.Date() | time.Time() | time.Duration():
            return value.iso_format()
        case spatial.Point():
            return {"srid": value.srid, "coordinates": list(value)}
        case bytes() | bytearray():
            return value.hex()
    return value
