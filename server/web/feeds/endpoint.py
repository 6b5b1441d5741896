"""The addresses of feeds: ``/feeds/papers.atom``, ``/feeds/descendants/entity/lora.atom``."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stemma.graph import Reader, Store
from stemma.graph.selection import PageOrder
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.http.selection_parameters import read_selection
from stemma.server.web.explorer.papers_page import PapersRequest, entity_called, heading
from stemma.server.web.feeds.feed import Feed, descendants_feed, papers_feed
from stemma.server.web.feeds.writing import Place, atom
from stemma.server.web.linked_data.responses import page_endpoint, problem_response, tagged

_TYPE = "application/atom+xml; charset=utf-8"
_Make = Callable[[Request, Reader], Feed]


class Feeds:
    """Serves feeds of `store`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        return [
            Route(f"{address}.atom", page_endpoint(self._store, self._as_atom(make)))
            for address, make in (
                ("/feeds/papers", _papers),
                ("/feeds/descendants/{local:path}", _descendants),
            )
        ]

    def _as_atom(self, make: _Make) -> Callable[[Request, Reader], Response]:
        def respond(request: Request, reader: Reader) -> Response:
            try:
                feed = make(request, reader)
            except ValueError as error:
                return problem_response(request, error)
            root = str(request.base_url).rstrip("/")
            place = Place(root, str(request.url), self._store.base)
            return tagged(request, atom(feed, place), _TYPE, {})

        return respond


def _papers(request: Request, reader: Reader) -> Feed:
    selection = read_selection(request.query_params, ("entity", "relations", "text"))
    entity = entity_called(reader, selection.entity) if selection.entity else None
    asked = PapersRequest(
        selection.changed(entity=entity.id if entity else None, order=PageOrder.NEWEST)
    )
    return papers_feed(reader, heading(entity, asked), asked.address(), asked.filter)


def _descendants(request: Request, reader: Reader) -> Feed:
    QueryParameters(request.query_params, ())
    return descendants_feed(reader, reader.resolve(request.path_params["local"]))
