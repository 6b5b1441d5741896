"""A family tree as a file: a page that works by itself."""

from urllib.parse import SplitResult

from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.views.work import links
from stemma.server.web.explorer.family_tree import TreeRequest
from stemma.server.web.explorer.tree_page import tree_page
from stemma.server.web.pages import Medium
from stemma.server.web.static_site.unserved import relinked, unserved


def tree_file(reader: Reader, root: str, asked: TreeRequest) -> str:
    """Return the page of a family tree as one file: style, scripts and icon are in it, and nothing
    is loaded from elsewhere. Links lead from papers to where they were published."""
    html = unserved(tree_page, reader, root, Medium.FILE, asked.query)
    head, mark, body = html.partition("</head>")

    def published_at(top: str, local: str, _: SplitResult) -> str | None:
        work = reader.works([local]).get(local) if top == "page" else None
        return next(iter(links(work)), None) if isinstance(work, Paper) else None

    return head + mark + relinked(body, published_at)
