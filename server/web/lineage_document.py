"""A lineage as one JSON document: ``GET /lineage/{id}.json``."""

import asyncio
import logging
from http import HTTPStatus

import orjson
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Store, StoreError
from stemma.graph.lineage import trace
from stemma.graph.selection import LARGEST_LINEAGE, LINEAGE
from stemma.server.http.caching import NO_CACHE, graph_etag, is_not_modified
from stemma.server.http.responses import json_error, problem_of
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView
from stemma.server.web import pages

_SCHEMA_ADDRESS = "/lineage/schema.json"
_FILTERS = [name for name in LINEAGE if name != "first"]
_STATUSES = {
    "UNKNOWN_NAME": HTTPStatus.NOT_FOUND,
    "AMBIGUOUS_NAME": HTTPStatus.MULTIPLE_CHOICES,
    "STORE_UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
}
_log = logging.getLogger(__name__)


def lineage_document_routes(store: Store, seconds: float) -> list[Route]:
    """Return the routes of lineages from `store`, each within a number of seconds, and of their
    JSON Schema."""

    async def endpoint(request: Request) -> Response:
        try:
            async with asyncio.timeout(seconds):
                return await run_sync(_document, request, store, abandon_on_cancel=True)
        except TimeoutError:
            _log.warning("a lineage took more than %g s", seconds)
            late = f"This lineage took more than {seconds:g} s. Use a smaller maxDepth."
            return json_error(HTTPStatus.SERVICE_UNAVAILABLE, "TIMEOUT", late)

    return [Route(_SCHEMA_ADDRESS, _schema), Route("/lineage/{id:path}.json", endpoint)]


def _document(request: Request, store: Store) -> Response:
    id_ = request.path_params["id"]
    try:
        asked, _ = read_parameters(request.query_params, _FILTERS, first=LARGEST_LINEAGE)
        with store.snapshot() as reader:
            known = reader.resolve(id_)
            if known != id_:
                # Of the scope: a name may contain a question mark, at which the path of a URL ends.
                query = request.scope["query_string"].decode()
                moved = f"/lineage/{pages.path(known)}.json{'?' * bool(query)}{query}"
                return RedirectResponse(moved)
            etag = graph_etag(reader, f"{request.url.path}?{request.url.query}")
            headers = {
                "etag": etag,
                "cache-control": NO_CACHE,
                "link": f'<{_SCHEMA_ADDRESS}>; rel="describedby"',
            }
            if is_not_modified(request, etag):
                return Response(None, HTTPStatus.NOT_MODIFIED, headers, "application/json")
            view = LineageView.of(reader, trace(reader, known, asked), asked)
            content = {"generation": reader.generation, **view.to_json()}
    except (LookupError, ValueError, StoreError) as error:
        if isinstance(error, StoreError):
            _log.error("the store failed: %s", error)
        problem = problem_of(error)
        assert problem, "other errors are not caught"
        return json_error(_STATUSES.get(problem["code"], HTTPStatus.BAD_REQUEST), **problem)
    return Response(orjson.dumps(content) + b"\n", headers=headers, media_type="application/json")


def _schema(request: Request) -> Response:
    """Return the JSON Schema of all documents."""
    generation = {"type": "string", "description": "Changes whenever the graph does."}
    return JSONResponse(
        json_schema(LineageView, generation=generation),
        headers={"cache-control": NO_CACHE},
        media_type="application/schema+json",
    )
