"""Pages as the server would send them, without a server: their links lead elsewhere, or nowhere."""

import re
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import SplitResult, unquote, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.server.web import pages

# Texts have no quotation marks in the HTML that we make, so whatever looks like an attribute is.
_LINK = re.compile(r'\s(?P<name>href|src|action)="(?P<address>[/?][^"]*)"')
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


def relinked(html: str, lead: Callable[[str, str, SplitResult], str | None]) -> str:
    """Replace the addresses in a page by what `lead` returns for the first part of the path of
    each, the rest of the path (an id), and the whole.

    Where that is None, the attribute is left out: a link without an address is plain text.
    """

    def replaced(found: re.Match[str]) -> str:
        parts = urlsplit(unescape(found["address"]))
        top, _, local = parts.path.removeprefix("/").partition("/")
        # Another query of the same page needs a server.
        address = lead(top, unquote(local), parts) if parts.path else None
        return "" if address is None else f' {found["name"]}="{escape(address)}"'

    return _LINK.sub(replaced, html)
