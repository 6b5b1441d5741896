"""Family trees in browsers: a page, and what it shows as files."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageEdge, Reader
from stemma.graph.selection import DEEPEST_LINEAGE, LARGEST_LINEAGE, LINEAGE
from stemma.schema import EntityKind
from stemma.server.web import pages
from stemma.server.web.explorer.evidence_page import address as evidence_address
from stemma.server.web.explorer.explorer_page import ExplorerPage, page_of, root_at
from stemma.server.web.explorer.family_tree import FamilyTree, family_tree
from stemma.server.web.explorer.tree_request import MOST, TreeRequest
from stemma.server.web.graphql_text import arguments, selected, string
from stemma.server.web.picture import TALL, WIDE, Drawing, PictureLinks, draw

MOST_CARDS = 300
"""How many edges have a card beside the picture; each has a page."""
_SMALL = 12
"""How many works a small picture has."""


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The picture of a part of the family of a work, its name, and the address of the whole."""

    name: str
    svg: Markup
    address: str


@dataclass(frozen=True, slots=True)
class _Links:
    """Where a click on the picture leads: pages, cards of evidence, the picture with more in it."""

    tree: FamilyTree
    asked: TreeRequest
    cards: frozenset[str]

    def work(self, work: str) -> str:
        return f"/page/{pages.path(work)}"

    def edge(self, edge: LineageEdge) -> str:
        if fragment(edge) in self.cards:
            return f"#{quote(fragment(edge), safe='/')}"
        return evidence_address(edge.child, edge.parent)

    def more(self, work: str) -> tuple[int, str]:
        return self.tree.more.get(work, 0), self.address(self.asked.expanding(work))

    def fold(self, work: str) -> str | None:
        return self.address(self.asked.folding(work)) if work in self.asked.expanded else None

    def address(self, asked: TreeRequest) -> str:
        query = asked.query()
        return f"/lineage/{pages.path(self.tree.root.id)}{'?' if query else ''}{query}"


def fragment(edge: LineageEdge) -> str:
    """Return the name of an edge on its page."""
    return f"{edge.child}--{edge.parent}"


def small_tree(reader: Reader, work: str, works: int = _SMALL) -> SmallTree | None:
    """Return a picture of the family of a work, with as many as `works`, if it has any."""
    tree = family_tree(reader, work, TreeRequest().showing(works))
    if not tree.drawn:
        return None
    address = f"/lineage/{pages.path(tree.root.id)}"
    return SmallTree(tree.root.name, _pictures(tree.drawing()), address)


def _pictures(drawing: Drawing, links: PictureLinks | None = None) -> Markup:
    """Return a picture for wide and one for narrow screens, of which the style shows one."""
    return Markup("\n").join(Markup(draw(drawing, links, shape)) for shape in (WIDE, TALL))


def make_tree_page(request: Request, reader: Reader) -> ExplorerPage | Response:
    """Return the family tree of the work in the address, or redirect to where it is."""
    asked = TreeRequest.parse(request.query_params)
    root = root_at(request, reader, "lineage")
    if isinstance(root, Response):
        return root
    tree = family_tree(reader, root, asked)
    cards = tree.strongest[: MOST_CARDS if pages.is_served() else None]
    links = _Links(tree, asked, frozenset(map(fragment, cards)))
    drawing = tree.drawing()

    def values() -> dict[str, Any]:
        return {
            "tree": tree,
            "asked": asked,
            "cards": cards,
            "fragment": fragment,
            "pictures": _pictures(drawing, links),
            "whole": links.address(asked.showing(tree.total)),
            "documents": {
                each: f"/lineage/{pages.path(root)}.json?{urlencode({'direction': each})}"
                for each in (direction.value for direction in asked.directions)
            },
            "most": MOST,
            "deepest": DEEPEST_LINEAGE,
            "kinds": [(each.value, each.value) for each in EntityKind],
        }

    return ExplorerPage(
        name=root.partition("/")[2],
        template="tree.html",
        values=values,
        view=tree.view,
        has_json=False,
        papers=[each.subject for edge in tree.edges for each in edge.statements],
        graphql=_graphql(tree, asked),
        svg=lambda: draw(drawing),
    )


tree_page = page_of(make_tree_page)


_FIELDS = """\
    nodes { depth work { id name published ... on Entity { kind } } }
    edges {
      child { name }
      parent { name }
      relations
      confidence
      statements { paper { name } evidence { text } }
    }
"""


def _graphql(tree: FamilyTree, asked: TreeRequest) -> str:
    """Return the query for all works of the tree, also for those that are not drawn."""
    names = [name for name in LINEAGE if name not in ("direction", "first", "after")]
    first = min(max(tree.total, 1), LARGEST_LINEAGE)
    fields = ""
    for direction in asked.directions:
        given = arguments(
            {
                "of": string(tree.root.id),
                "direction": direction.name,
                **selected(asked.selection, names),
                "first": str(first),
            }
        )
        fields += f"  {direction.value}: lineage({given}) {{\n{_FIELDS}  }}\n"
    return f"query Lineage {{\n{fields}}}\n"
