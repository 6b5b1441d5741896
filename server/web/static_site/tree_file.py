"""A family tree as a file: a picture (SVG, PNG), or a page that works by itself (HTML)."""

import re
from base64 import b64encode
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256

from stemma.distribution import install
from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.web import pages
from stemma.server.web.explorer.family_tree import FamilyTree
from stemma.server.web.explorer.tree_page import tree_page
from stemma.server.web.explorer.tree_request import TreeRequest
from stemma.server.web.pages import Medium
from stemma.server.web.picture import draw
from stemma.server.web.static_site.unserved import SiteAddress, relinked, unserved

_PNG_SCALE = 2
"""Pixels of a PNG for each of SVG: screens of today are that fine."""
_NO_RESVG = (
    f"PNG needs resvg, which is not installed: {install('png')}. "
    "SVG needs nothing, and browsers and most editors open it."
)
_STYLE = re.compile(r'<link rel="stylesheet" href="/assets/(?P<file>[^"]+)">')
_SCRIPT = re.compile(r'<script type="module" src="/assets/(?P<file>[^"]+)"></script>')
_ICON = re.compile(r'href="/assets/(?P<file>[^"]+\.svg)"')
_CHARSET = '<meta charset="utf-8">'


class TreeFormat(StrEnum):
    """What a family tree is written as."""

    SVG = "svg"
    PNG = "png"
    HTML = "html"


def tree_file(reader: Reader, tree: FamilyTree, asked: TreeRequest, format: TreeFormat) -> bytes:
    """Return a family tree as a file. Raises ImportError where PNG lacks what it needs."""
    if format is TreeFormat.HTML:
        return _page(reader, tree.root.id, asked).encode(errors="replace")
    svg = draw(tree)
    return svg.encode(errors="replace") if format is TreeFormat.SVG else _png(svg)


def _page(reader: Reader, root: str, asked: TreeRequest) -> str:
    html = unserved(tree_page, reader, root, Medium.FILE, asked.query)
    return _single_file(html, _to_papers(reader))


def _to_papers(reader: Reader) -> Callable[[SiteAddress], str | None]:
    """Lead from what names a paper to where that was published, if it is known; else nowhere."""

    def lead(address: SiteAddress) -> str | None:
        if address.top != "page":
            return None
        work = reader.works([address.local]).get(address.local)
        links = work.links if isinstance(work, Paper) else ()
        return next((each for each in links if each.startswith(("https://", "http://"))), None)

    return lead


def _png(svg: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError:
        raise ImportError(_NO_RESVG) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=_PNG_SCALE))


def _single_file(html: str, lead: Callable[[SiteAddress], str | None]) -> str:
    """Return a page of the server as one file: style, scripts and icon are in it, and nothing is
    loaded from elsewhere. `lead` says where its links lead, if anywhere."""
    head, mark, body = html.partition("</head>")
    scripts = [_script(found["file"]) for found in _SCRIPT.finditer(head)]
    head = _ICON.sub(lambda found: f'href="{_data_url(found["file"])}"', head)
    head = _STYLE.sub(lambda found: f"<style>\n{_asset(found['file'])}</style>", head)
    head = _SCRIPT.sub(
        lambda found: f'<script type="module">{_script(found["file"])}</script>', head
    )
    head = head.replace(_CHARSET, f"{_CHARSET}\n  {_policy(scripts)}", 1)
    return head + mark + relinked(body, lead)


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
