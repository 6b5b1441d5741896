"""Triples, of lines of N-Triples."""

from collections.abc import Iterator

import pyoxigraph as ox


def triples(lines: list[bytes]) -> Iterator[ox.Triple]:
    """Parse lines of N-Triples."""
    for quad in ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES):
        yield quad.triple
