"""The addresses of linked data: ``/id/`` for things, ``/page/`` and ``/data/`` for what is known.

A thing is named by the end of its IRI, whatever the base of the store. Its address leads, by 303
and as the client accepts, to a page or to RDF; these say by an entity tag whether they changed.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import PageOrder, Reader, Selection, Store, UnknownNameError, Work, WorkType
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.schema import Paper
from stemma.schema.name import AUTHOR, ENTITY, PAPER, is_id
from stemma.server.http.caching import NO_CACHE
from stemma.server.settings import Settings
from stemma.server.sparql.format import GRAPHS, SUFFIXES
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import LARGEST_PAGE, downloads, query
from stemma.server.web.explorer.tree_page import small_tree
from stemma.server.web.linked_data.description import describe, knows
from stemma.server.web.linked_data.responses import (
    PAGE,
    accepted_type,
    page_endpoint,
    page_response,
    tagged,
)
from stemma.server.web.linked_data.vocabularies import document_page, vocabulary_routes
from stemma.server.web.linked_data.work_page import entity_page, paper_page
from stemma.server.web.paper_table import table_of

_PASSING = {"cache-control": NO_CACHE}
"""Of a redirect to the IRI of today: linking may change its mind."""
_A_PAGE = 50
_MOST_COAUTHORS = 30


def author_page(reader: Reader, id_: str, after: str | None, before: str | None) -> dict[str, Any]:
    """Gather what is shown of an author: papers of a page, and co-authors in these.

    Raises BadCursorError.
    """
    wrote = Selection(authors=(id_,), order=PageOrder.PUBLISHED, first=_A_PAGE, after=after)
    page = reader.page(WorkType.PAPER, wrote, before)
    written = reader.authors([item.id for item in page.items])
    often = Counter(author for authors in written.values() for author in authors if author != id_)
    ids = sorted(often, key=lambda author: (-often[author], author))
    return {
        "person": reader.people([id_])[id_],
        "papers": table_of(reader, page.items),
        "coauthors": list(reader.people(ids[:_MOST_COAUTHORS]).values()),
        "written": page,
        "address": f"/page/{pages.path(id_)}",
    }


def known_author(reader: Reader, id_: str) -> str:
    """Return the id of an author as it is now. Raises UnknownNameError."""
    if reader.people([id_]):
        return id_
    # The id of one of several who share a name, where there is but one of the name now.
    short = id_.partition("--")[0]
    persons = reader.people_called(short)
    if len(persons) != 1:
        raise UnknownNameError(id_, ())
    return persons[0].id


def linked_data_routes(store: Store, settings: Settings) -> list[Route]:
    """Return the routes of what has an IRI in `store`; `settings` say who publishes it."""
    page = partial(_page, settings=settings)
    return [
        Route("/id/{local:path}", page_endpoint(store, _redirect)),
        Route("/data/{local:path}", page_endpoint(store, _data)),
        Route("/page/{local:path}", page_endpoint(store, page)),
        *(Route(f"/{sort}{{name:path}}", _thing) for sort in (ENTITY, PAPER, AUTHOR)),
        *vocabulary_routes(store, settings),
    ]


def _thing(request: Request) -> Response:
    """Redirect from an id to the thing that has it."""
    return RedirectResponse(f"/id{pages.path(request.url.path)}", 308)


def _redirect(request: Request, reader: Reader) -> Response:
    """Redirect from a thing to its page or its data."""
    local, mark, fragment = request.path_params["local"].partition("#")
    known = _known(reader, local)
    if known != local:
        return RedirectResponse(f"/id/{pages.path(known)}", 301, _PASSING)
    media_type = accepted_type(request, [*GRAPHS, PAGE])
    if media_type == PAGE:
        address = f"/page/{pages.path(local)}{mark}{quote(fragment)}"
    else:
        address = _data_address(local, media_type)
    return RedirectResponse(address, 303, {"vary": "Accept", "cache-control": NO_CACHE})


def _data(request: Request, reader: Reader) -> Response:
    """Return RDF about a thing, in the format of the suffix or else as the client accepts."""
    local = request.path_params["local"]
    stem, _, suffix = local.rpartition(".")
    media_type = SUFFIXES.get(suffix) or accepted_type(request, [*GRAPHS, PAGE])
    if media_type == PAGE:
        return RedirectResponse(f"/page/{pages.path(local)}", 303, {"vary": "Accept"})
    named = stem if suffix in SUFFIXES else local
    known = _known(reader, named)
    if known != named:
        return RedirectResponse(_data_address(known, media_type), 301, _PASSING)
    dataset = reader.dataset
    if dataset is None:
        return PlainTextResponse(
            "This graph is in Neo4j. The store that was pushed there has its RDF.\n", 501
        )
    body = (
        ox.serialize(describe(dataset, known), None, GRAPHS[media_type], prefixes=PREFIXES) or b""
    )
    headers = {"vary": "Accept", "content-location": _data_address(known, media_type)}
    return tagged(request, body, media_type, headers)


def _page(request: Request, reader: Reader, settings: Settings) -> Response:
    """Return the page of a thing; with forms that decide, where that is allowed."""
    local = request.path_params["local"]
    known = _known(reader, local)
    if known != local:
        return RedirectResponse(f"/page/{pages.path(known)}", 301, _PASSING)
    show = partial(page_response, request, local=local, iri=reader.base + local)
    if local.startswith(AUTHOR):
        given = request.query_params
        page = author_page(reader, local, given.get("after"), given.get("before"))
        return show("author.html", page=page)
    work = reader.works([local]).get(local)
    if work is None:  # A graph, a run or a decision, which only RDF has.
        assert reader.dataset
        about = describe(reader.dataset, local)
        return document_page(request, reader.base + local, about, f"/data/{pages.path(local)}")
    tree = small_tree(reader, local)
    sort = local.partition("/")[0]
    return show(
        f"{sort}.html",
        page=paper_page(reader, work) if isinstance(work, Paper) else entity_page(reader, work),
        tree=tree,
        downloads=_downloads(work, tree),
        graphql=query(sort, work.id, min(settings.page_size, LARGEST_PAGE)),
        can_decide=settings.allow_decisions,
    )


def _downloads(work: Work, tree: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the files of a page: the papers that name an entity, or the family of a paper."""
    if isinstance(work, Paper):
        return downloads(tree["address"], "", ("svg", "csv", "bib")) if tree else {}
    return downloads("/papers", urlencode({"entity": work.id}, safe="/"), ("json", "csv", "bib"))


def _known(reader: Reader, local: str) -> str:
    """Return the end of an IRI as it is now. Raises UnknownNameError or AmbiguousNameError."""
    if is_id(local):
        return reader.resolve(local)
    if local.startswith(AUTHOR):
        return known_author(reader, local)
    if reader.dataset and knows(reader.dataset, local):
        return local
    return reader.resolve(local)


def _data_address(local: str, media_type: str) -> str:
    suffix = next(s for s, type_ in SUFFIXES.items() if GRAPHS[type_] == GRAPHS[media_type])
    return f"/data/{pages.path(local)}.{suffix}"
