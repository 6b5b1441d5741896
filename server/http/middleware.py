"""What every request passes: the log, security headers, and whom the server answers, how much.

Starlette's own middleware decides where it can.
"""

import asyncio
import base64
import binascii
import hmac
import logging
import re
import secrets
from collections.abc import Collection, Sequence
from http import HTTPStatus
from time import perf_counter
from urllib.parse import quote

from asgi_correlation_id import CorrelationIdMiddleware, correlation_id
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.caching import make_private
from stemma.server.http.metrics import Metrics
from stemma.server.http.probes import PROBES
from stemma.server.http.responses import error_response

_WELL_FORMED = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)
_QUIET = PROBES | {"/metrics"}
"""What monitors request every few seconds, and is logged only where it fails."""

_SECURITY = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    # Not `no-referrer`: forms would be sent with the origin `null`, as those of other origins are.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_RAW = [(name.encode(), value.encode()) for name, value in _SECURITY.items()]
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
    """Logs and counts every request, and turns exceptions into error responses.

    All responses get headers for security.
    """

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
                message["headers"] = [*message.get("headers", ()), *_RAW]
            await send(message)

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
            self._metrics.observe(scope, status, seconds)
            if _log.isEnabledFor(logging.INFO):
                _log_request(scope, status, seconds)


def _failure(scope: Scope, status: HTTPStatus, code: str, message: str) -> Response:
    return error_response(Request(scope), status, message, code, {"connection": "close"})


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    if scope["path"] in _QUIET and status < HTTPStatus.BAD_REQUEST:
        return
    # A path may hold line ends, quoted it holds none, and may be as long as all headers.
    path, client = quote(scope["path"])[:1000], scope.get("client")
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


_OPEN = (
    *("/sparql", "/id", "/data", "/page"),
    *("/ontology", "/shapes", "/catalogue", "/software", "/.well-known"),
)
_GRAPHQL = ("/graphql", "/lineage", "/mcp")
# Named one by one: a wildcard would not count for requests with a token.
_EXPOSED = ("ETag", "Content-Location", "Link", "Location", "Retry-After", "X-Request-ID")
_ONE_DAY = 24 * 60 * 60


class CrossOrigin:
    """Lets pages of any origin read linked data and SPARQL, and those of `origins` GraphQL and MCP.

    Preflight requests carry no token: this has to come before `Authorization`.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._open = _allowing(app, ["*"])
        self._graphql = _allowing(app, origins) if origins else app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer a preflight request."""
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http":
            return self._app
        top = "/" + scope["path"][1:].partition("/")[0]
        if top in _OPEN or top.rpartition(".")[0] in _OPEN:
            return self._open
        return self._graphql if top in _GRAPHQL else self._app


def _allowing(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "HEAD", "POST"],
        allow_headers=["*"],
        expose_headers=_EXPOSED,
        max_age=_ONE_DAY,
    )


_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class HostCheck:
    """Answers requests to `hosts` (or ``*.example.org``) and to this machine's own names.

    Otherwise a page could let its own name resolve to an address that only its visitor can reach
    (DNS rebinding): the visitor's browser would send us requests as if we were that page's server.

    Starlette's middleware decides; its answer, which does not say what to do, is replaced. Probes
    are answered under any name.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        names = [f"[{host.strip('[]')}]" if ":" in host else host for host in hosts]
        self._trusted = TrustedHostMiddleware(_accept, [*_LOOPBACK, *names], www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused: list[Message] = []

        async def refuse(message: Message) -> None:
            refused.append(message)

        if scope["type"] == "http" and scope["path"] not in PROBES:
            await self._trusted(scope, receive, refuse)
        if not refused:
            await self._app(scope, receive, send)
            return
        response = error_response(
            Request(scope),
            HTTPStatus.MISDIRECTED_REQUEST,
            "This server does not accept the name in the request's Host header. Allow it with "
            "stemma serve --allow-host NAME.",
        )
        await response(scope, receive, send)


async def _accept(scope: Scope, receive: Receive, send: Send) -> None:
    """Send no refusal."""


_CHALLENGE = {
    # Chromium knows the first scheme alone, and asks for a password if that is Basic.
    "www-authenticate": 'Basic realm="Stemma", charset="UTF-8", Bearer realm="Stemma"',
    "cache-control": "no-store",
}


class Authorization:
    """Lets through requests that carry `token`; answers 401 to the others.

    Programs send it as a bearer token (RFC 6750). Browsers ask for a name and password (RFC 7617):
    any name, and the token as the password. Probes need no token.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        if not self._is_authorized(Headers(scope=scope)):
            text = "This server requires a token: send the header 'Authorization: Bearer TOKEN'."
            refusal = error_response(
                Request(scope), HTTPStatus.UNAUTHORIZED, text, headers=_CHALLENGE
            )
            await refusal(scope, receive, send)
            return

        async def send_privately(message: Message) -> None:
            if message["type"] == "http.response.start":
                make_private(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_privately)

    def _is_authorized(self, headers: Headers) -> bool:
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        match scheme.casefold():
            case "bearer":
                presented = credentials.strip().encode("latin-1", "replace")
            case "basic":
                presented = _password(credentials)
            case _:
                return False
        return hmac.compare_digest(presented, self._token)


def _password(credentials: str) -> bytes:
    try:
        return base64.b64decode(credentials, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""


class BodyLimit:
    """Refuses bodies of more than `size` bytes, or that take more than `seconds` to arrive."""

    def __init__(self, app: ASGIApp, size: int, seconds: float) -> None:
        self._app = app
        self._size, self._seconds = size, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its whole body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, body, refusal = Request(scope, receive), bytearray(), ""
        try:
            async with asyncio.timeout(self._seconds):
                async for piece in request.stream():
                    body += piece
                    if len(body) > self._size:
                        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                        refusal = f"larger than {self._size} bytes, the maximum here"
                        break
        except TimeoutError:
            status = HTTPStatus.REQUEST_TIMEOUT
            refusal = f"too slow: it took more than {self._seconds:g} s to arrive"
        except ClientDisconnect:
            return
        if refusal:
            # What is still to come is not read, so that the connection is of no more use.
            headers = {"connection": "close"}
            message = f"The request is {refusal}."
            response = error_response(Request(scope), status, message, headers=headers)
            await response(scope, receive, send)
            return
        pending: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def receive_again() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, receive_again, send)
