"""The web application: the explorer, GraphQL, SPARQL, linked data, MCP, probes and metrics."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from stemma.graph import Store
from stemma.server.graphql import playground
from stemma.server.graphql.endpoint import GraphQLEndpoint, schema_endpoint
from stemma.server.http.caching import IMMUTABLE, NO_CACHE, CachedFiles
from stemma.server.http.metrics import Metrics
from stemma.server.http.middleware import (
    Authorization,
    BodyLimit,
    CrossOrigin,
    HostCheck,
    request_log,
)
from stemma.server.http.probes import probes
from stemma.server.http.questions import MOST_AT_ONCE
from stemma.server.mcp.endpoint import MCPEndpoint
from stemma.server.settings import DEFAULT_SETTINGS, Settings
from stemma.server.sparql.endpoint import SparqlEndpoint
from stemma.server.web import pages
from stemma.server.web.explorer.endpoint import explorer_routes
from stemma.server.web.lineage_document import lineage_document_routes
from stemma.server.web.linked_data.endpoint import linked_data_routes
from stemma.server.web.linked_data.responses import handle_http_exception, page_endpoint


def make_app(store: Store, settings: Settings = DEFAULT_SETTINGS) -> Starlette:
    """Make the ASGI application that serves `store`, and closes it at the end."""
    metrics = Metrics(store)
    sparql = SparqlEndpoint(store, settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # Pages for forty clients at once would leave a fortieth of the time to a question.
        current_default_thread_limiter().total_tokens = MOST_AT_ONCE
        with store:
            try:
                yield
            finally:
                await sparql.stop()

    async def favicon(request: Request) -> Response:
        return FileResponse(pages.ASSETS / "icon.svg", headers={"cache-control": NO_CACHE})

    routes: list[BaseRoute] = [
        *probes(store),
        Route("/metrics", metrics.expose),
        Route("/graphql", GraphQLEndpoint(store, settings, metrics)),
        Route("/graphql/schema.graphql", schema_endpoint),
        *lineage_document_routes(store, settings.seconds),
        Route("/sparql", sparql, methods=["GET", "POST"]),
        Route("/mcp", MCPEndpoint(store, settings), methods=["POST"]),
        # After the documents of lineages, whose addresses are longer.
        *explorer_routes(store, settings),
        *linked_data_routes(store, settings),
        # Browsers ask for it where an answer is no page of ours, such as JSON.
        Route("/favicon.ico", favicon),
        Mount("/assets", CachedFiles(pages.ASSETS, NO_CACHE)),
    ]
    if settings.playground:
        routes.append(
            Route("/graphql/examples", page_endpoint(store, playground.playground_examples()))
        )
    if settings.playground and playground.is_built():
        assets = CachedFiles(playground.FOLDER / "assets", IMMUTABLE)
        routes.append(Mount("/graphql/assets", assets))
    return Starlette(
        routes=routes,
        middleware=_middleware(settings, metrics),
        exception_handlers={HTTPException: handle_http_exception},
        lifespan=lifespan,
    )


def _middleware(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """Return the middleware, the outermost first."""
    middleware = request_log(metrics)
    if settings.hosts is not None:
        middleware.append(Middleware(HostCheck, settings.hosts))
    middleware.append(Middleware(CrossOrigin, settings.allow_origin))
    if settings.token:
        middleware.append(Middleware(Authorization, settings.token))
    middleware.append(Middleware(BodyLimit, settings.body_size * 1024, settings.seconds))
    middleware.append(
        Middleware(
            GZipMiddleware,
            minimum_size=1024,
            compresslevel=6,
            exclude_content_types=("font/woff2", "image/png"),
        )
    )
    return middleware
