"""Comparisons as resources of RDF: how a statement of COMPARES_WITH turned out."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

from stemma.graph.oxigraph.nquads import text, typed
from stemma.schema import Bound, Comparison, Direction
from stemma.schema.namespace import ONTOLOGY

COMPARISON = ONTOLOGY + "Comparison"
"""The class; each field of the model is a property of the same name."""
_NUMBERS = {"factor", "difference", "low", "high"}


def properties(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Yield the properties of a comparison, as IRIs and literals of N-Quads."""
    for each in fields(comparison):
        value = getattr(comparison, each.name)
        if value is not None:
            literal = typed(value, "double") if each.name in _NUMBERS else text(str(value))
            yield ONTOLOGY + each.name, literal


def read(own: Mapping[str, list[str]]) -> Comparison:
    """Make a comparison of the properties of its resource."""
    given = {
        each.name: own[ONTOLOGY + each.name][0]
        for each in fields(Comparison)
        if ONTOLOGY + each.name in own
    }
    numbers = {name: float(given[name]) for name in _NUMBERS & given.keys()}
    return Comparison(
        **numbers,
        unit=given.get("unit"),
        bound=Bound(given["bound"]) if "bound" in given else None,
        metric=given.get("metric"),
        direction=Direction(given["direction"]) if "direction" in given else None,
        condition=given.get("condition"),
    )
