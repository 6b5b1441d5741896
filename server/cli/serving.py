"""The command that serves a store: serve."""

from typing import Annotated

import typer

from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import complain, remarks

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def serve(
    store: StoreOption = "stemma.db",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any.")] = 8000,
    public: Annotated[
        bool, typer.Option("--public", help="Allow an address that others can reach.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="The longest that a query may take.")] = (
        30.0
    ),
) -> None:
    """Serve GraphQL, with a playground for the browser.

    Example: `stemma serve --port 8000`, then open http://127.0.0.1:8000/graphql
    """
    from stemma.graph import open_store  # noqa: PLC0415 - each command loads what it needs
    from stemma.server.app import PLAYGROUND, make_app  # noqa: PLC0415
    from stemma.server.listening import listen  # noqa: PLC0415

    if host not in _LOOPBACK and not public:
        complain(
            f"{host} can be reached by others, and this service asks nobody who they are. "
            "Say --public if that is meant."
        )
        raise typer.Exit(2)
    if not (PLAYGROUND / "index.html").exists():
        remarks.print(
            "[yellow]warning:[/] the playground is not built; the endpoint answers without it. "
            "Installing Stemma again builds it."
        )
    with open_store(store) as graph:
        graph.statistics()
        listen(
            make_app(graph, seconds),
            host,
            port,
            lambda url: remarks.print(
                f"Serving [bold]{store}[/] at {url}/graphql (Ctrl-C stops it)"
            ),
        )
