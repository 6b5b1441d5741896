"""The log of requests, with their ids, status and duration, which count into the metrics too.

Neither queries nor headers are logged: they may hold secrets.
"""

import asyncio
import logging
import re
import secrets
from http import HTTPStatus
from time import perf_counter
from urllib.parse import quote

from asgi_correlation_id import CorrelationIdMiddleware, correlation_id
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.metrics import Metrics
from stemma.server.http.probes import PROBES
from stemma.server.http.responses import error_response

_WELL_FORMED = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)
_QUIET = PROBES | {"/metrics"}
"""What monitors request every few seconds, and is logged only where it fails."""

_log = logging.getLogger("stemma.request")


def request_log(metrics: Metrics) -> list[Middleware]:
    """Return the middleware that gives a request its id, or keeps that of a client, and logs it."""
    return [
        Middleware(
            CorrelationIdMiddleware,
            validator=lambda given: _WELL_FORMED.fullmatch(given) is not None,
            generator=lambda: secrets.token_hex(16),
        ),
        Middleware(RequestLog, metrics),
    ]


class RequestLog:
    """Logs and counts every request, and turns exceptions into error responses."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.running.inc()
        try:
            await self._app(scope, receive, send_and_note)
        except asyncio.CancelledError:
            if status:
                raise
            message = "The server was stopped before it could answer. Try again in a moment."
            response = _failure(scope, HTTPStatus.SERVICE_UNAVAILABLE, "STOPPED", message)
            await response(scope, receive, send_and_note)
        except Exception:
            _log.exception("a request failed")
            if status:
                raise  # The answer is cut off, for half of it must not look whole.
            message = (
                f"Internal error; see the log of the server for request {correlation_id.get()}."
            )
            response = _failure(scope, HTTPStatus.INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", message)
            await response(scope, receive, send_and_note)
        finally:
            seconds = perf_counter() - began
            self._metrics.running.dec()
            self._metrics.observe(scope, status, seconds)
            if _log.isEnabledFor(logging.INFO):
                _log_request(scope, status, seconds)


def _failure(scope: Scope, status: HTTPStatus, code: str, message: str) -> Response:
    return error_response(Request(scope), status, message, code, {"connection": "close"})


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    if scope["path"] in _QUIET and status < HTTPStatus.BAD_REQUEST:
        return
    # A path may hold line ends; quoted it holds none.
    path, client = quote(scope["path"]), scope.get("client")
    _log.info(
        "%s %s %s %.1f ms",
        scope["method"],
        path,
        status or "gone",
        seconds * 1000,
        extra={
            "facts": {
                "method": scope["method"],
                "path": path,
                "status": status or None,
                "milliseconds": round(seconds * 1000, 1),
                "client": client[0] if client else None,
            }
        },
    )
