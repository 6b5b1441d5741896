"""The address ``/graphql``: the playground for browsers that open it, answers for all others."""

import asyncio
import json
from http import HTTPStatus

from cross_web import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from stemma.graph import Store, StoreError
from stemma.server import pages, playground_page
from stemma.server.entity_tag import entity_tag, is_known
from stemma.server.graphql.endpoint import GraphQLEndpoint
from stemma.server.http.cache_control import ASK_AGAIN
from stemma.server.http.error_response import error_response
from stemma.server.http.metrics import Metrics
from stemma.server.settings import Settings

_PAGE = {"vary": "Accept", "cache-control": ASK_AGAIN}
_MENTIONS_ERRORS = b'"errors":'
"""What the JSON of an answer with errors contains: within a string, the marks would be escaped."""


class GraphQLRoute:
    """The ASGI application at ``/graphql``."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics) -> None:
        self._store, self._metrics = store, metrics
        self._has_page = settings.playground
        self._endpoint = GraphQLEndpoint(store, settings.query)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method != "GET":
            return await self._answer(request)
        if "query" in request.query_params:
            return await self._answer_again(request)
        if self._has_page and "text/html" in request.headers.get("accept", ""):
            return _playground(request)
        message = "There is no query. Send one by POST, as JSON, or as the parameter `query`."
        return error_response(request, HTTPStatus.BAD_REQUEST, message)

    async def _answer_again(self, request: Request) -> Response:
        """Answer a request by GET, or only say that the client has the answer already."""
        try:
            # An answer may be of a newer generation than its tag, and is then asked for once more.
            tag = await asyncio.to_thread(entity_tag, self._store, request.url.query)
        except StoreError:
            return await self._answer(request)
        headers = {**_PAGE, "etag": tag}
        if is_known(request, tag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        response = await self._answer(request)
        if response.status_code == HTTPStatus.OK and _MENTIONS_ERRORS not in response.body:
            response.headers.update(headers)
        return response

    async def _answer(self, request: Request) -> Response:
        try:
            response: Response = await self._endpoint.run(request)
        except HTTPException as refused:
            return error_response(request, HTTPStatus(refused.status_code), refused.reason)
        if _MENTIONS_ERRORS in response.body:
            self._count_errors(response)
        return response

    def _count_errors(self, response: Response) -> None:
        answers = json.loads(bytes(response.body))
        for answer in answers if isinstance(answers, list) else [answers]:
            for error in answer.get("errors", ()):
                code = error.get("extensions", {}).get("code", "OTHER")
                self._metrics.errors.labels(code).inc()


def _playground(request: Request) -> Response:
    if playground_page.is_built():
        return FileResponse(playground_page.index(), headers=_PAGE)
    url = str(request.url.replace(query="", fragment=""))
    body = pages.render("unbuilt.html", url=url)
    return HTMLResponse(body, HTTPStatus.NOT_FOUND, {"vary": "Accept"})
