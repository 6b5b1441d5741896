"""Tables: nodes and edges as files of CSV (RFC 4180)."""

import csv
from collections.abc import Collection, Iterator
from io import StringIO
from itertools import islice

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
    text = StringIO()
    # Lines end as RFC 4180 says, on every machine.
    writer: csv.DictWriter[str] = csv.DictWriter(text, columns, restval="", lineterminator="\r\n")
    writer.writeheader()
    while some := list(islice(rows, _ROWS)):
        writer.writerows(_worded(row) for row in some)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _worded(row: Attributes) -> Attributes:
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in row.items()
    }
