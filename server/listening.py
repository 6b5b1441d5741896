"""Listening: a web application on a port, until it is told to stop."""

import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp


def listen(app: ASGIApp, host: str, port: int, on_start: Callable[[str], None]) -> None:
    """Serve `app`; `on_start` is told the URL once connections are accepted.

    Port 0 takes any free one. Raises OSError where the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            reason = f"cannot listen on {host}:{port}: {error.strerror}; try another --port"
            raise OSError(reason) from error
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
        server = _Announced(config, lambda: on_start(_url(listener)))
        server.run(sockets=[listener])


class _Announced(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
