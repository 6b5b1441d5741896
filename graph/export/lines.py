"""The formats of lines: N-Quads and N-Triples."""

from collections.abc import Iterator

from stemma.graph.export.named_graph import NamedGraphs
from stemma.graph.export.portion import Portion


def nquads(portion: Portion) -> Iterator[bytes]:
    """Write each triple with the name of its graph."""
    for name, lines in NamedGraphs(portion):
        # Line breaks within texts are escaped: only a line ends in this way.
        yield b"".join(lines).replace(b" .\n", f" <{name}> .\n".encode())


def ntriples(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    for lines in NamedGraphs(portion).union():
        yield b"".join(lines)
