"""Adjacency: the lineage edges of a generation in memory, for traversal in microseconds."""

from collections.abc import Iterable

from stemma.graph.filters import LineageFilter, Published
from stemma.graph.lineage_edge import Support
from stemma.graph.store import LineageDirection
from stemma.schema import RelationType

Row = tuple[str, str, str, str, float]
"""Subject, child, parent, relation, confidence."""


class Adjacency:
    """The support of each edge, by either end."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._children: dict[str, dict[str, list[Support]]] = {}
        self._parents: dict[str, dict[str, list[Support]]] = {}
        for subject, child, parent, relation, confidence in rows:
            support = Support(
                subject, RelationType(relation), confidence, subject.startswith("entity/")
            )
            edge = self._children.setdefault(parent, {}).setdefault(child, [])
            edge.append(support)
            self._parents.setdefault(child, {})[parent] = edge

    def around(
        self,
        id_: str,
        direction: LineageDirection,
        filter: LineageFilter,
        published: Published,
    ) -> dict[str, list[Support]]:
        """Return the far ends of a work's edges in order, each with the support of the edge."""
        ends = self._children if direction is LineageDirection.DESCENDANTS else self._parents
        found = {}
        for end, edge in sorted(ends.get(id_, {}).items()):
            support = filter.passing(edge, published)
            if support:
                found[end] = support
        return found
