"""Graphs in Neo4j that were pushed there from a local store."""

from pathlib import Path

from stemma.graph import Store, open_store
from stemma.graph.neo4j import Address, Neo4jStore
from stemma.graph.neo4j.push import Pushed
from stemma.server.build import load


def push(store: Store, url: str, prefix: str = "", full: bool = False) -> Pushed:
    """Push the graph of a local store to the database at `url`."""
    with Neo4jStore(Address.parse(url), prefix) as target, store.snapshot() as reader:
        return target.push(reader, full)


def push_extractions(file: Path, folder: Path, url: str) -> None:
    """Load the extractions of a file into a new store in a folder, and push that."""
    with open_store(str(folder / "pushed.db")) as store:
        load(store, [file])
        push(store, url)
