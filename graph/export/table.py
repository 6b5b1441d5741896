"""Tables: nodes and edges as files of CSV."""

from collections.abc import Collection, Iterator
from itertools import islice

from stemma.graph.export.csv_text import csv_text
from stemma.graph.export.network import EDGE_ATTRIBUTES, NODE_ATTRIBUTES, Attributes, Network
from stemma.graph.export.portion import Portion

_ROWS = 1000


def tables(portion: Portion) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the files, by name; a row each, what is not known is empty."""
    network = Network(portion)
    columns = [each for each in NODE_ATTRIBUTES if each != "abstract" or portion.abstracts]
    yield "nodes.csv", _table(columns, network.nodes())
    yield "edges.csv", _table(EDGE_ATTRIBUTES, network.edges())


def _table(columns: Collection[str], rows: Iterator[Attributes]) -> Iterator[bytes]:
    yield csv_text([columns]).encode()
    while some := list(islice(rows, _ROWS)):
        yield csv_text([_worded(row.get(each, "")) for each in columns] for row in some).encode()


def _worded(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
