"""The addresses of linked data: ``/id/`` for things, ``/page/`` and ``/data/`` for what is known.

A thing is named by the end of its IRI, whatever the base of the store. Its address leads, by 303
and as the client accepts, to a page or to RDF; these say by an entity tag whether they changed.
"""

import logging
from collections.abc import Callable, Sequence
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import (
    AmbiguousNameError,
    BadCursorError,
    PageOrder,
    Reader,
    Store,
    StoreError,
    UnknownNameError,
    Work,
    WorkType,
)
from stemma.graph.oxigraph.vocabulary import PREFIXES
from stemma.graph.searching import search, works_called
from stemma.schema import Entity, Paper, RelationType
from stemma.schema.identifier import is_id
from stemma.schema.namespace import DATA
from stemma.server import pages
from stemma.server.http.caching import NO_CACHE, body_etag, is_not_modified
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.responses import UNREADABLE, body_response
from stemma.server.linked_data.description import describe, knows
from stemma.server.linked_data.listing import ROLES, cases_of, papers_of
from stemma.server.linked_data.page_query import query_of
from stemma.server.linked_data.property_table import property_table
from stemma.server.linked_data.work_page import entity_page, paper_page
from stemma.server.sparql.format import GRAPHS, content_type

_log = logging.getLogger(__name__)
_PAGE = "text/html"
_SUFFIXES = {
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdf": "application/rdf+xml",
}
_NO_RDF = "This graph is kept in Neo4j, and has no RDF. Its pages are at /page/.\n"
_NO_NAME = (
    "This address names nothing: the id of a paper or an entity stands behind it, such as "
    "entity/lora. /page finds them by name."
)
_SHOWN = 20


