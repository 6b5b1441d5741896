"""The command that serves a store: serve."""

import logging
import logging.config
import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import complain, remarks
from stemma.server.graphql.limits import QueryLimits
from stemma.server.log import LogFormat, log_config
from stemma.server.sparql.limits import Limits

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from stemma.server.settings import Settings

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_SHORTEST_TOKEN = 16
_ADDRESS, _LIMITS, _SPARQL, _OPERATIONS = "Address", "Limits", "SPARQL", "Operations"
_QUERY, _SPARQL_QUERY = QueryLimits(), Limits()
_log = logging.getLogger("stemma.serving")


def serve(
    store: StoreOption = "stemma.db",
    host: Annotated[
        str, typer.Option(help="The address to listen on.", rich_help_panel=_ADDRESS)
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="The port; 0 for any.", rich_help_panel=_ADDRESS),
    ] = 8000,
    public: Annotated[
        bool,
        typer.Option(
            "--public", help="Answer anybody who can reach the address.", rich_help_panel=_ADDRESS
        ),
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="STEMMA_TOKEN",
            show_envvar=True,
            help="Answer those alone who send it, as a bearer token or a browser's password. "
            "Beyond this machine it has 16 characters or more.",
            rich_help_panel=_ADDRESS,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer to this name (or to *.example.org) and this machine's own, and to no "
            "other; give it for each. Without --token and --public, only those are answered to.",
            rich_help_panel=_ADDRESS,
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Let pages of https://example.org, say, ask GraphQL from a browser; * for all.",
            rich_help_panel=_ADDRESS,
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.1, help="The longest a query may take.", rich_help_panel=_LIMITS),
    ] = _QUERY.seconds,
    query_depth: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many fields of GraphQL may stand within each other.",
            rich_help_panel=_LIMITS,
        ),
    ] = _QUERY.depth,
    query_cost: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many values a GraphQL answer may hold, by its page sizes.",
            rich_help_panel=_LIMITS,
        ),
    ] = _QUERY.cost,
    page_size: Annotated[
        int,
        typer.Option(min=1, help="The most works on a page of GraphQL.", rich_help_panel=_LIMITS),
    ] = _QUERY.page,
    batch_size: Annotated[
        int,
        typer.Option(
            min=1, help="The most GraphQL queries in one request.", rich_help_panel=_LIMITS
        ),
    ] = _QUERY.batch,
    body_size: Annotated[
        int, typer.Option(min=1, help="The largest request, in KB.", rich_help_panel=_LIMITS)
    ] = 256,
    connections: Annotated[
        int,
        typer.Option(
            min=1,
            help="The most connections that each of the --workers has at a time.",
            rich_help_panel=_LIMITS,
        ),
    ] = 1000,
    introspection: Annotated[
        bool,
        typer.Option(
            "--introspection/--no-introspection",
            help="Whether GraphQL tells its schema; the playground needs it.",
            rich_help_panel=_LIMITS,
        ),
    ] = True,
    sparql_workers: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many SPARQL queries each of the --workers runs at once, in processes.",
            rich_help_panel=_SPARQL,
        ),
    ] = _SPARQL_QUERY.workers,
    sparql_timeout: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="The longest that a SPARQL query may wait and take, if not --seconds.",
            rich_help_panel=_SPARQL,
        ),
    ] = None,
    sparql_rows: Annotated[
        int,
        typer.Option(
            min=1,
            help="The most rows, or triples, that a SPARQL query may find.",
            rich_help_panel=_SPARQL,
        ),
    ] = _SPARQL_QUERY.rows,
    sparql_size: Annotated[
        int,
        typer.Option(
            min=1, help="The largest answer to a SPARQL query, in MB.", rich_help_panel=_SPARQL
        ),
    ] = _SPARQL_QUERY.megabytes,
    sparql_memory: Annotated[
        int,
        typer.Option(
            min=128, help="The memory of each process for SPARQL, in MB.", rich_help_panel=_SPARQL
        ),
    ] = _SPARQL_QUERY.memory,
    workers: Annotated[
        int,
        typer.Option(
            min=1, help="How many processes answer requests.", rich_help_panel=_OPERATIONS
        ),
    ] = 1,
    grace: Annotated[
        int,
        typer.Option(
            min=0,
            help="Seconds that requests may still take when the server is told to stop.",
            rich_help_panel=_OPERATIONS,
        ),
    ] = 5,
    log_format: Annotated[
        LogFormat,
        typer.Option(help="Lines for people, or JSON.", rich_help_panel=_OPERATIONS),
    ] = LogFormat.TEXT,
    log_requests: Annotated[
        bool | None,
        typer.Option(
            "--log-requests/--no-log-requests",
            help="Log each request; that is so with JSON, if nothing is said.",
            show_default=False,
            rich_help_panel=_OPERATIONS,
        ),
    ] = None,
    traces: Annotated[
        bool,
        typer.Option(
            "--traces",
            help="Send traces by OpenTelemetry to where OTEL_EXPORTER_OTLP_ENDPOINT says; needs "
            "stemma[telemetry].",
            rich_help_panel=_OPERATIONS,
        ),
    ] = False,
    playground: Annotated[
        bool,
        typer.Option(
            "--playground/--no-playground",
            help="Whether GraphQL has a page.",
            rich_help_panel=_OPERATIONS,
        ),
    ] = True,
) -> None:
    """Serve GraphQL with its playground, SPARQL, and a page for each thing in the graph.

    Example: `stemma serve --port 8000`, then open http://127.0.0.1:8000/graphql
    """
    from stemma.graph import WorkType, open_store  # noqa: PLC0415 - each loads what it needs
    from stemma.server import playground_page  # noqa: PLC0415
    from stemma.server.listening import listen  # noqa: PLC0415
    from stemma.server.settings import Settings  # noqa: PLC0415

    if host not in _LOOPBACK and not (public or token):
        complain(
            f"{host} can be reached by others. Give a --token (or STEMMA_TOKEN) that they must "
            "know, or say --public if anybody may ask."
        )
        raise typer.Exit(2)
    if host not in _LOOPBACK and token and len(token) < _SHORTEST_TOKEN:
        complain(
            f"{host} can be reached by others, who could guess this token. Give one of "
            f"{_SHORTEST_TOKEN} characters or more, such as `openssl rand -hex 16` makes."
        )
        raise typer.Exit(2)
    if traces and not _can_trace():
        complain("traces need OpenTelemetry: pip install 'stemma[telemetry]'")
        raise typer.Exit(2)
    as_json = log_format is LogFormat.JSON
    configuration = log_config(log_format, as_json if log_requests is None else log_requests)
    logging.config.dictConfig(configuration)
    if playground and not playground_page.is_built():
        _log.warning(
            "the playground is not built; the endpoint answers without it. Run `make playground` "
            "in the checkout, or install Stemma again."
        )
    settings = Settings(
        query=QueryLimits(
            seconds=seconds,
            depth=query_depth,
            cost=query_cost,
            page=page_size,
            batch=batch_size,
            introspection=introspection,
        ),
        sparql=Limits(
            workers=sparql_workers,
            seconds=sparql_timeout or seconds,
            rows=sparql_rows,
            megabytes=sparql_size,
            memory=sparql_memory,
        ),
        body=body_size * 1024,
        token=token,
        # Whoever may ask without a token from this machine alone is asked by its own names.
        hosts=(host, *allow_host) if allow_host else None if public or token else (host,),
        origins=tuple(allow_origin or ()),
        playground=playground,
        traces=traces,
    )
    with open_store(store) as graph:
        # What cannot be read is said now, of each part of the store, and not to whoever asks.
        graph.statistics()
        graph.page(WorkType.PAPER, first=1)
        place = graph.url
    listen(
        partial(_served, store, settings),
        host,
        port,
        partial(_announce, place, as_json),
        configuration,
        workers,
        connections,
        grace,
    )


def _served(store: str, settings: "Settings") -> "ASGIApp":
    """Make the application, in the process that runs it."""
    from stemma.graph import open_store  # noqa: PLC0415
    from stemma.server.app import make_app  # noqa: PLC0415

    if not settings.traces:
        return make_app(open_store(store), settings)
    from stemma.server.http.tracing import exported  # noqa: PLC0415

    return make_app(open_store(store), settings, exported())


def _can_trace() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415

    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def _announce(store: str, as_json: bool, url: str) -> None:
    if as_json:
        facts = {"url": f"{url}/graphql", "store": store, "process": os.getpid()}
        _log.info("serving", extra={"facts": facts})
    else:
        remarks.print(f"Serving [bold]{store}[/] at {url}/graphql (Ctrl-C stops it)")
