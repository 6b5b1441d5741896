"""The RDF of a store, which a command may be the first to ask for."""

from itertools import count

from stemma.graph import Reader
from stemma.server.cli.terminal import progress


def write_rdf(reader: Reader) -> None:
    """Write the RDF of a graph, if it keeps any and has not written it before."""
    dataset = reader.dataset
    if dataset and not dataset.is_written:
        done, papers = count(1), reader.statistics().papers
        with progress("Writing RDF") as tick:
            dataset.project(lambda: tick(next(done), papers))
