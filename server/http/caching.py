"""Caching: how long an answer may be kept, and whether the client has it already."""

from hashlib import blake2b
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from stemma import __version__
from stemma.graph import Reader, Store

IMMUTABLE = "public, max-age=31536000, immutable"
"""For what has another address whenever it changes."""
NO_CACHE = "no-cache"
"""For what may change at any time: it may be kept, and has to be revalidated by its entity tag."""


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


class CachedFiles(StaticFiles):
    """The files in a folder, with a Cache-Control header."""

    def __init__(self, directory: Path, directives: str) -> None:
        super().__init__(directory=directory)
        self._directives = directives

    def file_response(self, *arguments: Any, **keywords: Any) -> Response:
        """Return a file, or only say that the client has it already."""
        response = super().file_response(*arguments, **keywords)
        response.headers["cache-control"] = self._directives
        return response


def make_private(headers: MutableHeaders) -> None:
    """Keep an answer that not everybody may see out of shared caches."""
    directives = [each.strip() for each in headers.get("cache-control", NO_CACHE).split(",")]
    headers["cache-control"] = ", ".join(["private", *(e for e in directives if e != "public")])
