"""The command that serves a store: serve."""

import logging
import logging.config
import os
import sys
import webbrowser
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from stemma.distribution import install
from stemma.server.cli.options import StoreOption, with_options
from stemma.server.cli.terminal import complain, remarks
from stemma.server.settings import OPTIONS, SETTINGS, TYPES, LogFormat, Settings, settings_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
_log = logging.getLogger("stemma.serving")


OpenOption = Annotated[
    bool,
    typer.Option("--open", help="Open the front page in a browser, if a display is available."),
]


def _option(name: str) -> tuple[Any, Any]:
    """Return the annotation of the option of a setting, and its default."""
    option: dict[str, Any] = dict(SETTINGS[name].metadata)
    default: Any = SETTINGS[name].default
    type_: Any = TYPES[name]
    if isinstance(default, tuple):
        default, type_ = [], list[str]
    return Annotated[type_, typer.Option(*option.pop("flags"), **option)], default


@with_options({name: _option(name) for name in OPTIONS})
def serve(
    context: typer.Context,
    store: StoreOption = "stemma.db",
    opens: OpenOption = False,
    **values: Any,
) -> None:
    """Start a server: family trees for browsers, GraphQL, SPARQL, linked data.

    `stemma.toml` has further settings: see docs/deployment.md.

    Example: `stemma serve --port 8000`, then open http://127.0.0.1:8000/
    """
    from stemma.graph import WorkType, open_store  # noqa: PLC0415 - each loads what it needs
    from stemma.server.graphql import playground  # noqa: PLC0415
    from stemma.server.http.listening import listen  # noqa: PLC0415
    from stemma.server.http.log import log_config  # noqa: PLC0415

    try:
        table = (context.find_root().obj or {}).get("serve", {})
        settings = Settings(**settings_in({"serve": {**table, **values}}, "serve"))
    except ValueError as error:
        complain(str(error))
        raise typer.Exit(2) from None
    if settings.traces and not _can_trace():
        complain(f"traces need OpenTelemetry: {install('telemetry')}")
        raise typer.Exit(2)
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
            reader.page(WorkType.PAPER, first=1)
            if reader.dataset and reader.dataset.is_written:
                _ = reader.dataset.rdf
        place = graph.url
    listen(
        partial(_make_app, store, settings),
        settings,
        partial(_announce, place, settings.log_format is LogFormat.JSON, opens),
        configuration,
    )


def _make_app(store: str, settings: Settings) -> "ASGIApp":
    """Make the application, in the process that runs it."""
    from stemma.graph import open_store  # noqa: PLC0415
    from stemma.server.app import make_app  # noqa: PLC0415

    if not settings.traces:
        return make_app(open_store(store), settings)
    from stemma.server.http.tracing import otlp_provider  # noqa: PLC0415

    return make_app(open_store(store), settings, otlp_provider())


def _can_trace() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415

    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def _announce(store: str, as_json: bool, opens: bool, url: str) -> None:
    if as_json:
        facts = {"url": f"{url}/", "store": store, "process": os.getpid()}
        _log.info("serving", extra={"facts": facts})
    else:
        remarks.print("Serving", Text(store, "bold"), f"at {url}/ (press Ctrl-C to stop)")
    if opens:
        # What listens on all addresses of the machine is reached at its own.
        _open_in_browser(
            f"{url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')}/"
        )


def _open_in_browser(url: str) -> None:
    """Open `url` if this machine has a screen; nothing waits for it.

    Without a screen, Python would start a browser in the terminal.
    """
    if sys.platform in ("darwin", "win32") or any(map(os.environ.get, _SCREENS)):
        Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)
