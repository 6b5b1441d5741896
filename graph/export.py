"""Exports: a graph as a file, in the formats of RDF.

Everything is written graph by graph in the order of their names, and sorted within each: the same
graph gives the same bytes, and memory does not grow with it. Formats that know no named graphs get
the union of all graphs.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, cast

import pyoxigraph as ox

from stemma.graph.oxigraph.reader import OxigraphReader
from stemma.graph.oxigraph.vocabulary import DERIVES_FROM, PREFIXES, TYPE, XSD
from stemma.graph.store import Reader, StoreError

_UNION_REPEATS = f"> <{DERIVES_FROM}> ".encode()
"""What several graphs may state: lineage edges, which more than one paper supports."""
_NOT_IN_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), "�")
_SHORT = sorted(((full, f"{short}:") for short, full in PREFIXES.items()), reverse=True)


class ExportFormat(StrEnum):
    """The formats that a graph can be exported in."""

    TURTLE = "turtle"
    NTRIPLES = "ntriples"
    NQUADS = "nquads"
    TRIG = "trig"
    JSONLD = "jsonld"
    RDFXML = "rdfxml"


Progress = Callable[[int, int], None]
"""Called with the number of graphs written, and of all graphs."""


def export(
    reader: Reader,
    format: ExportFormat,
    to: Path | IO[bytes],
    progress: Progress = lambda done, total: None,
) -> None:
    """Write the graph to a file, compressed if its name ends in ``.gz``, or to a binary stream.

    A file appears when it is complete. Raises StoreError where the store keeps no RDF, OSError
    where the file cannot be written.
    """
    if not isinstance(reader, OxigraphReader):
        raise StoreError("RDF is exported from an Oxigraph store; this graph is kept elsewhere.")
    with _opened(to) as out:
        for piece in _WRITERS[format](_Graphs(reader.rdf, progress)):
            out.write(piece)


@contextmanager
def _opened(to: Path | IO[bytes]) -> Iterator[IO[bytes]]:
    if not isinstance(to, Path):
        yield to
        return
    part = to.with_name(f".{to.name}.part")
    try:
        with part.open("wb") as file:
            if to.suffix == ".gz":
                # No name and no time: the same graph gives the same bytes.
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
                    yield cast(IO[bytes], compressed)
            else:
                yield file
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)


class _Graphs:
    """The graphs of a store, as sorted lines of N-Triples."""

    def __init__(self, rdf: ox.Store, progress: Progress) -> None:
        self._rdf, self._progress = rdf, progress

    def __iter__(self) -> Iterator[tuple[str, list[bytes]]]:
        names = sorted(str(name) for name in self._rdf.named_graphs())
        for done, name in enumerate(names, start=1):
            graph = ox.NamedNode(name[1:-1])
            data = self._rdf.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph) or b""
            if data:
                yield name, sorted(data.splitlines(keepends=True))
            self._progress(done, len(names))

    def union(self) -> Iterator[list[bytes]]:
        """Return the lines of each graph that no graph before had."""
        repeated = set[bytes]()
        for _, lines in self:
            new = []
            for line in lines:
                if _UNION_REPEATS in line:
                    if line in repeated:
                        continue
                    repeated.add(line)
                new.append(line)
            yield new


def _nquads(graphs: _Graphs) -> Iterator[bytes]:
    for name, lines in graphs:
        end = f" {name} .\n".encode()
        yield b"".join([line[:-3] + end for line in lines])


def _ntriples(graphs: _Graphs) -> Iterator[bytes]:
    for lines in graphs.union():
        yield b"".join(lines)


def _turtle(graphs: _Graphs) -> Iterator[bytes]:
    yield _turtle_prefixes()
    for lines in graphs.union():
        yield _without_prefixes(
            ox.serialize(_triples(lines), None, ox.RdfFormat.TURTLE, prefixes=PREFIXES)
        )


def _trig(graphs: _Graphs) -> Iterator[bytes]:
    yield _turtle_prefixes()
    for name, lines in graphs:
        graph = ox.NamedNode(name[1:-1])
        quads = (
            ox.Quad(triple.subject, triple.predicate, triple.object, graph)
            for triple in _triples(lines)
        )
        yield _without_prefixes(ox.serialize(quads, None, ox.RdfFormat.TRIG, prefixes=PREFIXES))


def _triples(lines: list[bytes]) -> Iterator[ox.Triple]:
    for quad in ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES):
        yield quad.triple


def _turtle_prefixes() -> bytes:
    return "".join(
        f"@prefix {short}: <{full}> .\n" for short, full in sorted(PREFIXES.items())
    ).encode()


def _without_prefixes(data: bytes | None) -> bytes:
    """Leave out the prefixes that the serializer writes first, in no fixed order."""
    return (data or b"").split(b"\n", len(PREFIXES))[-1]


def _rdfxml(graphs: _Graphs) -> Iterator[bytes]:
    names = " ".join(f'xmlns:{short}="{full}"' for short, full in sorted(PREFIXES.items()))
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF {names}>\n'.encode()
    for lines in graphs.union():
        triples = map(_fit_for_xml, _triples(lines))
        data = ox.serialize(triples, None, ox.RdfFormat.RDF_XML, prefixes=PREFIXES) or b""
        yield data.split(b"\n", 2)[2].removesuffix(b"</rdf:RDF>")
    yield b"</rdf:RDF>\n"


def _fit_for_xml(triple: ox.Triple) -> ox.Triple:
    """Replace the control characters that XML cannot hold."""
    value = triple.object
    if isinstance(value, ox.Literal) and (fit := value.value.translate(_NOT_IN_XML)) != value.value:
        return ox.Triple(triple.subject, triple.predicate, ox.Literal(fit, datatype=value.datatype))
    return triple


def _jsonld(graphs: _Graphs) -> Iterator[bytes]:
    context = json.dumps(dict(sorted(PREFIXES.items())), indent=1)
    yield f'{{"@context": {context},\n"@graph": ['.encode()
    separator = "\n"
    for name, lines in graphs:
        nodes: dict[str, dict[str, Any]] = defaultdict(dict)
        for triple in _triples(lines):
            subject = str(triple.subject)[1:-1]
            node = nodes.setdefault(subject, {"@id": subject})
            if triple.predicate.value == TYPE:
                node.setdefault("@type", []).append(_shortened(str(triple.object)[1:-1]))
            else:
                values = node.setdefault(_shortened(triple.predicate.value), [])
                values.append(_json_value(triple.object))
        graph = {"@id": name[1:-1], "@graph": list(nodes.values())}
        yield (separator + json.dumps(graph, ensure_ascii=False)).encode()
        separator = ",\n"
    yield b"\n]}\n"


def _json_value(term: object) -> str | dict[str, str]:
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        if datatype == f"{XSD}string":
            return term.value
        return {"@value": term.value, "@type": _shortened(datatype)}
    return {"@id": str(term)[1:-1]}


def _shortened(iri: str) -> str:
    for full, short in _SHORT:
        if iri.startswith(full):
            return short + iri.removeprefix(full)
    return iri


_WRITERS: dict[ExportFormat, Callable[[_Graphs], Iterator[bytes]]] = {
    ExportFormat.TURTLE: _turtle,
    ExportFormat.NTRIPLES: _ntriples,
    ExportFormat.NQUADS: _nquads,
    ExportFormat.TRIG: _trig,
    ExportFormat.JSONLD: _jsonld,
    ExportFormat.RDFXML: _rdfxml,
}
