"""Named graphs: what RDF formats are written of, one graph of a store after the other.

They come in the order of their names, each as sorted lines of N-Triples: the same graph gives the
same bytes, and memory does not grow with it.
"""

from collections.abc import Iterator

import pyoxigraph as ox

from stemma.graph.export.excerpt import Excerpt
from stemma.graph.export.portion import Portion
from stemma.graph.rdf.citation_graph import BIBLIOGRAPHY, CITATIONS
from stemma.graph.rdf.dataset_graph import DATASET
from stemma.graph.rdf.entity_graph import CATALOGUE, ENTITIES
from stemma.graph.rdf.people_graph import AUTHORS
from stemma.graph.rdf.vocabulary import ABSTRACT, CITES, DERIVES_FROM
from stemma.graph.store import StoreError
from stemma.schema.identifier import PAPER

_OF_ALL_PAPERS = (AUTHORS, CATALOGUE, CITATIONS, DATASET, ENTITIES, BIBLIOGRAPHY)
_ABSTRACT = f"<{ABSTRACT}>".encode()
_REPEATED = {f"<{each}>".encode() for each in (CITES, DERIVES_FROM)}


class NamedGraphs:
    """The graphs of a portion, by name. Raises StoreError where the store keeps no RDF."""

    def __init__(self, portion: Portion) -> None:
        dataset = portion.reader.dataset
        if dataset is None:
            raise StoreError(
                "RDF can only be exported from a store in a folder, and this graph is in Neo4j: "
                "build its papers into a folder (stemma build PATH --store stemma.db), and "
                "export that one."
            )
        self._portion = portion
        self._rdf, self.base = dataset.rdf, dataset.base
        self._excerpt = None
        if portion.works is not None:
            self._excerpt = Excerpt(self._rdf, self.base, portion.works)

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
