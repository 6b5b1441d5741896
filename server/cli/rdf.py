"""The RDF of a store, which a command may be the first to ask for."""

from itertools import count
from typing import TYPE_CHECKING

from stemma.graph import Reader, Store, StoreError
from stemma.server.cli.terminal import progress

if TYPE_CHECKING:
    from stemma.graph.sqlite.projection import RdfCache


def rdf_of(store: Store, reader: Reader) -> "RdfCache":
    """Return the RDF of a graph, which is written if it was not before.

    Raises StoreError where a store keeps none.
    """
    dataset = reader.dataset
    if dataset is None:
        raise StoreError(
            f"{store.url} does not store RDF. Build a file from the same papers (stemma build "
            "--store stemma.db), or query it with Cypher."
        )
    if not dataset.is_written:
        done, papers = count(1), reader.statistics().papers
        with progress("Writing RDF") as tick:
            dataset.project(lambda: tick(next(done), papers))
    return dataset
