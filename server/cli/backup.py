"""The command that copies a store: backup."""

from pathlib import Path
from typing import Annotated

import typer

from stemma.graph import StoreError, open_store
from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import answers


def backup(
    target: Annotated[Path, typer.Argument(metavar="DEST", help="A folder that is not there yet.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Copy a store to a new folder, with what people decided, while it may be in use.

    The copy is a store itself: `--store DEST` asks it, and to go back to it is to copy it back.

    Example: `stemma backup monday.db`
    """
    from stemma.graph.oxigraph import OxigraphStore  # noqa: PLC0415 - loads what it needs alone

    with open_store(store) as graph:
        if not isinstance(graph, OxigraphStore):
            raise StoreError(
                f"{graph.url} is a database: back it up by `neo4j-admin database dump`, or write "
                "it out by `stemma export --format cypher -o graph.cypher`."
            )
        decisions = graph.back_up(target)
    beside = f", its decisions to {decisions}" if decisions else ""
    answers.print(f"{graph.url} copied to {target}{beside}.", markup=False, soft_wrap=True)
