"""A family tree as a file: a page that works by itself."""

import re
from base64 import b64encode
from hashlib import sha256

from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.web import pages
from stemma.server.web.explorer.tree_page import tree_page
from stemma.server.web.explorer.tree_request import TreeRequest
from stemma.server.web.pages import Medium
from stemma.server.web.static_site.unserved import SiteAddress, relinked, unserved

_STYLE = re.compile(r'<link rel="stylesheet" href="/assets/(?P<file>[^"]+)">')
_SCRIPT = re.compile(r'<script type="module" src="/assets/(?P<file>[^"]+)"></script>')
_ICON = re.compile(r'href="/assets/(?P<file>[^"]+\.svg)"')
_CHARSET = '<meta charset="utf-8">'


def tree_file(reader: Reader, root: str, asked: TreeRequest) -> str:
    """Return the page of a family tree as one file: style, scripts and icon are in it, and nothing
    is loaded from elsewhere. Links lead from papers to where they were published."""
    html = unserved(tree_page, reader, root, Medium.FILE, asked.query)
    head, mark, body = html.partition("</head>")
    scripts = [_script(found["file"]) for found in _SCRIPT.finditer(head)]
    head = _ICON.sub(lambda found: f'href="{_data_url(found["file"])}"', head)
    head = _STYLE.sub(lambda found: f"<style>\n{_asset(found['file'])}</style>", head)
    head = _SCRIPT.sub(
        lambda found: f'<script type="module">{_script(found["file"])}</script>', head
    )
    head = head.replace(_CHARSET, f"{_CHARSET}\n  {_policy(scripts)}", 1)
    return head + mark + relinked(body, lambda address: _published_at(reader, address))


def _published_at(reader: Reader, address: SiteAddress) -> str | None:
    """Return where the paper of a page was published, if it is one and that is known."""
    if address.top != "page":
        return None
    work = reader.works([address.local]).get(address.local)
    links = work.links if isinstance(work, Paper) else ()
    return next((each for each in links if each.startswith(("https://", "http://"))), None)


def _asset(name: str) -> str:
    return (pages.ASSETS / name).read_text("utf-8")


def _script(name: str) -> str:
    """Return a script as it can be embedded in HTML, where `</script` would end it."""
    return _asset(name).replace("</script", r"<\/script")


def _data_url(name: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(_asset(name).encode()).decode()}"


def _policy(scripts: list[str]) -> str:
    """Return what browsers let the page do: run its own scripts, and load nothing."""
    hashes = [b64encode(sha256(each.encode()).digest()).decode() for each in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"
    return (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"script-src {allowed}; style-src 'unsafe-inline'; img-src data:\">"
    )
