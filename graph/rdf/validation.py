"""Validation: what in a graph breaks the shapes of ``schema/shapes.ttl``, in words.

pySHACL takes long over large graphs, so it is given papers and entities in turn, with the types of
what they link to elsewhere. Constraints in SPARQL are about the whole graph: Oxigraph answers them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import pyoxigraph as ox
import rdflib
from pyshacl import validate
from rdflib.namespace import SH

from stemma.graph.rdf.vocabulary import PREFIXES, expanded, shortened
from stemma.schema.namespace import SHAPES_FILE

_TRIPLES_AT_ONCE = 4000
_TYPE = ox.NamedNode(expanded("rdf:type"))
_EVIDENCE = rdflib.URIRef(expanded("stemma:evidence"))
_TARGETS = (SH.targetClass, SH.targetObjectsOf, SH.targetSubjectsOf)
_RESULT = (SH.focusNode, SH.resultPath, SH.value, SH.resultMessage)

Progress = Callable[[int, int], None]
"""Called with the number of papers and entities that were checked, and of all."""


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """What is wrong: a node, one of its properties and values where it is about one, and why."""

    node: str
    property: str
    value: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.property} {self.value}".strip()
        return f"{self.node}{': ' if place else ''}{place}: {self.reason}"


def violations(rdf: ox.Store, progress: Progress = lambda done, total: None) -> Iterator[Violation]:
    """Yield what breaks the shapes in a graph, whose named graphs are taken as one, in a stable
    order."""
    parts = _documents(rdf)
    yield from sorted(_asked(rdf))
    batch: list[ox.Quad] = []
    for done, subjects in enumerate(parts.values(), start=1):
        for subject in subjects:
            batch += rdf.quads_for_pattern(subject, None, None, None)
        if len(batch) >= _TRIPLES_AT_ONCE or done == len(parts):
            yield from _checked(rdf, batch)
            progress(done, len(parts))
            batch = []


def _checked(rdf: ox.Store, quads: list[ox.Quad]) -> list[Violation]:
    data = rdflib.Graph()
    _add(data, quads)
    nodes = {*data.subjects(), *data.objects(None, _EVIDENCE)}
    _add(data, _context(rdf, quads))
    _, report, _ = validate(data, shacl_graph=_shapes()[0], inplace=True)
    return sorted({violation for node, violation in _violations(report) if node in nodes})


def _context(rdf: ox.Store, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the types of what these quads link to elsewhere in the graph."""
    subjects = {quad.subject for quad in quads}
    for node in {quad.object for quad in quads if isinstance(quad.object, ox.NamedNode)} - subjects:
        yield from rdf.quads_for_pattern(node, _TYPE, None, None)


def _asked(rdf: ox.Store) -> Iterator[Violation]:
    """Yield what breaks the constraints in SPARQL."""
    for query, reason in _shapes()[1]:
        rows = rdf.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
        assert isinstance(rows, ox.QuerySolutions)
        has_path = "path" in {variable.value for variable in rows.variables}
        for row in rows:
            node, path = row["value"].value, row["path"].value if has_path else ""
            yield Violation(shortened(node), shortened(path), "", reason)


@cache
def _shapes() -> tuple[rdflib.Graph, list[tuple[str, str]]]:
    """Return the shapes without their constraints in SPARQL, and these with their messages."""
    shapes = rdflib.Graph().parse(SHAPES_FILE, format="turtle")
    queries = [
        (str(shapes.value(node, SH.select)), str(shapes.value(node, SH.message)))
        for node in shapes.objects(None, SH.sparql)
    ]
    shapes.remove((None, SH.sparql, None))
    _spread_targets(shapes)
    return shapes, queries


def _documents(rdf: ox.Store) -> dict[str, list[ox.NamedNode]]:
    """Return the subjects of a graph by their IRIs without the fragments, both in order."""
    subjects = {quad.subject for quad in rdf if isinstance(quad.subject, ox.NamedNode)}
    documents: dict[str, list[ox.NamedNode]] = {}
    for subject in sorted(subjects, key=str):
        documents.setdefault(subject.value.partition("#")[0], []).append(subject)
    return documents


def _spread_targets(shapes: rdflib.Graph) -> None:
    """Give the properties of each shape its targets, in place of it: the same is asked of a graph.

    pySHACL checks a property that a shape has node by node, and one that has targets at once.
    """
    targets = [triple for kind in _TARGETS for triple in shapes.triples((None, kind, None))]
    for shape, kind, target in targets:
        for node in shapes.objects(shape, SH.property):
            shapes.add((node, kind, target))
    for shape, _, _ in targets:
        shapes.remove((shape, SH.property, None))


def _add(data: rdflib.Graph, quads: Iterable[ox.Quad]) -> None:
    triples = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES)
    data.parse(data=triples, format="nt")


def _violations(report: rdflib.Graph) -> Iterator[tuple[object, Violation]]:
    """Yield what is reported, each with its node as rdflib has it."""
    for result in report.subjects(rdflib.RDF.type, SH.ValidationResult):
        node, path, value, reason = (report.value(result, ref) for ref in _RESULT)
        yield (
            node,
            Violation(
                _short(node),
                "" if isinstance(path, rdflib.BNode) else _short(path),
                "" if value == node else _short(value),
                str(reason),
            ),
        )


def _short(term: object) -> str:
    if term is None:
        return ""
    if isinstance(term, rdflib.Literal):
        return f'"{term}"' if term.datatype is None else str(term)
    return shortened(str(term))