class LinkedData:
    """Serves what has an IRI in `store`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/id/{local:path}", self._endpoint(_redirect)),
            Route("/data/{local:path}", self._endpoint(_data)),
            Route("/page", self._endpoint(_find)),
            Route("/page/{local:path}", self._endpoint(_page)),
        ]

    def _endpoint(
        self, handle: Callable[[Request, Reader, str], Response]
    ) -> Callable[[Request], Response]:
        """Make an endpoint, which runs in a thread, for the thing in its address."""

        def endpoint(request: Request) -> Response:
            try:
                with self._store.snapshot() as reader:
                    try:
                        return handle(request, reader, request.path_params.get("local", ""))
                    except UnknownNameError as error:
                        return _unknown(request, reader, error)
                    except AmbiguousNameError as error:
                        return _ambiguous(request, error)
                    except BadCursorError as error:
                        return PlainTextResponse(f"{error}\n", 400)
            except StoreError as error:
                _log.error("the store failed: %s", error)
                return PlainTextResponse(f"{UNREADABLE}\n", 503)

        return endpoint


def _find(request: Request, reader: Reader, local: str) -> Response:
    """Find works by a name or a part of it; without one, show those that most papers name."""
    sought = request.query_params.get("q", "").strip()
    if not sought:
        most = reader.page(WorkType.ENTITY, order=PageOrder.PAPERS, first=_SHOWN)
        return _found("What most papers speak of", most.works)
    try:
        return RedirectResponse(f"/page/{pages.path(reader.resolve(sought))}", 303)
    except UnknownNameError:
        found = search(reader, sought, (), _SHOWN, request.query_params.get("after"))
        more = urlencode({"q": sought, "after": found.end_cursor}) if found.end_cursor else ""
        remark = "" if found.works else "Nothing in this graph is called so."
        if found.total > len(found.works):
            remark = f"{found.total} works match."
        return _found(f"Works like “{sought}”", found.works, remark, sought=sought, more=more)


def _redirect(request: Request, reader: Reader, local: str) -> Response:
    """Redirect from a thing to its page or its data."""
    local, mark, fragment = local.partition("#")
    known = _known(reader, local)
    if known != local:
        # Not for ever: linking may change its mind.
        return RedirectResponse(f"/id/{pages.path(known)}", 301, {"cache-control": NO_CACHE})
    if reader.dataset is None and not preferred(accepted(request), [_PAGE]):
        return PlainTextResponse(_NO_RDF, 406, {"vary": "Accept"})
    media_type = _preferred(request, page=True)
    if media_type is None:
        return _not_acceptable()
    if media_type == _PAGE or reader.dataset is None:
        address = f"/page/{pages.path(local)}{mark}{quote(fragment)}"
    else:
        address = _data_address(local, media_type)
    return RedirectResponse(address, 303, {"vary": "Accept", "cache-control": NO_CACHE})


def _data(request: Request, reader: Reader, local: str) -> Response:
    """Return RDF about a thing, in the format of the suffix or else as the client accepts."""
    stem, _, suffix = local.rpartition(".")
    media_type = _SUFFIXES.get(suffix) or _preferred(request, page=False)
    if media_type is None:
        return _not_acceptable()
    dataset = reader.dataset
    if dataset is None:
        return PlainTextResponse(_NO_RDF, 501)
    known = _known(reader, stem if suffix in _SUFFIXES else local)
    triples = describe(dataset, known)
    body = ox.serialize(triples, None, GRAPHS[media_type], prefixes=PREFIXES) or b""
    headers = {"vary": "Accept", "content-location": _data_address(known, media_type)}
    return _tagged(request, body, content_type(media_type), headers)


def _page(request: Request, reader: Reader, local: str) -> Response:
    """Return the page of a thing."""
    known = _known(reader, local)
    if known != local:
        return RedirectResponse(f"/page/{pages.path(known)}", 301)
    if listing := _listing(request, reader, local):
        return _tagged(request, listing.encode(), content_type(_PAGE), {})
    dataset = reader.dataset
    base = dataset.base if dataset else DATA
    has_data = dataset is not None
    work = reader.works([local]).get(local)
    if work is None:
        assert dataset  # Without RDF, only works are known.
        triples = describe(dataset, local)
        body = pages.render(
            "thing.html", local=local, iri=base + local, subjects=property_table(triples, base)
        )
    elif isinstance(work, Paper):
        chosen = request.query_params.get("statement")
        page = paper_page(reader, work, chosen)
        if page is None:
            raise UnknownNameError(f"{local}#{chosen}", [work.title])
        body = pages.render(
            "paper.html", page=page, query=query_of(work), iri=base + local, has_data=has_data
        )
    else:
        body = pages.render(
            "entity.html",
            page=entity_page(reader, work),
            roles=ROLES,
            query=query_of(work),
            iri=base + local,
            has_data=has_data,
        )
    return _tagged(request, body.encode(), content_type(_PAGE), {})


def _listing(request: Request, reader: Reader, local: str) -> str | None:
    """List what the page of an entity has no room for; None if the page itself is asked for."""
    asked = request.query_params
    after, before = asked.get("after"), asked.get("before")
    work = reader.works([local]).get(local)
    if "cases" in asked and isinstance(work, Entity):
        return pages.render("listing.html", page=cases_of(reader, work, after, before))
    if "papers" not in asked:
        return None
    relation = asked["papers"].upper()
    if not isinstance(work, Entity) or relation not in ROLES:
        raise UnknownNameError(f"{local}?papers={asked['papers']}", ())
    listing = papers_of(reader, work, RelationType(relation), after, before)
    return pages.render("listing.html", page=listing)


def _known(reader: Reader, local: str) -> str:
    """Return the end of an IRI as it is now. Raises UnknownNameError or AmbiguousNameError."""
    if is_id(local):
        return reader.resolve(local)
    if reader.dataset and knows(reader.dataset, local):
        return local
    raise UnknownNameError(local, ())


def _preferred(request: Request, page: bool) -> str | None:
    return preferred(accepted(request), [*([_PAGE] if page else []), *GRAPHS])


def _data_address(local: str, media_type: str) -> str:
    suffix = next(s for s, each in _SUFFIXES.items() if GRAPHS[each] == GRAPHS[media_type])
    return f"/data/{pages.path(local)}.{suffix}"


def _tagged(request: Request, body: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """Return a body with a tag, or only say that the client has it already."""
    etag = body_etag(body)
    headers = {**headers, "etag": etag, "cache-control": NO_CACHE}
    if is_not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    return body_response(body, media_type, headers)


def _not_acceptable() -> Response:
    offered = ", ".join([_PAGE, *_SUFFIXES.values()])
    return PlainTextResponse(f"This is offered as {offered}.\n", 406, {"vary": "Accept"})


def _unknown(request: Request, reader: Reader, error: UnknownNameError) -> Response:
    is_named = bool(error.name.strip())
    if _preferred(request, page=True) != _PAGE:
        return PlainTextResponse(f"{error if is_named else _NO_NAME}\n", 404)
    works = works_called(reader, error.nearest)
    remark = f"Nothing in this graph is called “{error.name}”." if is_named else _NO_NAME
    return _found(
        "Not found", works, f"{remark} Did you mean one of these?" if works else remark, 404
    )


def _ambiguous(request: Request, error: AmbiguousNameError) -> Response:
    if _preferred(request, page=True) != _PAGE:
        return PlainTextResponse(f"{error}\n", 300)
    return _found(
        "Which one?", error.candidates, f"{error.name} is the name of several works.", 300
    )


def _found(
    heading: str,
    works: Sequence[Work],
    remark: str = "",
    status: int = 200,
    sought: str = "",
    more: str = "",
) -> Response:
    """Show works in a list; `more` is the query by which the next page is asked for."""
    body = pages.render(
        "found.html", heading=heading, remark=remark, works=works, sought=sought, more=more
    )
    return Response(body, status, media_type=content_type(_PAGE))
