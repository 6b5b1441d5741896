"""Edges of lineage in words."""

from collections.abc import Mapping

from stemma.graph import LineageEdge
from stemma.schema import RelationType


def said(edge: LineageEdge, wording: Mapping[RelationType, str] | None = None) -> str:
    """Return the relations of an edge in words; of several, each with its own confidence.

    "builds on", or "builds on (0.26) and improves on (0.71)". `wording` has other words for them.
    """
    told = {relation: (wording or {}).get(relation, relation.words) for relation in edge.relations}
    if len(told) == 1:
        return told[edge.relations[0]]
    return " and ".join(f"{told[each]} ({sure:.2f})" for each, sure in edge.confidences.items())
