"""Listening: a web application on a port, in one process or several, until a signal stops it."""

import gc
import logging
import multiprocessing
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.supervisors import Multiprocess

from stemma.server.http import metrics
from stemma.server.http.limited_connection import LimitedConnection
from stemma.server.http.log import log_python
from stemma.server.settings import Settings

_START_TIMEOUT = 60
_END_TIMEOUT = 5
"""How long threads that still work for a request that is over may delay the end of a process."""
_OTHER_FILES = 4096
"""Files that may be open besides connections, most of them of the database with the RDF."""
_log = logging.getLogger("stemma.listening")


def listen(
    make: Callable[[], ASGIApp],
    settings: Settings,
    on_start: Callable[[str], None],
    log_config: dict[str, Any],
) -> None:
    """Serve what `make` makes; `on_start` gets the URL once connections are accepted.

    With several workers, each is a process, which calls `make` for itself (it has to be picklable)
    and is replaced if it dies. Raises OSError where the address is not available, or no worker can
    be started.
    """
    with bound(settings.host, settings.port) as listener:
        config = configuration(partial(_make_worker_app, make), settings, log_config)
        announce = partial(on_start, url_of(listener))
        if settings.workers == 1:
            _Server(config, announce).run(sockets=[listener])
            return
        with _shared_metrics():
            supervisor = _Supervisor(config, [listener], announce)
            supervisor.run()
        if not supervisor.has_started:
            raise OSError("the server could not be started; see its log")


def configuration(
    make: Callable[[], ASGIApp], settings: Settings, log_config: dict[str, Any] | None = None
) -> uvicorn.Config:
    """Return how uvicorn serves the application that `make` makes.

    Without `log_config`, the logging of Python stays as it is.
    """
    return uvicorn.Config(
        make,
        factory=True,
        workers=settings.workers,
        log_config=log_config,
        log_level=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        # The number at which requests are refused, the connection of their own counted.
        limit_concurrency=_allowed_connections(settings.connections) + 1,
        # Whatever else is installed: h11 bounds the size of headers; under uvloop requests that
        # are under way when several workers are stopped would not be answered.
        http=LimitedConnection,
        loop="asyncio",
        timeout_graceful_shutdown=settings.grace,
    )


def _allowed_connections(wanted: int) -> int:
    """Return how many connections are possible, each with a file, and raise the limit for them.

    Where no file can be opened, the store cannot be read either, and asyncio writes thousands of
    lines a second to the log.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        more = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(ValueError, OSError):  # macOS has a limit of its own.
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    allowed = max(soft - _OTHER_FILES, soft // 2)
    if soft == resource.RLIM_INFINITY or allowed >= wanted:
        return wanted
    message = "a process may open %d files (ulimit -n): at most %d connections, not %d"
    _log.warning(message, soft, allowed, wanted)
    return allowed


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Open a socket at an address. Raises OSError if that is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Of TCP by name: asyncio sends small answers at once only then (TCP_NODELAY).
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            reason = f"cannot listen on {host}:{port}: {error.strerror}; try another --port"
            raise OSError(reason) from error
        yield listener


class _Server(uvicorn.Server):
    """A server with a callback when it is ready."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()


class _Supervisor(Multiprocess):
    """Several servers, with a callback when all of them are ready."""

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket.socket], on_start: Callable[[], None]
    ) -> None:
        super().__init__(config, sockets)
        self._on_start = on_start
        self.has_started = False

    def init_processes(self) -> None:
        super().init_processes()
        self.has_started = all(
            process.wait_until_ready(_START_TIMEOUT, self.should_exit) for process in self.processes
        )
        if self.has_started:
            self._on_start()

    def terminate_all(self) -> None:
        # As long as one process holds it open, connections are accepted that are never answered.
        for each in self.sockets:
            each.close()
        super().terminate_all()


@contextmanager
def _shared_metrics() -> Iterator[None]:
    """Provide a folder for the metrics of all processes that are started meanwhile."""
    with TemporaryDirectory(prefix="stemma-metrics-") as folder:
        os.environ[metrics.FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[metrics.FOLDER]


def _make_worker_app(make: Callable[[], ASGIApp]) -> ASGIApp:
    """Make the application of a process that ends with its supervisor, and soon after shutdown."""
    parent = multiprocessing.parent_process()
    if parent:
        threading.Thread(target=_stop_with, args=(parent,), daemon=True).start()
    log_python()
    gc.disable()  # Nothing that is imported and created here becomes garbage.
    app = make()
    _tune_garbage_collection()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        if scope["type"] == "lifespan":
            end = threading.Timer(_END_TIMEOUT, os._exit, (0,))
            end.daemon = True
            end.start()

    return serve


def _tune_garbage_collection() -> None:
    """Collect garbage rarely, and never what was imported.

    An answer is thousands of objects that live until it is sent: each collection would go through
    all of them and all that was imported, and free next to nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 5)
    gc.enable()


def _stop_with(parent: Any) -> None:
    """Stop this process when its parent has ended, in whatever way."""
    parent.join()
    signal.raise_signal(signal.SIGTERM)


def url_of(listener: socket.socket) -> str:
    """Return the address of what listens, for clients of HTTP."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
