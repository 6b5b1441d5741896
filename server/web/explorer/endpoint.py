"""The addresses of the explorer: ``/`` for browsers, the box, and ``/lineage/`` for trees."""

from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Statistics, Store
from stemma.graph.history import edges_added, since
from stemma.server.asking.suggestion import suggestions
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.sparql.format import content_type
from stemma.server.web import pages
from stemma.server.web.explorer.compare_page import make_compare_page
from stemma.server.web.explorer.decisions import Decisions
from stemma.server.web.explorer.evidence_page import evidence_page
from stemma.server.web.explorer.explorer_page import page_routes
from stemma.server.web.explorer.front_page import front_page
from stemma.server.web.explorer.papers_page import make_papers_page
from stemma.server.web.explorer.search_box import entities_page, make_answer_page, suggest
from stemma.server.web.explorer.tree_page import make_tree_page
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, tagged

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
        handlers: dict[str, Callable[[Request, Reader], Response]] = {
            "/evidence": partial(evidence_page, can_decide=self._can_decide),
            "/entities": entities_page,
            "/suggest": suggest,
            "/changes": _changes_page,
            "/help": _help,
            "/developers": _developers,
        }
        return [
            *(Decisions(self._store).routes() if self._can_decide else ()),
            Route("/", self._root),
            *(Route(at, page_endpoint(self._store, each)) for at, each in handlers.items()),
            *page_routes(self._store, "/page", make_answer_page),
            *page_routes(self._store, "/lineage/{local:path}", make_tree_page),
            *page_routes(self._store, "/compare", make_compare_page),
            *page_routes(self._store, "/papers", make_papers_page),
            Route("/path", _path),
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
            body = pages.render("front.html", **front_page(reader)).encode()
            self._front = (statistics, body)
        return tagged(request, self._front[1], content_type(PAGE), {"vary": "Accept"})


def _help(request: Request, reader: Reader) -> Response:
    body = pages.render("help.html", questions=suggestions(reader))
    return tagged(request, body.encode(), content_type(PAGE), {})


def _developers(request: Request, reader: Reader) -> Response:
    return tagged(request, pages.render("developers.html").encode(), content_type(PAGE), {})


def _path(request: Request) -> Response:
    """Redirect from where the path between two works was shown alone."""
    return RedirectResponse(f"/compare?{request.url.query}")


def _changes_page(request: Request, reader: Reader) -> Response:
    """Return the page: the latest build first, its new lineage with the sentences."""
    start = request.query_params.get("since")
    try:
        builds = since(reader.builds(), start or None)
    except ValueError as error:
        raise ValueError(f"since: {error}") from None
    edges = edges_added(reader, builds, _MOST_OF_A_BUILD)
    body = pages.render(
        "changes.html", builds=builds, edges=edges, since=start, most=_MOST_OF_A_BUILD
    )
    return tagged(request, body.encode(), content_type(PAGE), {})
