"""The addresses of feeds: ``/feeds/papers.atom``, ``/feeds/descendants/entity/lora.atom``."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stemma.graph import Reader, Store
from stemma.schema import RelationType
from stemma.server.explorer.papers_view import Order, PapersRequest, entity_called, heading
from stemma.server.feeds.feed import Feed, descendants_feed, papers_feed
from stemma.server.feeds.writing import Place, atom
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.linked_data.responses import page_endpoint, problem_response, tagged

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
    given = QueryParameters(request.query_params, ("entity", "relations", "text"))
    name = given.text("entity")
    entity = entity_called(reader, name) if name else None
    asked = PapersRequest(
        entity.id if entity else None,
        given.choices("relations", list(RelationType)),
        text=given.text("text"),
        order=Order.NEWEST,
    )
    return papers_feed(reader, heading(entity, asked), asked.address(), asked.filter)


def _descendants(request: Request, reader: Reader) -> Feed:
    QueryParameters(request.query_params, ())
    return descendants_feed(reader, reader.resolve(request.path_params["local"]))
