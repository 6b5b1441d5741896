"""Named graphs: what RDF formats are written of, one graph of a store after the other.

They come in the order of their names, each as sorted lines of N-Triples: the same graph gives the
same bytes, and memory does not grow with it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import pyoxigraph as ox

from stemma.graph.export.portion import Portion
from stemma.graph.rdf.citation_graph import BIBLIOGRAPHY, CITATIONS
from stemma.graph.rdf.dataset_graph import DATASET
from stemma.graph.rdf.entity_graph import CATALOGUE, ENTITIES
from stemma.graph.rdf.people_graph import AUTHORS
from stemma.graph.rdf.vocabulary import ABSTRACT, CITES, DERIVES_FROM, EXTRACTED_BY
from stemma.graph.store import StoreError
from stemma.schema.identifier import ENTITY, PAPER

_OF_ALL_PAPERS = (AUTHORS, CATALOGUE, CITATIONS, DATASET, ENTITIES, BIBLIOGRAPHY)
_ABSTRACT = f"<{ABSTRACT}>".encode()
_REPEATED = {f"<{each}>".encode() for each in (CITES, DERIVES_FROM)}
_EXTRACTED_BY = ox.NamedNode(EXTRACTED_BY)


class NamedGraphs:
    """The graphs of a portion, by name. Raises StoreError where the store keeps no RDF."""

    def __init__(self, portion: Portion) -> None:
        dataset = portion.reader.dataset
        if dataset is None:
            raise StoreError(
                "This graph is in Neo4j, and has no RDF: export it from the local store that was "
                "pushed there (--store stemma.db)."
            )
        self._portion = portion
        self._rdf, self.base = dataset.rdf, dataset.base
        self._excerpt = None
        if portion.works is not None:
            self._excerpt = _Excerpt(self._rdf, self.base, portion.works)

    def __iter__(self) -> Iterator[tuple[str, list[bytes]]]:
        names = self._names()
        for done, name in enumerate(names, start=1):
            data = self._rdf.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(name))
            lines = (data or b"").splitlines(keepends=True)
            if self._excerpt:
                lines = self._excerpt.of(lines)
            if not self._portion.abstracts:
                lines = [line for line in lines if _predicate(line) != _ABSTRACT]
            if lines:
                lines.sort()
                yield name, lines
            self._portion.progress(done, len(names))

    def _names(self) -> list[str]:
        if self._portion.works is None:
            return sorted(str(name)[1:-1] for name in self._rdf.named_graphs())
        ids = (*_OF_ALL_PAPERS, *(id_ for id_ in self._portion.works if id_.startswith(PAPER)))
        return sorted(self.base + id_ for id_ in ids)

    def union(self) -> Iterator[list[bytes]]:
        """Yield the lines of each graph that no graph before has.

        What several graphs may state are edges of lineage, which more than one paper supports, and
        citations, which follow from references and from statements.
        """
        for name, lines in self:
            new = [
                line
                for line in lines
                if _predicate(line) not in _REPEATED or self._first_with(line) == name
            ]
            if new:
                yield new

    def _first_with(self, line: bytes) -> str:
        """Return the first graph that has the triple on a line."""
        (quad,) = ox.parse(line, ox.RdfFormat.N_TRIPLES)
        stating = self._rdf.quads_for_pattern(quad.subject, quad.predicate, quad.object)
        names = (str(each.graph_name)[1:-1] for each in stating)
        return min(name for name in names if self._is_exported(name))

    def _is_exported(self, name: str) -> bool:
        id_ = name.removeprefix(self.base)
        return id_ in self._portion or id_ in _OF_ALL_PAPERS


def _predicate(line: bytes) -> bytes:
    return line.split(b" ", 2)[1]


class _Excerpt:
    """Picks lines of N-Triples: of chosen works, of how they relate to each other, of runs.

    Lines that also mention another work are left out, so that no link leads out of the excerpt.
    """

    def __init__(self, rdf: ox.Store, base: str, works: Collection[str]) -> None:
        self._works = {f"<{base}{id_}>".encode() for id_ in works}
        self._any_work = tuple(f"<{base}{prefix}".encode() for prefix in (ENTITY, PAPER))
        self._runs = {
            str(quad.object).encode()
            for id_ in works
            for quad in rdf.quads_for_pattern(ox.NamedNode(base + id_), _EXTRACTED_BY, None)
        }

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
        if subject in self._works or subject in self._runs:
            return True
        if self._is_work(subject) or not subject.startswith(self._any_work):
            return False
        works = [value for value, _ in own if self._is_work(value)]
        return bool(works) and self._works.issuperset(works)

    def _is_work(self, term: bytes) -> bool:
        return term.startswith(self._any_work) and b"#" not in term
