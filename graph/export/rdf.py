"""The formats of RDF: N-Quads and N-Triples, Turtle and TriG, JSON-LD.

Named graphs come in the order of their names, each as sorted lines of N-Triples: the same graph
gives the same bytes, and memory does not grow with it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import pyoxigraph as ox

from stemma.graph.export.portion import Portion
from stemma.graph.rdf.vocabulary import PREFIXES, term
from stemma.graph.store import StoreError
from stemma.schema.name import ENTITY, PAPER

_ABSTRACT = term("schema:abstract").encode()
_REPEATED = {term(each).encode() for each in ("cito:cites", "stemma:derivesFrom")}


class NamedGraphs:
    """The graphs of a portion, by name. Raises StoreError where the store keeps no RDF."""

    def __init__(self, portion: Portion) -> None:
        dataset = portion.reader.dataset
        if dataset is None:
            raise StoreError(
                "This graph is in Neo4j, and has no RDF: export it from the local store that was "
                "pushed there (--store stemma.db)."
            )
        self._portion, self._dataset, self.base = portion, dataset, dataset.base
        self._excerpt: _Excerpt | None = None
        self._papers: list[str] | None = None
        if portion.works is not None:
            self._papers = sorted(id_ for id_ in portion.works if id_.startswith(PAPER))
            self._excerpt = _Excerpt(self.base, portion.works)

    def __iter__(self) -> Iterator[tuple[str, list[bytes]]]:
        total = len(self._papers or ()) or self._portion.reader.statistics().papers
        done = 0
        for name, whole in self._dataset.graphs(self._papers, self._portion.full):
            lines = self._excerpt.of(whole) if self._excerpt else whole
            if not self._portion.abstracts:
                lines = [line for line in lines if _predicate(line) != _ABSTRACT]
            if lines:
                yield name, sorted(lines)
            if name.startswith(self.base + PAPER):
                done += 1
                self._portion.progress(done, total)

    def union(self) -> Iterator[list[bytes]]:
        """Yield the lines of the graphs, graph by graph, without repeating a line.

        Several graphs may state the same edge of lineage, if several papers support it, and the
        same citation, which follows from references and from statements.
        """
        seen = set[int]()
        for _, lines in self:
            new = []
            for line in lines:
                if _predicate(line) in _REPEATED:
                    known = hash(line)
                    if known in seen:
                        continue
                    seen.add(known)
                new.append(line)
            if new:
                yield new


def _predicate(line: bytes) -> bytes:
    return line.split(b" ", 2)[1]


class _Excerpt:
    """Picks lines of N-Triples: of chosen works, of how they relate to each other, of runs.

    Lines that also mention another work are left out, so that no link leads out of the excerpt.
    """

    def __init__(self, base: str, works: Collection[str]) -> None:
        self._works = {f"<{base}{id_}>".encode() for id_ in works}
        self._any_work = tuple(f"<{base}{prefix}".encode() for prefix in (ENTITY, PAPER))
        self._run = f"<{base}run/".encode()

    def of(self, lines: Iterable[bytes]) -> list[bytes]:
        """Return those of the lines of one graph that belong to the excerpt."""
        triples: dict[bytes, list[tuple[bytes, bytes]]] = defaultdict(list)
        for line in lines:
            subject, _, rest = line.split(b" ", 2)
            triples[subject].append((rest[:-3], line))
        wanted = [subject for subject, own in triples.items() if self._begins(subject, own)]
        reached = set(wanted)
        while wanted:
            for value, _ in triples[wanted.pop()]:
                if value in triples and value not in reached and not self._is_work(value):
                    reached.add(value)
                    wanted.append(value)
        return [
            line
            for subject in reached
            for value, line in triples[subject]
            if value in self._works or not self._is_work(value)
        ]

    def _begins(self, subject: bytes, own: list[tuple[bytes, bytes]]) -> bool:
        """Return whether to go on from a resource: a work, a run, or what relates works."""
        if subject in self._works or subject.startswith(self._run):
            return True
        if self._is_work(subject) or not subject.startswith(self._any_work):
            return False
        works = [value for value, _ in own if self._is_work(value)]
        return bool(works) and self._works.issuperset(works)

    def _is_work(self, term: bytes) -> bool:
        return term.startswith(self._any_work) and b"#" not in term


_WITH_PATHS = re.compile(r"https?://[^/?#]+/([^?#]*/)?")
"""Bases of data that relative IRIs can be resolved against."""


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
    return _shortened(graphs.base, ox.RdfFormat.TURTLE, map(_triples, graphs.union()))


def trig(portion: Portion) -> Iterator[bytes]:
    """Write the graph in TriG, one named graph after the other."""
    graphs = NamedGraphs(portion)
    parts = (_named(name, lines) for name, lines in graphs)
    return _shortened(graphs.base, ox.RdfFormat.TRIG, parts)


def jsonld(portion: Portion) -> Iterator[bytes]:
    """Write the graph in expanded JSON-LD, one named graph on each line."""
    separator = b"[\n"
    for name, lines in NamedGraphs(portion):
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
    base: str, format: ox.RdfFormat, parts: Iterable[Iterable[ox.Triple] | Iterable[ox.Quad]]
) -> Iterator[bytes]:
    """Write a graph part by part, with IRIs shortened by prefixes, and by the base of the data if
    it has a path."""
    base_iri = base if _WITH_PATHS.fullmatch(base) else None
    head = [f"@base <{base_iri}> .\n"] if base_iri else []
    head += [f"@prefix {short}: <{full}> .\n" for short, full in sorted(PREFIXES.items())]
    yield "".join(head).encode()
    for part in parts:
        data = ox.serialize(part, format=format, prefixes=PREFIXES, base_iri=base_iri)
        yield (data or b"").split(b"\n", len(head))[-1]  # The serializer writes it as well.
