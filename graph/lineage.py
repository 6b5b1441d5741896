"""Lineage: what came of a work, or what it came from, step by step."""

from dataclasses import dataclass

from stemma.graph.store import LineageDirection, LineageEdge, Work
from stemma.schema import PartialDate


@dataclass(frozen=True, slots=True)
class LineageNode:
    """A work on a lineage, `depth` steps from the root (1 at the least), and when it was published.

    An entity is published with the earliest paper that introduces it.
    """

    work: Work
    depth: int
    published: PartialDate | None


@dataclass(frozen=True, slots=True)
class Lineage:
    """The answer to "what builds on `root`" or "what does `root` build on".

    `nodes` are ordered by depth, date and id; `edges` are those among the root and the nodes
    returned. `truncated` tells that more nodes follow `end_cursor`.
    """

    root: Work
    direction: LineageDirection
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    truncated: bool
    end_cursor: str | None
