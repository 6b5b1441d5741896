"""What Cypher answers with, besides plain values: nodes, relationships and paths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
