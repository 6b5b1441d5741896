"""What builds added to the lineage, with the sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stemma.graph.history import Build
from stemma.graph.lineage_edge import LineageEdge
from stemma.graph.selection import LineageDirection
from stemma.graph.store import Reader, Work


@dataclass(frozen=True, slots=True)
class AddedEdges:
    """The edges of lineage that builds added and that are still there, by child and parent, and the
    works that they and their statements are about."""

    by_ends: Mapping[tuple[str, str], LineageEdge]
    works: Mapping[str, Work]


def edges_added(reader: Reader, builds: Iterable[Build], most: int) -> AddedEdges:
    """Read the first edges, at most `most` of each build, that builds added."""
    ends = {each for build in builds for each in build.edges.added.some[:most]}
    found = reader.lineage_edges(sorted({child for child, _ in ends}), LineageDirection.ANCESTORS)
    by_ends = {
        (edge.child, edge.parent): edge
        for edges in found.values()
        for edge in edges
        if (edge.child, edge.parent) in ends
    }
    named = {end for each in ends for end in each}
    named.update(each.subject for edge in by_ends.values() for each in edge.statements)
    return AddedEdges(by_ends, reader.works(sorted(named)))
