"""A whole lineage as one JSON document: ``GET /lineage/{id}.json``, written while it is read."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from stemma.graph import LineageNode, Page, Reader, Selection, Store, StoreError
from stemma.graph.lineage import Traversal, edges_within, fields_that_empty, traverse
from stemma.graph.selection import LINEAGE
from stemma.schema.batches import batched
from stemma.server.http.caching import NO_CACHE, graph_etag, is_not_modified
from stemma.server.http.responses import json_error, problem_of
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView, NodeView
from stemma.server.views.page import PageInfo
from stemma.server.views.statement import EdgeView, edge_views
from stemma.server.views.view import View
from stemma.server.views.work import NameView, broader_works
from stemma.server.web import pages

_SCHEMA_ADDRESS = "/lineage/schema.json"
_FILTERS = [name for name in LINEAGE if name not in ("first", "after")]
_STATUSES = {
    "UNKNOWN_NAME": HTTPStatus.NOT_FOUND,
    "AMBIGUOUS_NAME": HTTPStatus.MULTIPLE_CHOICES,
    "STORE_UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
}
_AT_ONCE = 200
"""How many works, or children with their edges, are held in memory at a time."""
_log = logging.getLogger(__name__)


class LineageDocuments:
    """Serves whole lineages from `store`, each within a number of seconds."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store = store
        self._seconds = seconds

    def routes(self) -> list[Route]:
        return [
            Route(_SCHEMA_ADDRESS, _schema),
            Route("/lineage/{id:path}.json", self, methods=["GET"]),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request.

        What goes wrong after the answer has started breaks the connection off: half a lineage must
        not look like a whole one.
        """
        started = False
        with ExitStack() as held:
            try:
                async with asyncio.timeout(self._seconds):
                    response = await run_in_threadpool(self._respond, Request(scope), held)
                    started = True
                    await response(scope, receive, send)
                return
            except TimeoutError:
                _log.warning("a lineage took more than %g s", self._seconds)
                late = f"This lineage took more than {self._seconds:g} s. Use a smaller maxDepth."
                failure: Response = json_error(HTTPStatus.SERVICE_UNAVAILABLE, "TIMEOUT", late)
            except StoreError as error:
                _log.error("the store failed: %s", error)
                failure = _refusal(error)
        if not started:
            await failure(scope, receive, send)

    def _respond(self, request: Request, held: ExitStack) -> Response:
        """Return the answer; the snapshot that it is read from is `held`."""
        id_ = request.path_params["id"]
        try:
            asked, _ = read_parameters(request.query_params, _FILTERS)
            _ = asked.lineage_relations  # Raises where a relation is none of lineage.
            reader = held.enter_context(self._store.snapshot())
            known = reader.resolve(id_)
        except (LookupError, ValueError) as error:
            return _refusal(error)
        if known != id_:
            # Of the scope: a name may contain a question mark, at which the path of a URL ends.
            query = request.scope["query_string"].decode()
            return RedirectResponse(f"/lineage/{pages.path(known)}.json{'?' * bool(query)}{query}")
        etag = graph_etag(reader, f"{request.url.path}?{request.url.query}")
        headers = {
            "content-type": "application/json",
            "etag": etag,
            "cache-control": NO_CACHE,
            "link": f'<{_SCHEMA_ADDRESS}>; rel="describedby"',
        }
        if is_not_modified(request, etag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        if request.method == "HEAD":
            return StreamingResponse((), headers=headers)
        reached = traverse(reader, known, asked)
        return StreamingResponse(_written(reader, asked, reached), headers=headers)


def _refusal(error: Exception) -> Response:
    problem = problem_of(error)
    assert problem, "other errors are not caught"
    return json_error(_STATUSES.get(problem["code"], HTTPStatus.BAD_REQUEST), **problem)


def _schema(request: Request) -> Response:
    """Return the JSON Schema of all documents."""
    generation = {"type": "string", "description": "Changes whenever the graph does."}
    return JSONResponse(
        json_schema(LineageView, generation=generation),
        headers={"cache-control": NO_CACHE},
        media_type="application/schema+json",
    )


def _written(reader: Reader, selection: Selection, traversal: Traversal) -> Iterator[str]:
    """Yield a lineage piece by piece; all of them make the document.

    Its content is that of a `LineageView` of one page. Of the whole lineage, ids, dates and names
    alone are held in memory.
    """
    root = traversal.root
    emptied_by = fields_that_empty(reader, root.id, selection)
    shown, cursors = {root.id}, list[str]()
    head = {
        "generation": reader.generation,
        "root": NameView(id=root.id, name=root.name).to_json(),
        "direction": selection.direction.name,
    }
    yield f'{_encoded(head)[:-1]},"nodes":['
    yield from _listed(_nodes(reader, selection, traversal, shown, cursors))
    yield '],"edges":['
    yield from _listed(_edges(reader, selection, shown))
    total = len(shown) - 1
    whole = PageInfo(model=Page((), total), cursors=cursors).to_json()
    rest = {"totalCount": total, "pageInfo": whole, "emptiedBy": emptied_by}
    yield f"],{_encoded(rest)[1:]}\n"


def _listed(batches: Iterable[Sequence[View]]) -> Iterator[str]:
    """Yield the items of a JSON array, without its brackets."""
    comma = ""
    for batch in filter(None, batches):
        yield comma + _encoded([each.to_json() for each in batch])[1:-1]
        comma = ","


def _nodes(
    reader: Reader,
    selection: Selection,
    traversal: Traversal,
    shown: set[str],
    cursors: list[str],
) -> Iterator[list[NodeView]]:
    """Yield the nodes of a lineage that are selected, in order.

    Their ids are added to `shown`, and the cursors of the first and the last to `cursors`.
    """
    for places in batched(traversal.places(), _AT_ONCE):
        found = reader.works([id_ for *_, id_ in places])
        nodes = [
            node
            for depth, _, id_ in places
            if id_ in found
            and selection.shows(node := LineageNode(found[id_], depth, traversal.dates.get(id_)))
        ]
        shown |= {node.work.id for node in nodes}
        cursors += [node.cursor for node in (*nodes[:1], *nodes[-1:])]
        works = broader_works(reader, [node.work for node in nodes])
        yield [NodeView(model=node, named=works) for node in nodes]


def _edges(
    reader: Reader, selection: Selection, shown: Collection[str]
) -> Iterator[list[EdgeView]]:
    """Yield the edges among works that are shown, by child and parent."""
    for children in batched(sorted(shown), _AT_ONCE):
        edges = list(edges_within(reader, children, shown, selection))
        yield list(edge_views(reader, edges, selection))


def _encoded(value: Any) -> str:
    return orjson.dumps(value).decode()
