"""The formats of RDF other than JSON-LD: N-Quads and N-Triples, Turtle and TriG."""

import re
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from stemma.graph.export.named_graph import NamedGraphs
from stemma.graph.export.portion import Portion
from stemma.graph.rdf.vocabulary import PREFIXES

_WITH_PATHS = re.compile(r"https?://[^/?#]+/([^?#]*/)?")


def nquads(portion: Portion) -> Iterator[bytes]:
    """Write each triple with the name of its graph."""
    for name, lines in NamedGraphs(portion):
        # Line breaks within texts are escaped: only a line ends in this way.
        yield b"".join(lines).replace(b" .\n", f" <{name}> .\n".encode())


def ntriples(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    for lines in NamedGraphs(portion).union():
        yield b"".join(lines)


def turtle(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    graphs = NamedGraphs(portion)
    page = _Page(graphs.base, ox.RdfFormat.TURTLE)
    yield page.head()
    for lines in graphs.union():
        yield page.body(triples(lines))


def trig(portion: Portion) -> Iterator[bytes]:
    """Write one graph after the other."""
    graphs = NamedGraphs(portion)
    page = _Page(graphs.base, ox.RdfFormat.TRIG)
    yield page.head()
    for name, lines in graphs:
        graph = ox.NamedNode(name)
        yield page.body(
            ox.Quad(triple.subject, triple.predicate, triple.object, graph)
            for triple in triples(lines)
        )


def triples(lines: list[bytes]) -> Iterator[ox.Triple]:
    """Parse lines of N-Triples."""
    for quad in ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES):
        yield quad.triple


class _Page:
    """Shortens IRIs by the base of the data, if it has a path, and by prefixes."""

    def __init__(self, base: str, format: ox.RdfFormat) -> None:
        self._base = base if _WITH_PATHS.fullmatch(base) else None
        self._format = format

    def head(self) -> bytes:
        """Return the base and the prefixes, in a fixed order."""
        head = [f"@base <{self._base}> ."] if self._base else []
        head += [f"@prefix {short}: <{full}> ." for short, full in sorted(PREFIXES.items())]
        return "".join(f"{line}\n" for line in head).encode()

    def body(self, graph: Iterable[ox.Triple] | Iterable[ox.Quad]) -> bytes:
        """Return what is in a graph, without the head that the serializer writes."""
        data = ox.serialize(graph, format=self._format, prefixes=PREFIXES, base_iri=self._base)
        return (data or b"").split(b"\n", len(PREFIXES) + bool(self._base))[-1]
