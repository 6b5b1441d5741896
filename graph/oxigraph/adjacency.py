"""Adjacency: the lineage edges of a generation in memory, for traversal in microseconds."""

from collections.abc import Collection, Iterable

from stemma.graph.said import Said, let_through
from stemma.graph.store import LineageDirection
from stemma.schema import RelationType

Row = tuple[str, str, str, str, float]
"""Subject, child, parent, relation, confidence."""


class Adjacency:
    """What is said of each edge, by either end."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._children: dict[str, dict[str, list[Said]]] = {}
        self._parents: dict[str, dict[str, list[Said]]] = {}
        for subject, child, parent, relation, confidence in rows:
            said = Said(subject, RelationType(relation), confidence, subject.startswith("entity/"))
            edge = self._children.setdefault(parent, {}).setdefault(child, [])
            edge.append(said)
            self._parents.setdefault(child, {})[parent] = edge

    def around(
        self,
        id_: str,
        direction: LineageDirection,
        relations: Collection[RelationType],
        min_confidence: float,
        include_catalogue: bool,
    ) -> dict[str, list[Said]]:
        """Return the far ends of a work's edges in order, each with what is said of the edge."""
        ends = self._children if direction is LineageDirection.DESCENDANTS else self._parents
        found = {}
        for end, edge in sorted(ends.get(id_, {}).items()):
            said = let_through(edge, relations, min_confidence, include_catalogue)
            if said:
                found[end] = said
        return found
