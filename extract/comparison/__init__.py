"""Comparisons: what a sentence says of a contribution as against an entity that it names."""

from stemma.extract.comparison.reading import compare

__all__ = ["compare"]
