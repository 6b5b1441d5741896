"""Cypher: questions in the language of Neo4j, to any store."""

import json
from collections.abc import Callable, Mapping

from stemma.graph import StoreError, open_store
from stemma.graph.cypher.value import Answer, Node, Path, Relationship, Value

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
    _check_text(query, parameters or {})
    with open_store(url) as store:
        return store.cypher(query, parameters or {}, write, progress)


def _check_text(query: str, parameters: Mapping[str, Value]) -> None:
    try:
        json.dumps([query, parameters], ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise StoreError(
            "The query is not valid text: it has bytes that are not UTF-8, or a lone surrogate."
        ) from None
