"""The graph of citations: how papers cite each other, as far as their statements show.

A paper that builds on, uses or compares with an entity cites the papers that introduced it. That
follows from all papers together, so it has a graph of its own.
"""

from collections.abc import Iterable, Iterator

from stemma.graph.oxigraph import vocabulary as v
from stemma.graph.oxigraph.nquads import iri
from stemma.schema import RelationType

CITATIONS = "citations"
"""The end of the graph's IRI."""


def citation_lines(citations: Iterable[tuple[str, RelationType, str]], base: str) -> Iterator[str]:
    """Write that papers cite others (ids), which introduced what they have this relation to."""
    for citing, relation, cited in citations:
        for term in (v.CITES, v.CITATIONS[relation]):
            yield f"{iri(base + citing)} <{term}> {iri(base + cited)} <{base}{CITATIONS}> .\n"
