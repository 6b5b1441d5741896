"""The web application: GraphQL, its playground, and a sign of life."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse
from starlette.responses import Response as HTTPResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.graph import Store
from stemma.server.graphql.endpoint import GraphQLEndpoint

PLAYGROUND = Path(__file__).parent / "playground" / "dist"
LARGEST_BODY = 256 * 1024
SECONDS_PER_QUERY = 30.0

_SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def make_app(store: Store, seconds_per_query: float = SECONDS_PER_QUERY) -> Starlette:
    """Make the ASGI application that serves `store`."""
    graphql = GraphQLEndpoint(store, seconds_per_query)

    async def root(request: Request) -> HTTPResponse:
        return RedirectResponse(request.url_for("graphql").path)

    async def health(request: Request) -> HTTPResponse:
        return JSONResponse({"status": "ok", "generation": store.generation})

    routes: list[BaseRoute] = [
        Route("/", root),
        Route("/health", health),
        Mount("/graphql/assets", StaticFiles(directory=PLAYGROUND / "assets", check_dir=False)),
        Route("/graphql", _PageOrAnswers(graphql), name="graphql"),
    ]
    middleware = [
        Middleware(_SecurityHeaders),
        Middleware(_BodyLimit, largest=LARGEST_BODY),
        Middleware(GZipMiddleware, minimum_size=1024),
    ]
    return Starlette(routes=routes, middleware=middleware)


class _PageOrAnswers:
    """The playground for browsers that open the address; answers for everybody else."""

    def __init__(self, graphql: ASGIApp) -> None:
        self._graphql = graphql

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        asks_for_page = "text/html" in request.headers.get("accept", "")
        if request.method == "GET" and asks_for_page and "query" not in request.query_params:
            await FileResponse(PLAYGROUND / "index.html")(scope, receive, send)
        else:
            await self._graphql(scope, receive, send)


class _SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_SECURITY_HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class _BodyLimit:
    """Refuses requests whose bodies are larger than any sensible query."""

    def __init__(self, app: ASGIApp, largest: int) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._largest:
                text = f"The request is larger than {self._largest} bytes.\n"
                await PlainTextResponse(text, status_code=413)(scope, receive, send)
                return
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_again() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, receive_again, send)
