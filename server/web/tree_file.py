"""A family tree as a file: a page that works by itself."""

import re
from html import escape, unescape
from urllib.parse import unquote

from starlette.requests import Request

from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.views.work import links
from stemma.server.web import pages
from stemma.server.web.explorer.family_tree import TreeRequest
from stemma.server.web.explorer.tree_page import tree_page

# Texts have no quotation marks in the HTML that we make, so whatever looks like an attribute is.
_LINK = re.compile(r'\shref="(?P<address>[/?][^"]*)"')


def tree_file(reader: Reader, root: str, asked: TreeRequest) -> str:
    """Return the page of a family tree as one file: style, scripts and icon are in it, and nothing
    is loaded from elsewhere. Links lead from papers to where they were published."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "path_params": {"local": root},
        "query_string": asked.query.encode(),
        "headers": [(b"accept", b"text/html")],
    }
    with pages.in_one_file():
        response = tree_page(Request(scope), reader)

    def relinked(found: re.Match[str]) -> str:
        path = unquote(unescape(found["address"]).partition("?")[0].partition("#")[0])
        id_ = path.removeprefix("/page/")
        work = reader.works([id_]).get(id_)
        address = next(iter(links(work)), None) if isinstance(work, Paper) else None
        # A link without an address is plain text.
        return "" if address is None else f' href="{escape(address)}"'

    return _LINK.sub(relinked, bytes(response.body).decode())
