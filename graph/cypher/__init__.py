"""Cypher: questions in the language of Neo4j, to any store."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stemma.graph import StoreError, open_store
from stemma.graph.sqlite import SqliteStore

Value = Any
"""None, bool, int, float, str, a list or map of values, or one of the classes below."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node; `id` identifies it within one result."""

    id: str
    labels: tuple[str, ...]
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship; `start` and `end` are ids of nodes."""

    id: str
    type: str
    start: str
    end: str
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes, and between each two of them a relationship, which may point backwards."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The names of columns, rows of values, and how much was written, by what was."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    written: Mapping[str, int]


__all__ = ["Answer", "Node", "Path", "Relationship", "Value", "ask"]


def ask(
    url: str,
    query: str,
    parameters: Mapping[str, Value] | None = None,
    write: bool = False,
    progress: Callable[[int], None] = lambda papers: None,
) -> Answer:
    """Ask the store at `url` in Cypher; without `write`, nothing can be changed.

    On Neo4j it is all of Cypher. A store in a file answers by an embedded database, for which
    the package ladybug is needed; `progress` is called with the number of papers copied so far.
    Raises StoreError where the question cannot be answered.
    """
    try:
        json.dumps([query, parameters], ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise StoreError(
            "The query is not valid text: it has bytes that are not UTF-8, or a lone surrogate."
        ) from None
    with open_store(url) as store:
        if isinstance(store, SqliteStore):
            if write:
                raise StoreError(
                    "Cypher can only write to a graph in Neo4j: change a store in a file with "
                    "`stemma build`, `stemma remove` and `stemma decide`."
                )
            from stemma.graph.cypher import embedded  # noqa: PLC0415 - loads what it needs alone

            with store.snapshot() as reader:
                return embedded.ask(reader, query, parameters or {}, progress)
        from stemma.graph.cypher import server  # noqa: PLC0415
        from stemma.graph.neo4j import Neo4jStore  # noqa: PLC0415

        assert isinstance(store, Neo4jStore)
        return server.ask(store.connection, query, parameters or {}, write)
