"""Pages as the server would send them, without a server."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.server import pages

Handler = Callable[[Request, Reader], Response]


def unserved(
    handle: Handler, reader: Reader, local: str, medium: pages.Medium, query: str = ""
) -> str:
    """Return the page that `handle` answers with, made for `medium`.

    Raises UnknownNameError where it knows of no such thing.
    """
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "path_params": {"local": local},
        "query_string": query.encode(),
        "headers": [(b"accept", b"text/html")],
    }
    with pages.rendered_for(medium):
        response = handle(Request(scope), reader)
    if response.status_code != 200:
        raise ValueError(f"{local} has no page of its own: status {response.status_code}")
    return bytes(response.body).decode()
