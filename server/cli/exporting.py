"""The command that writes a store as a file: export."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.graph.export import ExportFormat
from stemma.graph.export import export as write
from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import progress, remarks


def export(
    format: Annotated[
        ExportFormat, typer.Option("--format", "-f", help="The format, of those that RDF has.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="A file (.gz too), or - .")] = "-",
    store: StoreOption = "stemma.db",
) -> None:
    """Write the whole graph as RDF; the same papers give the same bytes.

    N-Quads and TriG keep a named graph a paper; the other formats hold their union.

    Example: `stemma export --format nquads -o graph.nq.gz`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        if output == "-":
            write(reader, format, sys.stdout.buffer)
            return
        with progress("Writing", unit="graphs") as tick:
            write(reader, format, Path(output), lambda done, total: tick(done))
    remarks.print(f"Written to {output}.")
