"""A family tree as a file: a page that works by itself."""

from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.web.explorer.family_tree import TreeRequest
from stemma.server.web.explorer.tree_page import tree_page
from stemma.server.web.pages import Medium
from stemma.server.web.static_site.unserved import SiteAddress, relinked, unserved


def tree_file(reader: Reader, root: str, asked: TreeRequest) -> str:
    """Return the page of a family tree as one file: style, scripts and icon are in it, and nothing
    is loaded from elsewhere. Links lead from papers to where they were published."""
    html = unserved(tree_page, reader, root, Medium.FILE, asked.query)
    head, mark, body = html.partition("</head>")
    return head + mark + relinked(body, lambda address: _published_at(reader, address))


def _published_at(reader: Reader, address: SiteAddress) -> str | None:
    """Return where the paper of a page was published, if it is one and that is known."""
    if address.top != "page":
        return None
    work = reader.works([address.local]).get(address.local)
    links = work.links if isinstance(work, Paper) else ()
    return next((each for each in links if each.startswith(("https://", "http://"))), None)
