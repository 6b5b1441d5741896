"""Comparisons: what a sentence says of a contribution as against an entity that it names."""

from stemma.extract.comparison.compare import compare

__all__ = ["compare"]
