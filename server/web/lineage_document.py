"""A lineage as one JSON document: ``GET /lineage/{id}.json``."""

import asyncio
import logging
from http import HTTPStatus

import msgspec
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Store
from stemma.graph.lineage import trace
from stemma.graph.selection import LARGEST_LINEAGE, LINEAGE
from stemma.server.http.caching import NO_CACHE, graph_etag, is_not_modified
from stemma.server.http.query_parameters import read_parameters
from stemma.server.http.responses import error_response
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView
from stemma.server.web.linked_data.responses import moved_to, page_endpoint

_SCHEMA_ADDRESS = "/lineage/schema.json"
_FILTERS = [name for name in LINEAGE if name != "first"]
_log = logging.getLogger(__name__)


def lineage_document_routes(store: Store, seconds: float) -> list[Route]:
    """Return the routes of lineages from `store`, each within a number of seconds, and of their
    JSON Schema."""
    answer = page_endpoint(store, _document)

    async def endpoint(request: Request) -> Response:
        try:
            async with asyncio.timeout(seconds):
                return await run_sync(answer, request, abandon_on_cancel=True)
        except TimeoutError:
            _log.warning("a lineage took more than %g s", seconds)
            late = f"This lineage took more than {seconds:g} s. Use a smaller maxDepth."
            return error_response(request, HTTPStatus.SERVICE_UNAVAILABLE, late, "TIMEOUT")

    return [Route(_SCHEMA_ADDRESS, _schema), Route("/lineage/{id:path}.json", endpoint)]


def _document(request: Request, reader: Reader) -> Response:
    id_ = request.path_params["id"]
    asked, _ = read_parameters(request.query_params, _FILTERS, first=LARGEST_LINEAGE)
    known = reader.resolve(id_)
    if known != id_:
        return moved_to(request, id_, known)
    # The tag is known before the lineage is: a client that has it costs next to nothing.
    etag = graph_etag(reader, f"{request.url.path}?{request.url.query}")
    headers = {
        "etag": etag,
        "cache-control": NO_CACHE,
        "link": f'<{_SCHEMA_ADDRESS}>; rel="describedby"',
    }
    if is_not_modified(request, etag):
        return Response(None, HTTPStatus.NOT_MODIFIED, headers, "application/json")
    view = LineageView.of(reader, trace(reader, known, asked), asked)
    content = msgspec.json.encode({"generation": reader.generation, **view.to_json()})
    return Response(content + b"\n", headers=headers, media_type="application/json")


def _schema(request: Request) -> Response:
    """Return the JSON Schema of all documents."""
    generation = {"type": "string", "description": "Changes whenever the graph does."}
    return JSONResponse(
        json_schema(LineageView, generation=generation),
        headers={"cache-control": NO_CACHE},
        media_type="application/schema+json",
    )
