"""The addresses of the explorer: ``/`` for browsers, the search box, and trees in ``/lineage/``."""

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import PageOrder, Reader, Selection, Statistics, Store, WorkType
from stemma.graph.history import edges_added, since
from stemma.server.asking import suggestions
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.settings import Settings
from stemma.server.web import pages
from stemma.server.web.explorer.compare_page import make_compare_page
from stemma.server.web.explorer.decisions import decision_routes
from stemma.server.web.explorer.evidence_page import evidence_page
from stemma.server.web.explorer.explorer_page import LARGEST_PAGE, page_routes
from stemma.server.web.explorer.family_tree import descendants_of
from stemma.server.web.explorer.papers_page import make_papers_page, papers_feed
from stemma.server.web.explorer.search_box import entities_page, make_answer_page, suggest
from stemma.server.web.explorer.tree_page import make_tree_page, small_tree
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, page_response, tagged
from stemma.server.web.paper_table import table_of

_MOST_OF_A_BUILD = 50
"""Papers, entities or edges of a build that the page shows."""


_WORKS, _PAPERS, _EXAMPLES = 10, 8, 3
_LARGEST_FAMILY = 1000
"""A work with more children than that is not drawn: gathering them takes too long."""


def front_page(reader: Reader) -> dict[str, Any]:
    """Gather what the template of the front page shows: the store in brief.

    `built_upon` has works with the numbers of works that build on them, directly and in all; `tree`
    is of the first whose family is not too large. `latest` is the last build, if it changed a graph
    that there was.
    """
    children = reader.most_derived(_WORKS)
    drawable = [each for each, count in children.items() if count <= _LARGEST_FAMILY]
    works = reader.works(list(children))
    dated = Selection(since=1, order=PageOrder.NEWEST, first=_PAPERS)
    newest = reader.page(WorkType.PAPER, dated).items
    latest = [build for build in reader.builds()[-1:] if not build.initial]
    return {
        "statistics": reader.statistics(),
        "tree": small_tree(reader, drawable[0]) if drawable else None,
        "built_upon": [(works[each], descendants_of(reader, each)) for each in drawable],
        "newest": table_of(reader, newest),
        "questions": suggestions(reader)[::3][:_EXAMPLES],
        "latest": latest[0] if latest else None,
    }


def explorer_routes(store: Store, settings: Settings) -> list[Route]:
    """Return the routes of the front page of `store`, and of what leads on from it."""
    page_size = min(settings.page_size, LARGEST_PAGE)
    handlers: dict[str, Callable[[Request, Reader], Response]] = {
        "/evidence": partial(evidence_page, can_decide=settings.allow_decisions),
        "/entities": entities_page,
        "/suggest": suggest,
        "/changes": _changes_page,
        "/feeds/papers.atom": papers_feed,
        "/help": lambda request, reader: page_response(
            request, "help.html", questions=suggestions(reader)
        ),
        "/developers": lambda request, _: page_response(request, "developers.html"),
    }
    return [
        *(decision_routes(store) if settings.allow_decisions else ()),
        Route("/", _front_endpoint(store, "/graphql" if settings.playground else "/page")),
        *(Route(at, page_endpoint(store, each)) for at, each in handlers.items()),
        *page_routes(store, "/page", partial(make_answer_page, page_size=page_size)),
        *page_routes(store, "/lineage/{local:path}", make_tree_page),
        *page_routes(store, "/compare", make_compare_page),
        *page_routes(store, "/papers", partial(make_papers_page, page_size=page_size)),
    ]


def _front_endpoint(store: Store, for_programs: str) -> Callable[[Request], Response]:
    """Return what sends the front page to browsers, and programs to what answers them."""
    # All of the graph has a part in the page: it is made once a generation. Another store that was
    # put in the place of this one has generations of the same names.
    made: tuple[Statistics | None, bytes] = None, b""

    def show(request: Request, reader: Reader) -> Response:
        nonlocal made
        statistics, known = reader.statistics(), made
        if known[0] != statistics:
            body = pages.render("front.html", **front_page(reader)).encode()
            made = known = statistics, body
        return tagged(request, known[1], PAGE, {"vary": "Accept"})

    page = page_endpoint(store, show)

    def endpoint(request: Request) -> Response:
        if preferred(accepted(request), ["application/json", PAGE]) == PAGE:
            return page(request)
        return RedirectResponse(for_programs, headers={"vary": "Accept"})

    return endpoint


def _changes_page(request: Request, reader: Reader) -> Response:
    """Return the page: the latest build first, its new lineage with the sentences."""
    start = request.query_params.get("since")
    try:
        builds = since(reader.builds(), start or None)
    except ValueError as error:
        raise ValueError(f"since: {error}") from None
    edges = edges_added(reader, builds, _MOST_OF_A_BUILD)
    return page_response(
        request, "changes.html", builds=builds, edges=edges, since=start, most=_MOST_OF_A_BUILD
    )
