"""The log of requests: each with an id, and what became of it.

Neither queries nor headers are written down: there are secrets among them.
"""

import asyncio
import logging
from http import HTTPStatus
from time import perf_counter
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.error_response import error_response
from stemma.server.http.request_id import HEADER, identify, request_id

PROBES = frozenset({"/health", "/ready", "/metrics"})
"""What is asked every few seconds, and told in the log only where it fails."""

_log = logging.getLogger("stemma.request")


class RequestLog:
    """Gives every request its id, writes down how it went, and lets no exception out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        id_ = identify(Headers(scope=scope))
        token = request_id.set(id_)
        began, status = perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = id_
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except asyncio.CancelledError:
            if status:
                raise
            message = "The server was stopped before it had the answer. Ask again in a moment."
            response = _sorry(scope, HTTPStatus.SERVICE_UNAVAILABLE, "STOPPED", message)
            await response(scope, receive, send_with_id)
        except Exception:
            _log.exception("a request failed")
            if status:
                raise  # The answer is cut off, for half of it must not look whole.
            message = f"Something went wrong in the server; its log says what, at request {id_}."
            response = _sorry(scope, HTTPStatus.INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", message)
            await response(scope, receive, send_with_id)
        finally:
            if _log.isEnabledFor(logging.INFO):
                _tell(scope, status, perf_counter() - began)
            request_id.reset(token)


def _sorry(scope: Scope, status: HTTPStatus, code: str, message: str) -> Response:
    return error_response(Request(scope), status, message, code, {"connection": "close"})


def _tell(scope: Scope, status: int, seconds: float) -> None:
    if scope["path"] in PROBES and status < HTTPStatus.BAD_REQUEST:
        return
    # A path may hold line ends; what is quoted holds none.
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
