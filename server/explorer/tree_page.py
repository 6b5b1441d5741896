"""Family trees in browsers: a page, and what it shows as SVG and as CSV."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from stemma.graph import LineageEdge, Reader
from stemma.schema.identifier import PAPER
from stemma.server import pages
from stemma.server.explorer.evidence_page import address as evidence_address
from stemma.server.explorer.family_tree import FamilyTree, family_tree, rows
from stemma.server.explorer.lineage_queries import LineageQuery
from stemma.server.explorer.queries import dialect
from stemma.server.explorer.tree_request import FIRST, MOST, TreeRequest
from stemma.server.explorer.view import MOST_PAPERS, TYPES, Downloads, papers_of, turtle
from stemma.server.graphql.arguments import DEEPEST_LINEAGE
from stemma.server.graphql.query import LARGEST_LINEAGE
from stemma.server.lineage_document.request import KINDS, LineageRequest
from stemma.server.linked_data.responses import PAGE, problem_response, tagged
from stemma.server.presentation.bibtex import bibtex
from stemma.server.presentation.picture import DENSE, draw
from stemma.server.sparql.format import content_type

_STEP = 60
"""How many works more a click on "show more" draws."""
MOST_CARDS = 300
"""How many edges have a card below the picture; each has a page."""
_SMALL = 12
"""How many works a small picture has."""


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The picture of the nearest family of a work, its name, and the address of the whole."""

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

    def address(self, asked: TreeRequest, suffix: str = "") -> str:
        query = asked.query()
        return f"/lineage/{pages.path(self.tree.root.id)}{suffix}{'?' if query else ''}{query}"

    def document(self, direction: str) -> str:
        """Return the address of all of the lineage, which has no general terms left out."""
        given = urlencode({"direction": direction, **self.asked.shared()})
        return f"/lineage/{pages.path(self.tree.root.id)}.json?{given}"


def fragment(edge: LineageEdge) -> str:
    """Return the name of an edge on its page."""
    return f"{edge.child}--{edge.parent}"


def small_tree(reader: Reader, work: str, works: int = _SMALL) -> SmallTree | None:
    """Return the nearest family of a work, as many as `works`, if it has any."""
    asked = TreeRequest(LineageRequest(max_depth=1), first=works)
    tree = family_tree(reader, work, asked)
    if not tree.drawn:
        return None
    picture = Markup(draw(tree.drawing()))
    return SmallTree(tree.root.name, picture, f"/lineage/{pages.path(tree.root.id)}")


def tree_page(request: Request, reader: Reader) -> Response:
    """Return the page of a family tree."""

    def show(request: Request, tree: FamilyTree, asked: TreeRequest) -> Response:
        return _page(request, reader, tree, asked)

    return _of(request, reader, "", show)


def tree_svg(request: Request, reader: Reader) -> Response:
    """Return the picture alone, without links: it may be shown anywhere."""
    return _of(request, reader, ".svg", _svg)


def tree_csv(request: Request, reader: Reader) -> Response:
    """Return the edges that are drawn, a row for each sentence."""
    return _of(request, reader, ".csv", _csv)


def tree_turtle(request: Request, reader: Reader) -> Response:
    """Return what the papers behind the edges state."""

    def show(request: Request, tree: FamilyTree, asked: TreeRequest) -> Response:
        if reader.dataset is None:
            return PlainTextResponse("This graph is kept in Neo4j, and has no RDF.\n", 404)
        body = turtle(reader, _papers(tree)).encode(errors="replace")
        return tagged(request, body, TYPES["ttl"], _file(tree, "ttl"))

    return _of(request, reader, ".ttl", show)


def tree_bibtex(request: Request, reader: Reader) -> Response:
    """Return the papers behind the edges."""

    def show(request: Request, tree: FamilyTree, asked: TreeRequest) -> Response:
        body = bibtex(papers_of(reader, _papers(tree))).encode(errors="replace")
        return tagged(request, body, TYPES["bib"], _file(tree, "bib"))

    return _of(request, reader, ".bib", show)


def _papers(tree: FamilyTree) -> list[str]:
    """Return the papers (ids) behind the edges, as many as a file holds."""
    papers = (each.subject for edge in tree.edges for each in edge.statements)
    return list(dict.fromkeys(each for each in papers if each.startswith(PAPER)))[:MOST_PAPERS]


def _of(
    request: Request,
    reader: Reader,
    suffix: str,
    show: Callable[[Request, FamilyTree, TreeRequest], Response],
) -> Response:
    """Show the family tree of the work in the address, or redirect to where it is."""
    try:
        asked = TreeRequest.parse(request.query_params)
    except ValueError as error:
        return problem_response(request, error)
    local = request.path_params["local"]
    known = reader.resolve(local)
    root = reader.contributions([known]).get(known, known)
    if root != local:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/lineage/{pages.path(root)}{suffix}{query}")
    return show(request, family_tree(reader, root, asked), asked)


def _page(request: Request, reader: Reader, tree: FamilyTree, asked: TreeRequest) -> Response:
    cards = (*tree.edges, *tree.implied)[: MOST_CARDS if pages.is_served() else None]
    links = _Links(tree, asked, frozenset(map(fragment, cards)))
    body = pages.render(
        "tree.html",
        tree=tree,
        asked=asked,
        svg=Markup(draw(tree.drawing(), links)),
        links=links,
        cards=cards,
        fragment=fragment,
        wider=asked.showing(asked.first + _STEP) if asked.first < MOST else None,
        most=MOST,
        dense=DENSE,
        deepest=DEEPEST_LINEAGE,
        first=FIRST,
        kinds=KINDS,
        downloads=Downloads(
            f"/lineage/{pages.path(tree.root.id)}",
            asked.query(),
            ("svg", "csv", *(("ttl",) if reader.dataset else ()), "bib"),
            tree.root.id.partition("/")[2],
            len(_papers(tree)),
        ),
        queries=_queries(tree, asked).queries(dialect(reader)),
    )
    return tagged(request, body.encode(), content_type(PAGE), {})


def _queries(tree: FamilyTree, asked: TreeRequest) -> LineageQuery:
    """Return what asks for all works of the tree, also for those that are not drawn."""
    return LineageQuery(
        tree.root.id,
        asked.directions,
        asked.asked.max_depth,
        asked.asked.filter,
        asked.general,
        min(max(*tree.reached.values(), 1), LARGEST_LINEAGE),
        asked.asked.kinds,
        (asked.asked.year_from, asked.asked.year_to),
    )


def _svg(request: Request, tree: FamilyTree, asked: TreeRequest) -> Response:
    return tagged(request, draw(tree.drawing()).encode(), "image/svg+xml", _file(tree, "svg"))


def _csv(request: Request, tree: FamilyTree, asked: TreeRequest) -> Response:
    text = StringIO()
    csv.writer(text).writerows(rows(tree))
    body = text.getvalue().encode(errors="replace")
    return tagged(request, body, "text/csv; charset=utf-8", _file(tree, "csv"))


def _file(tree: FamilyTree, suffix: str) -> dict[str, str]:
    name = quote(tree.root.id.partition("/")[2], safe="")
    return {"content-disposition": f"inline; filename*=UTF-8''{name}.{suffix}"}
