"""Pages as the server would send them, without a server: their links lead elsewhere, or nowhere."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape
from urllib.parse import parse_qs, unquote, urlsplit

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


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """An address on the server: the first part of its path, the rest (an id), query, fragment."""

    top: str
    local: str
    query: dict[str, list[str]]
    fragment: str

    @classmethod
    def parse(cls, address: str) -> "SiteAddress":
        """Take an address apart."""
        parts = urlsplit(address)
        top, _, local = parts.path.removeprefix("/").partition("/")
        return cls(top, unquote(local), parse_qs(parts.query), parts.fragment)


def relinked(html: str, lead: Callable[[SiteAddress], str | None]) -> str:
    """Replace the addresses in a page by what `lead` returns for them.

    Where that is None, the attribute is left out: a link without an address is plain text.
    """

    def replaced(found: re.Match[str]) -> str:
        given = unescape(found["address"])
        # Another query of the same page needs a server.
        address = None if given.startswith("?") else lead(SiteAddress.parse(given))
        return "" if address is None else f' {found["name"]}="{escape(address)}"'

    return _LINK.sub(replaced, html)
