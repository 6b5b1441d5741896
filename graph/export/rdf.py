"""The formats of RDF: N-Quads and N-Triples, Turtle and TriG, JSON-LD.

Named graphs come in the order of their names, each as sorted lines of N-Triples: the same graph
gives the same bytes, and memory does not grow with it.
"""

import re
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from stemma.graph.export.portion import Portion
from stemma.graph.rdf.vocabulary import PREFIXES, term
from stemma.graph.store import StoreError
from stemma.schema.name import PAPER

_ABSTRACT = term("schema:abstract").encode()
_REPEATED = {term(name).encode() for name in ("cito:cites", "stemma:derivesFrom")}


def _named_graphs(portion: Portion) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the named graphs, with their names (IRIs) and sorted lines.

    Raises StoreError where the store keeps no RDF, and for one lineage alone.
    """
    reader, done = portion.reader, 0
    if reader.dataset is None:
        raise StoreError(
            "This graph is in Neo4j, and has no RDF: export it from the local store that was "
            "pushed there (--store stemma.db)."
        )
    if portion.works is not None:
        raise StoreError(
            "RDF holds a whole graph: export a lineage as .graphml or .csv, or choose triples by "
            "`stemma sparql 'CONSTRUCT …'`."
        )
    total = reader.statistics().papers
    for name, lines in reader.dataset.graphs(portion.full):
        kept = lines if portion.abstracts else (x for x in lines if _predicate(x) != _ABSTRACT)
        yield name, sorted(kept)
        if name.startswith(reader.base + PAPER):
            done += 1
            portion.progress(done, total)


def _union(portion: Portion) -> Iterator[list[bytes]]:
    """Yield the lines of the graphs, graph by graph, without repeating a line.

    Several graphs may state the same edge of lineage, if several papers support it, and the same
    citation, which follows from references and from statements.
    """
    seen = set[int]()
    for _, lines in _named_graphs(portion):
        repeated = {line for line in lines if _predicate(line) in _REPEATED}
        yield [line for line in lines if line not in repeated or hash(line) not in seen]
        seen.update(map(hash, repeated))


def _predicate(line: bytes) -> bytes:
    return line.split(b" ", 2)[1]


_WITH_PATHS = re.compile(r"https?://[^/?#]+/([^?#]*/)?")
"""Bases of data that relative IRIs can be resolved against."""


def nquads(portion: Portion) -> Iterator[bytes]:
    """Write each triple with the name of its graph."""
    for name, lines in _named_graphs(portion):
        # Line breaks within texts are escaped: only a line ends in this way.
        yield b"".join(lines).replace(b" .\n", f" <{name}> .\n".encode())


def ntriples(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    return map(b"".join, _union(portion))


def turtle(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    return _shortened(portion, ox.RdfFormat.TURTLE, map(_triples, _union(portion)))


def trig(portion: Portion) -> Iterator[bytes]:
    """Write the graph in TriG, one named graph after the other."""
    parts = (_named(name, lines) for name, lines in _named_graphs(portion))
    return _shortened(portion, ox.RdfFormat.TRIG, parts)


def jsonld(portion: Portion) -> Iterator[bytes]:
    """Write the graph in expanded JSON-LD, one named graph on each line."""
    separator = b"[\n"
    for name, lines in _named_graphs(portion):
        graph = ox.serialize(_named(name, lines), format=ox.RdfFormat.JSON_LD) or b""
        yield separator + graph.removeprefix(b"[").removesuffix(b"]")
        separator = b",\n"
    yield b"\n]\n"


def _named(name: str, lines: list[bytes]) -> Iterator[ox.Quad]:
    graph = ox.NamedNode(name)
    for triple in _triples(lines):
        yield ox.Quad(triple.subject, triple.predicate, triple.object, graph)


def _triples(lines: list[bytes]) -> Iterator[ox.Triple]:
    """Parse lines of N-Triples."""
    for quad in ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES):
        yield quad.triple


def _shortened(
    portion: Portion, format: ox.RdfFormat, parts: Iterable[Iterable[ox.Triple] | Iterable[ox.Quad]]
) -> Iterator[bytes]:
    """Write a graph part by part, with IRIs shortened by prefixes, and by the base of the data if
    it has a path."""
    base = portion.reader.base
    base_iri = base if _WITH_PATHS.fullmatch(base) else None
    head = [f"@base <{base_iri}> .\n"] if base_iri else []
    head += [f"@prefix {short}: <{full}> .\n" for short, full in sorted(PREFIXES.items())]
    yield "".join(head).encode()
    for part in parts:
        data = ox.serialize(part, format=format, prefixes=PREFIXES, base_iri=base_iri)
        yield (data or b"").split(b"\n", len(head))[-1]  # The serializer writes it as well.
