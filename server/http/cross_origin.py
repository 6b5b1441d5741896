"""Cross-origin requests: which pages from elsewhere may read our answers."""

from collections.abc import Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from stemma.server.http.request_id import HEADER

_OPEN = ("/sparql", "/id", "/data", "/page")
_GRAPHQL = ("/graphql", "/lineage")
_A_DAY = 24 * 60 * 60


class CrossOrigin:
    """Lets all pages read linked data and SPARQL, as is usual, and those of `origins` GraphQL.

    Their browsers ask first whether they may, without any token: this has to stand before whatever
    asks for one.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._open = _allowing(app, ["*"])
        self._graphql = _allowing(app, origins) if origins else app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or tell a browser what it may."""
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http":
            return self._app
        top = "/" + scope["path"][1:].partition("/")[0]
        if top in _OPEN:
            return self._open
        return self._graphql if top in _GRAPHQL else self._app


def _allowing(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        # To name them is what also those browsers understand that send a token.
        expose_headers=["ETag", "Content-Location", "Link", "Location", "Retry-After", HEADER],
        max_age=_A_DAY,
    )
