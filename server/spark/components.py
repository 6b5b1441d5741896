"""Connected components of a graph that is larger than a machine.

By alternating stars (Kiveris and others, "Connected Components in MapReduce and Beyond", 2014): it
takes about as many rounds as the logarithm of the number of nodes, and each node meets only its
neighbours. Resilient distributed datasets have no adaptive execution, under which such rounds have
come out wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

from pyspark import StorageLevel

if TYPE_CHECKING:
    from pyspark import RDD

    Edges: TypeAlias = RDD[tuple[str, str]]


def connected_components(edges: Edges) -> Edges:
    """Return the component of each node that `edges` name: its least node, by code points.

    Edges have no direction. A node of its own, such as ("a", "a"), is in no edge of the result.
    """
    edges = edges.filter(lambda edge: edge[0] != edge[1]).distinct()
    before = None
    while True:
        edges = _small_star(_large_star(edges)).persist(StorageLevel.MEMORY_AND_DISK)
        if (now := _checksum(edges)) == before:
            break
        before = now
    return edges.flatMap(lambda edge: (edge, (edge[1], edge[1]))).distinct()


def _large_star(edges: Edges) -> Edges:
    """Connect the greater neighbours of each node with the least of all its neighbours."""
    both = edges.flatMap(lambda edge: (edge, edge[::-1]))
    return both.groupByKey().flatMap(lambda each: _towards_least(*each, greater=True)).distinct()


def _small_star(edges: Edges) -> Edges:
    """Connect each node, and its lesser neighbours, with the least of these."""
    down = edges.map(lambda edge: (max(edge), min(edge)))
    return down.groupByKey().flatMap(lambda each: _towards_least(*each, greater=False)).distinct()


def _towards_least(
    node: str, neighbours: Iterable[str], *, greater: bool
) -> Iterator[tuple[str, str]]:
    near = set(neighbours)
    least = min(node, *near)
    for each in near | {node}:
        if each != least and (each > node or not greater):
            yield each, least


def _checksum(edges: Edges) -> tuple[int, int]:
    """Return what differs, all but certainly, for other edges."""

    def code(edge: tuple[str, str]) -> int:
        return crc32("\0".join(edge).encode("utf-8", "surrogatepass"))

    return edges.map(lambda edge: (1, code(edge))).fold((0, 0), _added)


def _added(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] + b[0], a[1] + b[1]
