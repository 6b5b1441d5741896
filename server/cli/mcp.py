"""The command that serves a store to an assistant: mcp."""

import logging.config

import typer

from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import complain


def mcp(
    store: StoreOption = "stemma.db",
    seconds: float = typer.Option(30.0, min=0.001, help="Time limit of a question."),
) -> None:
    """Serve a store to an assistant by the Model Context Protocol, on standard input and output.

    Assistants start it themselves: see docs/mcp.md. `stemma serve` serves the same at /mcp.

    Example: `stemma mcp --store stemma.db`
    """
    from stemma.server.mcp import NEEDED, is_installed  # noqa: PLC0415 - keeps --help quick

    if not is_installed():
        complain(NEEDED)
        raise typer.Exit(2)
    from stemma.graph import open_store  # noqa: PLC0415
    from stemma.server.http.log import log_config  # noqa: PLC0415
    from stemma.server.mcp.server import make_server  # noqa: PLC0415
    from stemma.server.settings import LogFormat  # noqa: PLC0415

    logging.config.dictConfig(log_config(LogFormat.TEXT, requests=False))
    with open_store(store) as graph:
        graph.statistics()  # What cannot be read is reported now, and not with a question.
        make_server(graph, seconds).run("stdio")
