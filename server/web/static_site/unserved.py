"""Pages as the server would send them, without a server."""

import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.server.web import pages

Handler = Callable[[Request, Reader], Response]
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(?P<file>[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


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


def whole_script(name: str) -> str:
    """Return a script of the pages with what it imports in it: without a server there may be
    nothing to import from."""
    text = (pages.ASSETS / name).read_text("utf-8")
    return _EXPORT.sub("", _IMPORT.sub(lambda found: whole_script(found["file"]), text))
