"""The addresses of the explorer: ``/`` for browsers, the box, and ``/lineage/`` for trees."""

from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Statistics, Store
from stemma.graph.added_edges import edges_added
from stemma.graph.history import since
from stemma.server.asking.suggestion import suggestions
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.sparql.format import content_type
from stemma.server.web import pages
from stemma.server.web.explorer.compare_page import make_compare_page
from stemma.server.web.explorer.decisions import Decisions
from stemma.server.web.explorer.evidence_page import evidence_page
from stemma.server.web.explorer.explorer_page import file_routes, page_routes
from stemma.server.web.explorer.front_page import front_page
from stemma.server.web.explorer.papers_page import make_papers_page
from stemma.server.web.explorer.path_page import make_path_page
from stemma.server.web.explorer.search_box import find, make_answer_page, suggest
from stemma.server.web.explorer.statements_page import make_statements_page
from stemma.server.web.explorer.tree_page import make_tree_page, tree_page
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, problem_response, tagged

_MOST_OF_A_BUILD = 50
"""Papers, entities or edges of a build that the page shows."""


class Explorer:
    """Serves the front page of `store`, and what leads on from it."""

    def __init__(self, store: Store, playground: bool, can_decide: bool = False) -> None:
        self._store = store
        self._can_decide = can_decide
        self._playground = playground
        self._front: tuple[Statistics, bytes] | None = None

    def routes(self) -> list[Route]:
        evidence = partial(evidence_page, can_decide=self._can_decide)
        return [
            *(Decisions(self._store).routes() if self._can_decide else ()),
            Route("/evidence", page_endpoint(self._store, evidence)),
            Route("/", self._root),
            Route("/page", page_endpoint(self._store, find)),
            *file_routes(self._store, "/page", make_answer_page),
            Route("/suggest", page_endpoint(self._store, suggest)),
            Route("/changes", page_endpoint(self._store, _changes_page)),
            Route("/help", page_endpoint(self._store, _help)),
            *file_routes(self._store, "/lineage/{local:path}", make_tree_page),
            Route("/lineage/{local:path}", page_endpoint(self._store, tree_page)),
            *page_routes(self._store, "/compare", make_compare_page),
            *page_routes(self._store, "/path", make_path_page),
            *page_routes(self._store, "/papers", make_papers_page),
            *page_routes(self._store, "/statements", make_statements_page),
        ]

    def _root(self, request: Request) -> Response:
        """Return the front page to a browser, and redirect programs to what answers them."""
        if preferred(accepted(request), ["application/json", PAGE]) == PAGE:
            return page_endpoint(self._store, self._front_page)(request)
        return RedirectResponse(
            "/graphql" if self._playground else "/page", headers={"vary": "Accept"}
        )

    def _front_page(self, request: Request, reader: Reader) -> Response:
        # All of the graph has a part in it: it is made once a generation. Another store that was
        # put in the place of this one has generations of the same names.
        statistics = reader.statistics()
        if self._front is None or self._front[0] != statistics:
            body = pages.render("front.html", page=front_page(reader)).encode()
            self._front = (statistics, body)
        return tagged(request, self._front[1], content_type(PAGE), {"vary": "Accept"})


def _help(request: Request, reader: Reader) -> Response:
    body = pages.render("help.html", questions=suggestions(reader))
    return tagged(request, body.encode(), content_type(PAGE), {})


def _changes_page(request: Request, reader: Reader) -> Response:
    """Return the page: the latest build first, its new lineage with the sentences."""
    start = request.query_params.get("since")
    try:
        builds = since(reader.builds(), start or None)
    except ValueError as error:
        return problem_response(request, ValueError(f"since: {error}"))
    edges = edges_added(reader, builds, _MOST_OF_A_BUILD)
    body = pages.render(
        "changes.html", builds=builds, edges=edges, since=start, most=_MOST_OF_A_BUILD
    )
    return tagged(request, body.encode(), content_type(PAGE), {})
