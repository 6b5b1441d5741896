"""Comparisons as resources of RDF: how a statement of COMPARES_WITH turned out."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

import pyoxigraph as ox

from stemma.graph.rdf.nquads import text, typed
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


def read_all(rdf: ox.Store) -> dict[str, Comparison]:
    """Read all comparisons of a graph, by their IRIs: one pass for each property."""
    found: dict[str, dict[str, list[str]]] = {}
    for each in fields(Comparison):
        term = ox.NamedNode(ONTOLOGY + each.name)
        for quad in rdf.quads_for_pattern(None, term, None):
            subject, literal = quad.subject, quad.object
            if isinstance(subject, ox.NamedNode) and isinstance(literal, ox.Literal):
                found.setdefault(subject.value, {})[term.value] = [literal.value]
    return {iri: read(own) for iri, own in found.items()}


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
