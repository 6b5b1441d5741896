"""What browsers may do with our pages, and pages from other origins with our answers."""

from collections.abc import Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    # Not `no-referrer`: forms would be sent with the origin `null`, as those of other origins are.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_RAW = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
_OPEN = (
    *("/sparql", "/id", "/data", "/page"),
    *("/ontology", "/shapes", "/catalogue", "/software", "/.well-known"),
)
_GRAPHQL = ("/graphql", "/lineage", "/mcp")
_ONE_DAY = 24 * 60 * 60


class SecurityHeaders:
    """Adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_RAW]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


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
        # Named one by one: a wildcard would not count for requests with a token.
        expose_headers=[
            "ETag",
            "Content-Location",
            "Link",
            "Location",
            "Retry-After",
            "X-Request-ID",
        ],
        max_age=_ONE_DAY,
    )
