"""Graphs in Neo4j that were pushed there from a local store."""

from typing import Any

from stemma.graph import Store
from stemma.graph.neo4j import Address, Neo4jStore
from stemma.graph.neo4j import push as pushing


def push(store: Store, url: str, prefix: str = "", **how: Any) -> pushing.Pushed:
    """Push the graph of a local store to the database at `url`."""
    with Neo4jStore(Address.parse(url), prefix) as target, store.snapshot() as reader:
        return pushing.push(reader, target.connection, **how)
