"""Which edges of a picture are implied by others: those that its transitive reduction lacks."""

from collections.abc import Collection

from stemma.graph import LineageEdge

SURE = 0.5
"""The confidence from which an edge can imply others. Edges with less are drawn faint."""


def implied(edges: Collection[LineageEdge]) -> set[tuple[str, str]]:
    """Return the edges (child and parent) that chains of sure edges imply.

    If a derives from b and b from c, it is no news that a derives from c. All edges between works
    that derive from each other in a circle stay, as none of them follows from the others.
    """
    from networkx import (  # noqa: PLC0415 - slow to load
        DiGraph,
        condensation,
        descendants,
        transitive_reduction,
    )

    sure: DiGraph[str] = DiGraph(
        [(edge.child, edge.parent) for edge in edges if edge.confidence >= SURE]
    )
    circles = condensation(sure)
    circle: dict[str, int] = circles.graph["mapping"]
    reduced = transitive_reduction(circles)
    found = set()
    for edge in edges:
        child, parent = circle.get(edge.child), circle.get(edge.parent)
        if child is None or parent is None or child == parent:
            continue
        if edge.confidence >= SURE:
            follows = not reduced.has_edge(child, parent)
        else:
            follows = parent in descendants(circles, child)
        if follows:
            found.add((edge.child, edge.parent))
    return found
