"""Comparisons: what a sentence says about a contribution, compared with an entity that it names."""

from stemma.extract.comparison.component import compare

__all__ = ["compare"]
