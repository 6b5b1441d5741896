"""Caching: how long an answer may be kept, and whether the client has it already."""

from hashlib import blake2b
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma import __version__
from stemma.graph import Reader, Store

IMMUTABLE = "public, max-age=31536000, immutable"
"""For what has another address whenever it changes."""
NO_CACHE = "no-cache"
"""For what may change at any time: it may be kept, and has to be revalidated by its entity tag."""
_CACHEABLE = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)


def graph_etag(graph: Reader | Store, request: str) -> str:
    """Return a tag for the answer to `request`, which changes whenever the graph does."""
    # A store that was deleted and built again counts its generations from the start: its size
    # distinguishes it from the old one.
    return body_etag(
        f"{__version__} {graph.statistics()} {request}".encode("utf-8", "surrogatepass")
    )


def body_etag(body: bytes) -> str:
    """Return a tag for a body. It is weak (RFC 9110, 8.8.1): the body may yet be compressed."""
    return f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def is_not_modified(request: Request, etag: str) -> bool:
    """Return whether the client has the answer with this tag, by its If-None-Match."""
    given = ",".join(request.headers.getlist("if-none-match"))
    return not {each.strip() for each in given.split(",")}.isdisjoint({etag, "*"})


class CacheControl:
    """Adds a Cache-Control header to successful responses."""

    def __init__(self, app: ASGIApp, directives: str) -> None:
        self._app = app
        self._directives = directives

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in _CACHEABLE:
                MutableHeaders(scope=message).setdefault("cache-control", self._directives)
            await send(message)

        await self._app(scope, receive, send_with_header)


def make_private(headers: MutableHeaders) -> None:
    """Keep an answer that not everybody may see out of shared caches."""
    directives = [each.strip() for each in headers.get("cache-control", NO_CACHE).split(",")]
    headers["cache-control"] = ", ".join(["private", *(e for e in directives if e != "public")])
