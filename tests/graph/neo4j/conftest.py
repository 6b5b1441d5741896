"""A local store with two papers, what pushes it, and what reads it in Neo4j."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

import pushed
from described import described
from filled import put
from stemma.graph import Store, open_store
from stemma.graph.neo4j.push import Pushed
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction


@pytest.fixture
def papers() -> list[Extraction]:
    return described("""
        Quill: a Store (2021-04) | We present Quill. It runs on A100. Quill extends ZeRO.
            | framework Quill: INTRODUCES 0.95 | hardware A100: RUNS_ON
            | technique ZeRO: BUILDS_ON 0.8
        Nib: two | Nib extends Quill. Nib beats Ink. | model Nib: INTRODUCES
            | framework Quill: BUILDS_ON 0.5 | framework Ink: COMPARES_WITH
    """)


@pytest.fixture
def filled(store: SqliteStore, papers: list[Extraction]) -> SqliteStore:
    """The local store with the papers."""
    put(store, *papers)
    return store


@pytest.fixture
def push(store: SqliteStore, neo4j_url: str) -> Callable[..., Pushed]:
    """Push the local store to an empty database, or once more."""
    return partial(pushed.push, store, neo4j_url)


@pytest.fixture
def there(neo4j_url: str) -> Iterator[Store]:
    """The graph in Neo4j."""
    with open_store(neo4j_url) as opened:
        yield opened
