"""A family tree as a file: a picture (SVG, PNG), or a page that works by itself (HTML)."""

from collections.abc import Callable
from enum import StrEnum

from stemma.graph import Reader
from stemma.schema import Paper
from stemma.server.explorer.family_tree import FamilyTree
from stemma.server.explorer.tree_page import tree_page
from stemma.server.explorer.tree_request import TreeRequest
from stemma.server.pages import Medium
from stemma.server.presentation.picture import draw
from stemma.server.static_site.links import Address
from stemma.server.static_site.single_file import single_file
from stemma.server.static_site.unserved import unserved

_PNG_SCALE = 2
"""Pixels of a PNG for each of SVG: screens of today are that fine."""
_NO_RESVG = (
    "PNG needs resvg, which is not installed: pip install 'stemma[png]'. "
    "SVG needs nothing, and browsers and most editors open it."
)


class TreeFormat(StrEnum):
    """What a family tree is written as."""

    SVG = "svg"
    PNG = "png"
    HTML = "html"


def tree_file(reader: Reader, tree: FamilyTree, asked: TreeRequest, format: TreeFormat) -> bytes:
    """Return a family tree as a file. Raises ImportError where PNG lacks what it needs."""
    if format is TreeFormat.HTML:
        return _page(reader, tree.root.id, asked).encode(errors="replace")
    svg = draw(tree.drawing())
    return svg.encode(errors="replace") if format is TreeFormat.SVG else _png(svg)


def _page(reader: Reader, root: str, asked: TreeRequest) -> str:
    html = unserved(tree_page, reader, root, Medium.FILE, asked.query())
    return single_file(html, _to_papers(reader))


def _to_papers(reader: Reader) -> Callable[[Address], str | None]:
    """Lead from what names a paper to where that was published, if it is known; else nowhere."""

    def lead(address: Address) -> str | None:
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
