"""Two works: how they are related, and side by side: ``/compare?left=LoRA&right=QLoRA``."""

from collections.abc import Mapping
from http import HTTPStatus
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    LineageNode,
    Reader,
    Selection,
    UnknownNameError,
    Work,
)
from stemma.graph.comparing import Aspect, compare
from stemma.graph.lineage import traverse
from stemma.graph.path import Path, find_path
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.views.notes import asked_as
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.statement import works_of, works_of_edges
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import ExplorerPage, query
from stemma.server.web.explorer.tree_page import fragment, pictures
from stemma.server.web.linked_data.responses import meant_by, prefers_page
from stemma.server.web.paper_table import table_of
from stemma.server.web.picture import Drawing, PictureLinks

_NAMES = ("left", "right")
_KIN = {
    LineageDirection.ANCESTORS: "what it builds on",
    LineageDirection.DESCENDANTS: "what builds on it",
}
_STEPS = PictureLinks(lambda edge: f"#{quote(fragment(edge), safe='/')}", {})
"""In the picture of a path, edges lead to their steps."""
_DEPTH = 3
_MOST_SHOWN, _MOST_SUGGESTED = 300, 8


def make_compare_page(request: Request, reader: Reader) -> ExplorerPage | Response:
    """Compare two works, or ask for those that the address leaves out or misspells."""
    given = QueryParameters(request.query_params, _NAMES)
    names = {name: given.text(name) or "" for name in _NAMES}
    ids: dict[str, str] = {}
    misnamed = list[tuple[str, list[tuple[str, Work]]]]()
    for name, text in names.items():
        try:
            ids |= {name: reader.resolve(text)} if text else {}
        except (UnknownNameError, AmbiguousNameError) as error:
            if request.url.path != "/compare" or not prefers_page(request):
                raise
            problem, works = meant_by(reader, error)
            asked = ({**names, name: asked_as(reader, work)} for work in works)
            queries = [urlencode(each, safe="/") for each in asked]
            misnamed.append((problem, list(zip(queries, works, strict=True))))
    chosen = names | {e: asked_as(reader, reader.works([id_])[id_]) for e, id_ in ids.items()}
    if len(ids) < len(_NAMES):
        near = _near(reader, chosen, *ids.values()) if ids and not misnamed else ()
        body = pages.render("compare.html", chosen=chosen, misnamed=misnamed, near=near, sides=None)
        return HTMLResponse(body, HTTPStatus.NOT_FOUND if misnamed else HTTPStatus.OK)
    return _page(reader, ids["left"], ids["right"], chosen)


def _page(reader: Reader, left: str, right: str, chosen: dict[str, str]) -> ExplorerPage:
    sides = compare(reader, left, right)
    path = sides.lineage if sides.lineage.edges else find_path(reader, left, right)
    on_path = [statement for edge in path.edges for statement in edge.statements]

    def values() -> dict[str, Any]:
        ids = works_of_edges(path.edges) | works_of(sides.statements)
        works = reader.works({left, right, path.start, path.goal, *ids})
        return {
            "sides": sides,
            "kin": {
                words: _kin(reader, left, right, direction) for direction, words in _KIN.items()
            },
            "works": works,
            "picture": len(path.edges) > 1 and pictures(_drawn(reader, path, works), _STEPS),
            "fragment": fragment,
            "steps": zip(path.edges, pairwise(path.works), strict=True),
            "statements": [statement for statement in sides.statements if statement not in on_path],
            "compared_by": table_of(reader, sides.compared_by[:_MOST_SHOWN]),
            "chosen": chosen,
            "misnamed": (),
        }

    papers = [paper.id for side in (sides.left, sides.right) for paper in side.papers]
    saying = [statement.subject for statement in (*sides.statements, *on_path)]
    return ExplorerPage(
        name=f"compare-{left.partition('/')[2]}-{right.partition('/')[2]}",
        template="compare.html",
        values=values,
        view=lambda: ComparisonOfWorks.of(reader, sides),
        papers=[*papers, *saying, *(paper.id for paper in sides.compared_by)],
        graphql=query("compare", sides.left.work.id, sides.right.work.id, Aspect),
    )


def _drawn(reader: Reader, path: Path, works: Mapping[str, Work]) -> Drawing:
    dates = reader.published(path.works)
    nodes = [LineageNode(works[e], n, dates.get(e)) for n, e in enumerate(path.works)]
    title = f"How {nodes[0].work.name} is related to {nodes[-1].work.name}"
    return Drawing(title, nodes, path.edges, works, "")


def _near(reader: Reader, chosen: dict[str, str], work: str) -> list[tuple[str, Work]]:
    """Return what to compare a work with, works one step away, each with its query."""
    root = reader.contributions([work]).get(work, work)
    ids = [e for way in LineageDirection for e in reader.neighbours([root], way)[root]]
    missing = next(name for name in _NAMES if not chosen[name])
    works = reader.works(ids[:_MOST_SUGGESTED]).values()
    return [(urlencode(chosen | {missing: asked_as(reader, e)}, safe="/"), e) for e in works]


def _kin(reader: Reader, left: str, right: str, direction: LineageDirection) -> list[list[Work]]:
    """Return the relatives of one work alone, of both, and of the other in a direction.

    Those of both are up to some steps away, those of one alone one step. General terms that build
    on a work are left out.
    """
    upwards = direction is LineageDirection.ANCESTORS
    named = Selection(direction=direction, max_depth=_DEPTH, include_general=upwards)
    one, other = (traverse(reader, each, named) for each in (left, right))
    shared = (one.depths.keys() & other.depths.keys()) - {one.root.id, other.root.id}
    alone = [
        [id_ for depth, _, id_ in traversal.places() if depth == 1 and id_ not in shared]
        for traversal in (one, other)
    ]
    common = [id_ for *_, id_ in one.places() if id_ in shared]
    common.sort(key=lambda each: one.depths[each] + other.depths[each])
    parts = (alone[0], common, alone[1])
    return [list(reader.works(part[:_MOST_SHOWN]).values()) for part in parts]
