"""Literals of Cypher: values as they are written in a statement."""

import json
from collections.abc import Iterable, Mapping
from typing import Any


def literal(value: Any) -> str:
    r"""Return a text, number, truth value, or list of these, as a literal.

    It is what JSON writes, in ASCII alone: quotes, backslashes and line ends are escaped, and so
    is whatever a shell may take to be in another encoding. Neo4j reads ``\u005C`` and its like
    before anything else, but not behind a backslash, and each one in a text is doubled.
    """
    return json.dumps(value)


def map_literal(properties: Mapping[str, Any]) -> str:
    """Return properties, whose names need no quotes, as a map."""
    return "{" + ", ".join(f"{name}: {literal(value)}" for name, value in properties.items()) + "}"


def list_literal(rows: Iterable[str]) -> str:
    """Return a list of what are literals already, each on a line of its own."""
    return "[\n" + ",\n".join(rows) + "\n]"
