"""The endpoint: SPARQL over HTTP, with a page for people who open its address."""

import asyncio
import logging
from collections.abc import Coroutine
from http import HTTPStatus
from typing import Any

import pyoxigraph as ox
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from stemma.graph import Store, StoreError
from stemma.schema.namespace import DATA
from stemma.server.http.limited_connection import network_of
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.responses import UNREADABLE, body_response
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlResult
from stemma.server.sparql.example_queries import graph_examples
from stemma.server.sparql.format import GRAPHS, SOLUTIONS
from stemma.server.sparql.pool import WorkerPool
from stemma.server.sparql.request import read_query
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import accepted_type

_PAGE = "text/html"
_PREFIXES = {"sd": "http://www.w3.org/ns/sparql-service-description#"}
_ELSEWHERE = (
    "This graph is in Neo4j, which does not support SPARQL. Query it with GraphQL at /graphql or "
    "with Cypher, or build a file from the papers, with stemma build --store stemma.db, and "
    "serve that."
)
_TURNED_OFF = "SPARQL is turned off on this server. Query it with GraphQL at /graphql."
_NOT_WRITTEN = (
    "The graph is being written as RDF, for the first query of it. Try again in a moment."
)
_DESCRIPTION = """\
prefix sd: <http://www.w3.org/ns/sparql-service-description#>
prefix formats: <http://www.w3.org/ns/formats/>
prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>
<> a sd:Service ; sd:endpoint <> ;
  sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:UnionDefaultGraph ;
  sd:resultFormat formats:SPARQL_Results_JSON, formats:SPARQL_Results_XML,
    formats:SPARQL_Results_CSV, formats:SPARQL_Results_TSV,
    formats:Turtle, formats:N-Triples, formats:JSON-LD, formats:RDF_XML ;
  sd:defaultDataset <#dataset> .
<#dataset> a sd:Dataset ; sd:defaultGraph <#default-graph> .
<#default-graph> a sd:Graph ; rdfs:seeAlso <%s> .
"""
"""The description of a service (SPARQL 1.1 Service Description) whose data have a given IRI."""

_log = logging.getLogger(__name__)


class SparqlEndpoint:
    """The ASGI application behind ``/sparql``."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        can_answer = store.embedded and settings.sparql_workers > 0
        self._pool = WorkerPool(store.url, settings) if can_answer else None
        self._seconds = settings.sparql_seconds
        self._preparing: asyncio.Task[None] | None = None
        self._written = ""
        self._examples = graph_examples()

    async def _prepared(self, pool: WorkerPool) -> None:
        """Wait until there is RDF of the newest generation. Raises Refusal."""
        try:
            with self._store.snapshot() as reader:
                if (dataset := reader.dataset) and dataset.name == self._written:
                    return
            if self._preparing is None or self._preparing.done():
                self._preparing = asyncio.create_task(self._prepare(pool))
            async with asyncio.timeout(self._seconds):
                await asyncio.shield(self._preparing)
        except TimeoutError:
            raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, _NOT_WRITTEN) from None
        except StoreError as error:
            _log.error("the store failed: %s", error)
            raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, UNREADABLE) from error

    async def _prepare(self, pool: WorkerPool) -> None:
        await pool.start()
        self._written = await asyncio.to_thread(self._project)

    def _project(self) -> str:
        """Write the newest generation as RDF, which workers only read, and return its name. Raises
        StoreError."""
        with self._store.snapshot() as reader:
            return reader.dataset.project().name if reader.dataset else ""

    async def stop(self) -> None:
        """End the worker processes."""
        if self._preparing:
            self._preparing.cancel()
        if self._pool:
            await self._pool.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except Refusal as refusal:
            response = PlainTextResponse(f"{refusal}\n", refusal.status)
            if refusal.retry_after is not None:
                response.headers["retry-after"] = str(refusal.retry_after)
        except ClientDisconnect:
            return
        response.headers["vary"] = "Accept"
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if self._pool is None:
            reason = _TURNED_OFF if self._store.embedded else _ELSEWHERE
            raise Refusal(HTTPStatus.NOT_IMPLEMENTED, reason)
        if request.method != "POST" and "update" not in request.query_params:
            if preferred(accepted(request), [*SOLUTIONS, *GRAPHS, _PAGE]) == _PAGE:
                return await asyncio.to_thread(self._page, request.query_params.get("query", ""))
            if "query" not in request.query_params:
                return _describe(request, self._store.base)
        query = await read_query(request)
        await self._prepared(self._pool)
        client = network_of(request.client.host) if request.client else None
        result = await _unless_gone(self._pool.ask(query, client), request)
        return body_response(result.body, result.media_type)

    def _page(self, query: str) -> Response:
        try:
            with self._store.snapshot() as reader:
                examples, base = self._examples.of(reader), reader.base
        except StoreError:
            examples, base = (), DATA  # The answer to a query says what is wrong.
        page = pages.render("sparql.html", query=query, examples=examples, base=base)
        return HTMLResponse(page)


async def _unless_gone(
    answering: Coroutine[Any, Any, SparqlResult], request: Request
) -> SparqlResult:
    """Wait for an answer as long as the client does. Raises ClientDisconnect."""
    task, gone = asyncio.create_task(answering), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        # Not waited for: a server that stops ends before the process of the query has.
        task.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _describe(request: Request, base: str) -> Response:
    media_type = accepted_type(request, list(GRAPHS))
    url = str(request.url.replace(query="", fragment=""))
    text = _DESCRIPTION % f"{base}dataset"
    triples = (each.triple for each in ox.parse(text, ox.RdfFormat.TURTLE, base_iri=url))
    body = ox.serialize(triples, None, GRAPHS[media_type], prefixes=_PREFIXES) or b""
    return Response(body, media_type=media_type)
