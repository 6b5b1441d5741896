"""The commands that serve a store or say how: serve, mcp, schema."""

import logging
import logging.config
import os
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.text import Text

from stemma.graph import Selection, WorkType, open_store
from stemma.server.cli.options import StoreOption, with_options
from stemma.server.cli.terminal import complain, remarks
from stemma.server.settings import LogFormat, Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_log = logging.getLogger("stemma.serving")


def _options() -> Iterator[Parameter]:
    """Yield the option of each setting."""
    types = get_type_hints(Settings)
    for field in fields(Settings):
        option: dict[str, Any] = dict(field.metadata)
        is_many = isinstance(field.default, tuple)
        type_: Any = list[str] if is_many else types[field.name]
        yield Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            annotation=Annotated[type_, typer.Option(*option.pop("flags"), **option)],
            default=[] if is_many else field.default,
        )


@with_options(_options())
def serve(store: StoreOption = "stemma.db", **values: Any) -> None:
    """Start a server: family trees for browsers, GraphQL, SPARQL, linked data.

    `stemma.toml` has further settings: see docs/deployment.md.

    Example: `stemma serve --port 8000`, then open http://127.0.0.1:8000/
    """
    from stemma.server.graphql import playground  # noqa: PLC0415 - each loads what it needs
    from stemma.server.http.listening import listen  # noqa: PLC0415
    from stemma.server.http.log import log_config  # noqa: PLC0415

    try:
        given: dict[str, Any] = {
            n: tuple(v) if isinstance(v, list) else v for n, v in values.items()
        }
        settings = Settings(**given)
    except ValueError as error:
        complain(str(error))
        raise typer.Exit(2) from None
    configuration = log_config(settings.log_format, settings.logs_requests)
    logging.config.dictConfig(configuration)
    if settings.playground and not playground.is_built():
        _log.warning(
            "the playground is not built; the endpoint works without it. Run `make playground` "
            "in the checkout, or reinstall Stemma."
        )
    with open_store(store) as graph:
        # What cannot be read is reported now, of each part of the store, and not with a request.
        with graph.snapshot() as reader:
            reader.statistics()
            reader.page(WorkType.PAPER, Selection(first=1))
            if reader.dataset and reader.dataset.is_written:
                _ = reader.dataset.rdf
        place = graph.url
    listen(
        partial(_make_app, store, settings),
        settings,
        partial(_announce, place, settings.log_format is LogFormat.JSON),
        configuration,
    )


def _make_app(store: str, settings: Settings) -> "ASGIApp":
    """Make the application, in the process that runs it."""
    from stemma.server.app import make_app  # noqa: PLC0415

    return make_app(open_store(store), settings)


def _announce(store: str, as_json: bool, url: str) -> None:
    if as_json:
        facts = {"url": f"{url}/", "store": store, "process": os.getpid()}
        _log.info("serving", extra={"facts": facts})
    else:
        remarks.print("Serving", Text(store, "bold"), f"at {url}/ (press Ctrl-C to stop)")


def mcp(
    store: StoreOption = "stemma.db",
    seconds: float = typer.Option(30.0, min=0.001, help="Time limit of a question."),
) -> None:
    """Serve a store to an assistant by the Model Context Protocol, on standard input and output.

    Assistants start it themselves: see docs/mcp.md. `stemma serve` serves the same at /mcp.

    Example: `stemma mcp --store stemma.db`
    """
    from stemma.server.mcp import NEEDED, is_installed  # noqa: PLC0415 - each loads what it needs

    if not is_installed():
        complain(NEEDED)
        raise typer.Exit(2)
    from stemma.server.http.log import log_config  # noqa: PLC0415
    from stemma.server.mcp.server import make_server  # noqa: PLC0415

    logging.config.dictConfig(log_config(LogFormat.TEXT, requests=False))
    with open_store(store) as graph:
        graph.statistics()  # What cannot be read is reported now, and not with a question.
        make_server(graph, seconds).run("stdio")


def schema() -> None:
    """Print the GraphQL schema, for code generators and editors.

    A server has it at /graphql/schema.graphql.

    Example: `stemma schema > schema.graphql`
    """
    from stemma.server.graphql.schema import sdl  # noqa: PLC0415 - each loads what it needs

    typer.echo(sdl(), nl=False)
