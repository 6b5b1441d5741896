"""GraphQL over HTTP: the ASGI application at ``/graphql``, with a page for browsers.

Each request sees one generation of the graph, for a bounded time.
"""

import asyncio
from collections.abc import Coroutine
from http import HTTPStatus
from typing import Any, TypeVar, cast

import msgspec
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.types import ExecutionResult

from stemma.graph import Reader, Store, StoreError
from stemma.graph.selection import camel_case
from stemma.server.graphql import playground
from stemma.server.graphql.context import Context, too_late
from stemma.server.graphql.schema import StemmaSchema, sdl
from stemma.server.http.caching import NO_CACHE, graph_etag, is_not_modified
from stemma.server.http.metrics import Metrics
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.questions import BusyError, Questions
from stemma.server.http.responses import error_response
from stemma.server.settings import DEFAULT_SETTINGS, Settings
from stemma.server.web import pages

_JSON, _RESPONSE_JSON = "application/json", "application/graphql-response+json"
"""The media types of answers; the latter has a status of its own where nothing was executed."""
_HEADERS = {"vary": "Accept", "cache-control": NO_CACHE}
_TYPES = {"query": str, "variables": dict, "operation_name": str, "extensions": dict}
"""The members of a request, and their types."""
_UNAVAILABLE = frozenset({"BUSY", "STORE_UNAVAILABLE", "TIMEOUT"})
"""Codes of errors that a later request may not meet."""
_T = TypeVar("_T")


class GraphQLEndpoint(GraphQL[Context, None]):
    """Answers GraphQL requests by GET and POST."""

    schema: StemmaSchema

    def __init__(
        self, store: Store, settings: Settings = DEFAULT_SETTINGS, metrics: Metrics | None = None
    ) -> None:
        super().__init__(StemmaSchema(settings), graphql_ide=None, subscription_protocols=())
        self._store, self._metrics = store, metrics
        self._settings = settings
        self._questions = Questions(store, settings.seconds, settings.connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":  # The server leaves out what follows the headers.
            scope = {**scope, "method": "GET"}
        request = Request(scope, receive)
        request.state.media_type = preferred(accepted(request), (_JSON, _RESPONSE_JSON)) or _JSON
        response = await self._respond(request)
        if response.headers.get("content-type", "").startswith(_JSON):
            response.headers["content-type"] = f"{request.state.media_type}; charset=utf-8"
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method != "GET":
            return await self._answer(request)
        if self.should_render_graphql_ide(request):
            return _page(request)
        return await self._answer_unless_cached(request)

    def should_render_graphql_ide(self, request: Any) -> bool:
        """Return whether a browser asks for the playground."""
        is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        return self._settings.playground and is_page and "query" not in request.query_params

    async def _answer_unless_cached(self, request: Request) -> Response:
        try:
            # The answer may be of a newer generation than its tag, and is then revalidated.
            asked = f"{request.state.media_type} {request.url.query}"
            etag = await asyncio.to_thread(graph_etag, self._store, asked)
        except StoreError:
            return await self._answer(request)
        headers = {**_HEADERS, "etag": etag}
        if is_not_modified(request, etag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        response = await self._answer(request)
        if response.status_code == HTTPStatus.OK and not request.state.has_errors:
            response.headers.update(headers)
        return response

    async def _answer(self, request: Request) -> Response:
        request.state.has_errors, request.state.status = False, HTTPStatus.OK
        try:
            response: Response = await self.run(request)
        except HTTPException as error:
            status = HTTPStatus(error.status_code)
            is_method = status == HTTPStatus.METHOD_NOT_ALLOWED
            headers = {"allow": "GET, HEAD, POST"} if is_method else None
            return error_response(request, status, error.reason, headers=headers)
        response.status_code = request.state.status
        return response

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: Any,
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> ExecutionResult:
        """Answer an operation from the newest generation of the graph, within the time limit."""

        def answer(reader: Reader) -> ExecutionResult:
            context = Context(reader, self._settings)
            result = _done(
                self.execute_single(
                    request, request_adapter, sub_response, context, root_value, request_data
                )
            )
            context.close()
            return result

        try:
            # To hand a lookup over takes longer than what it reads.
            if self._store.embedded and await self.schema.is_quick(request_data):
                with self._store.snapshot() as reader:
                    return answer(reader)
            return await self._questions.ask(answer)
        except (BusyError, StoreError, TimeoutError) as error:
            errors = [GraphQLError(str(error) or too_late(self._settings), original_error=error)]
            self.schema.process_errors(errors)
            return ExecutionResult(data=None, errors=errors)

    async def process_result(
        self, request: Request, result: ExecutionResult
    ) -> GraphQLHTTPResponse:
        """Count the errors of a result; of a query that was not executed there is no data."""
        for error in result.errors or ():
            request.state.has_errors = True
            if self._metrics:
                code = (error.extensions or {}).get("code", "OTHER")
                self._metrics.errors.labels(code).inc()
        processed = await super().process_result(request, result)
        errors = result.errors or ()
        executed = result.data is not None or not errors or any(error.path for error in errors)
        if request.state.media_type == _RESPONSE_JSON and not executed:
            processed.pop("data", None)
            codes = {(error.extensions or {}).get("code") for error in errors}
            request.state.status = (
                HTTPStatus.BAD_REQUEST
                if codes.isdisjoint(_UNAVAILABLE)
                else HTTPStatus.SERVICE_UNAVAILABLE
            )
        return processed

    def decode_json(self, data: str | bytes) -> object:
        """Read JSON. Raises HTTPException where it is malformed."""
        try:
            return super().decode_json(data)
        except (ValueError, RecursionError):
            raise HTTPException(
                400, "The request is not JSON in UTF-8, or nested too deeply."
            ) from None

    def encode_json(self, data: object) -> str | bytes:
        """Write JSON."""
        try:
            return msgspec.json.encode(data)
        except ValueError:  # Half of a character (a lone surrogate), which a message quotes.
            return super().encode_json(data)

    async def parse_http_body(self, request: Any) -> GraphQLRequestData:
        """Read a request. Raises HTTPException where it is no GraphQL request."""
        try:
            operation = await super().parse_http_body(request)
        except AttributeError:
            operation = []
        if isinstance(operation, list):
            reason = 'A request is one JSON object: {"query": "{ … }"}.'
            raise HTTPException(400, reason)
        for name, type_ in _TYPES.items():
            if not isinstance(getattr(operation, name), type_ | None):
                needed = "a string" if type_ is str else "an object"
                raise HTTPException(400, f"`{camel_case(name)}` of a request must be {needed}.")
        if not operation.query and "persistedQuery" not in (operation.extensions or {}):
            reason = "There is no query. Send one by POST, as JSON, or as the parameter"
            raise HTTPException(400, f"{reason} `query`.")
        return operation


def _page(request: Request) -> Response:
    if playground.is_built():
        return FileResponse(playground.FOLDER / "index.html", headers=_HEADERS)
    url = str(request.url.replace(query="", fragment=""))
    body = pages.render("unbuilt.html", url=url)
    return HTMLResponse(body, HTTPStatus.NOT_FOUND, {"vary": "Accept"})


def schema_endpoint(request: Request) -> Response:
    """Return the schema in the schema definition language."""
    return PlainTextResponse(sdl(), headers={"cache-control": NO_CACHE})


def _done(answering: Coroutine[Any, Any, _T]) -> _T:
    """Return what a coroutine returns that waits for nothing."""
    try:
        answering.send(None)
    except StopIteration as done:
        return cast(_T, done.value)
    raise RuntimeError("an answer waits for something")
