"""Family trees in browsers: a page, and what it shows as files; and the page as one file."""

import re
from collections.abc import Collection
from dataclasses import replace
from html import escape, unescape
from typing import Any
from urllib.parse import quote, unquote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageEdge, Reader
from stemma.graph.selection import DEEPEST_LINEAGE, LARGEST_LINEAGE, LINEAGE
from stemma.schema import EntityKind, Paper
from stemma.schema.quantity import quantity
from stemma.server.views.work import links
from stemma.server.web import pages
from stemma.server.web.explorer.evidence_page import address as evidence_address
from stemma.server.web.explorer.explorer_page import ExplorerPage, query, selected
from stemma.server.web.explorer.family_tree import MOST, FamilyTree, TreeRequest, family_tree
from stemma.server.web.linked_data.responses import moved_to
from stemma.server.web.picture import TALL, WIDE, Badge, Drawing, PictureLinks, draw

MOST_CARDS = 300
"""How many edges have a card beside the picture; each has a page."""
_SMALL = 12
"""How many works a small picture has."""
# Texts have no quotation marks in the HTML that we make, so whatever looks like an attribute is.
_LINK = re.compile(r'\shref="(?P<address>[/?][^"]*)"')


def fragment(edge: LineageEdge) -> str:
    """Return the fragment by which an address leads to an edge on a page."""
    return f"{edge.child}--{edge.parent}"


def small_tree(reader: Reader, work: str) -> dict[str, Any] | None:
    """Return the tree `of` the family of a work, its small picture, and its address, if any."""
    tree = family_tree(reader, work, TreeRequest().changed(first=_SMALL))
    if not tree.drawn:
        return None
    return {"of": tree, "svg": pictures(tree), "address": TreeRequest().address(tree.root.id)}


def pictures(drawing: Drawing, links: PictureLinks | None = None) -> Markup:
    """Return the picture for wide screens, and the one for narrow ones: the style shows one."""
    drawing = replace(drawing, note="")
    # What is drawn has been escaped.
    return Markup("\n").join(Markup(draw(drawing, links, shape)) for shape in (WIDE, TALL))


def _links(tree: FamilyTree, asked: TreeRequest, cards: Collection[LineageEdge]) -> PictureLinks:
    """Return where clicks lead: to pages, cards of evidence, and the picture with more in it."""
    fragments = set(map(fragment, cards))

    def edge(edge: LineageEdge) -> str:
        if fragment(edge) in fragments:
            return f"#{quote(fragment(edge), safe='/')}"
        return evidence_address(edge.child, edge.parent)

    signs = {work: (f"+{n}", f"Add {quantity(n, 'neighbour')} of") for work, n in tree.more.items()}
    signs |= dict.fromkeys(asked.expanded, ("fold", "Remove what was added to"))
    badges = {
        work: Badge(
            label, f"{does} {tree.works[work].name}", asked.expanding(work).address(tree.root.id)
        )
        for work, (label, does) in signs.items()
        if work in tree.works
    }
    return PictureLinks(edge, badges)


def make_tree_page(request: Request, reader: Reader) -> ExplorerPage | Response:
    """Return the family tree of the work in the address, or redirect to where it is."""
    asked = TreeRequest.parse(request.query_params)
    local = request.path_params["local"]
    known = reader.resolve(local)
    root = reader.contributions([known]).get(known, known)
    if root != local:
        return moved_to(request, local, root)
    return page_of_tree(family_tree(reader, root, asked), asked, MOST_CARDS)


def page_of_tree(tree: FamilyTree, asked: TreeRequest, most_cards: int | None) -> ExplorerPage:
    """Return the page of a family tree, with cards of so many edges, or of all."""
    root, usual = tree.root.id, TreeRequest().selection.first
    # The strongest first, and those with sentences.
    cards = sorted(tree.edges, key=lambda edge: (edge.only_in_catalogue, -edge.confidence))
    cards = cards[:most_cards]

    def values() -> dict[str, Any]:
        return {
            "tree": tree,
            "asked": asked,
            "cards": cards,
            "fragment": fragment,
            "pictures": pictures(tree, _links(tree, asked, cards)),
            "whole": asked.changed(first=min(tree.total, MOST)).address(root),
            "fewer": min(tree.drawn, asked.selection.first) > usual
            and asked.changed(first=usual).address(root),
            "general": asked.changed(include_general=True).address(root),
            "most": MOST,
            "deepest": DEEPEST_LINEAGE,
            "kinds": [(kind.value, kind.value) for kind in EntityKind],
        }

    return ExplorerPage(
        name=root.partition("/")[2],
        template="tree.html",
        values=values,
        view=tree.view,
        suffixes=("svg", "csv", "bib"),
        papers=[statement.subject for edge in tree.edges for statement in edge.statements],
        graphql=_graphql(tree, asked),
        svg=lambda: draw(tree),
    )


def _graphql(tree: FamilyTree, asked: TreeRequest) -> str:
    """Return the query for all works of the tree, also for those that are not drawn."""
    names = [name for name in LINEAGE if name not in ("direction", "first", "after")]
    first = min(max(tree.total, 1), LARGEST_LINEAGE)
    given = {
        direction: {"of": tree.root.id, "direction": direction}
        | selected(asked.towards(direction), names)
        | {"first": first}
        for direction in asked.directions
    }
    return query("lineage", given)


def tree_file(reader: Reader, tree: FamilyTree, asked: TreeRequest) -> str:
    """Return the page of a family tree as one file: style, scripts and icon are in it, and nothing
    is loaded from elsewhere. Links lead from papers to where they were published."""
    page = page_of_tree(tree, asked, most_cards=None)
    html = pages.render(page.template, served=False, **page.values())

    def relinked(found: re.Match[str]) -> str:
        path = unquote(unescape(found["address"]).partition("?")[0].partition("#")[0])
        id_ = path.removeprefix("/page/")
        work = reader.works([id_]).get(id_)
        address = next(iter(links(work)), None) if isinstance(work, Paper) else None
        # A link without an address is plain text.
        return "" if address is None else f' href="{escape(address)}"'

    return _LINK.sub(relinked, html)
