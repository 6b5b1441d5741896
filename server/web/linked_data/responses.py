"""Responses of pages: found works, names that are unknown or ambiguous, bodies with a tag."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from stemma.graph import (
    AmbiguousNameError,
    BadCursorError,
    Reader,
    Store,
    StoreError,
    UnknownNameError,
    Work,
)
from stemma.graph.searching import works_called
from stemma.schema import Entity
from stemma.server.http.caching import NO_CACHE, body_etag, is_not_modified
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.responses import (
    UNKNOWN_ADDRESS,
    UNREADABLE,
    body_response,
    handle_http_exception,
)
from stemma.server.sparql.format import GRAPHS, QUADS, content_type
from stemma.server.views.notes import count_papers, notes
from stemma.server.web import pages

PAGE = "text/html"
_GENERATION, _NUMBER = "generation", re.compile(r"[0-9]{1,12}")
_NO_NAME = (
    "No id in the URL: add the id of a paper or an entity, such as entity/lora, or search by name "
    "at /page."
)
_log = logging.getLogger(__name__)


def page_endpoint(
    store: Store, handle: Callable[[Request, Reader], Response]
) -> Callable[[Request], Response]:
    """Make an endpoint that runs in a thread."""

    def endpoint(request: Request) -> Response:
        try:
            with store.snapshot() as reader, _visited(request, reader) as asked:
                try:
                    return handle(asked, reader)
                except UnknownNameError as error:
                    response = _unknown(request, reader, error)
                except AmbiguousNameError as error:
                    response = _ambiguous(request, reader, error)
                except BadCursorError as error:
                    response = problem_response(request, error)
                response.headers.add_vary_header("Accept")
                return response
        except StoreError as error:
            _log.error("the store failed: %s", error)
            return PlainTextResponse(f"{UNREADABLE}\n", 503)

    return endpoint


@contextmanager
def _visited(request: Request, reader: Reader) -> Iterator[Request]:
    """Tell pages which generation a permanent link names, and yield the request without it."""
    given = parse_qsl(request.url.query, keep_blank_values=True)
    linked = next((value for name, value in given if name == _GENERATION), None)
    if linked is not None and _NUMBER.fullmatch(linked):
        query = urlencode([each for each in given if each[0] != _GENERATION], safe="/,:")
        request = Request({**request.scope, "query_string": query.encode()}, request.receive)
    else:
        linked = None
    url = request.url
    with pages.rendered_at(pages.Visit(url.path, url.query, reader.generation, linked)):
        yield request


def preferred_type(request: Request, page: bool, quads: bool = False) -> str | None:
    """Return the format of RDF, or a page, that a client would rather have, if it takes any."""
    offered = [*([PAGE] if page else []), *GRAPHS, *(QUADS if quads else ())]
    return preferred(accepted(request), offered)


def tagged(request: Request, body: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """Return a body with a tag, or only say that the client has it already."""
    etag = body_etag(body)
    headers = {**headers, "etag": etag, "cache-control": NO_CACHE}
    if is_not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    return body_response(body, media_type, headers)


def found_response(
    reader: Reader,
    heading: str,
    works: Sequence[Work],
    remark: str = "",
    status: int = 200,
    sought: str = "",
    more: str = "",
    questions: Sequence[str] = (),
) -> Response:
    """Show works in a list, entities with the number of papers on them.

    `more` is the query by which the next page is asked for. `questions` are what can be asked
    instead.
    """
    entities = [each.id for each in works if isinstance(each, Entity)]
    body = pages.render(
        "found.html",
        heading=heading,
        remark=remark,
        works=works,
        notes=notes(reader, works),
        papers={id_: count_papers(reader, id_) for id_ in entities},
        sought=sought,
        more=more,
        questions=questions,
    )
    return Response(body, status, media_type=content_type(PAGE))


async def handle_unknown_address(request: Request, error: Exception) -> Response:
    """Show people a page that leads on; others get the error as they accept it."""
    response = await handle_http_exception(request, error)
    offered = ("application/json", PAGE, "text/plain")
    if request.method in ("GET", "HEAD") and preferred(accepted(request), offered) == PAGE:
        body = pages.render("problem.html", heading="Not found", problem=UNKNOWN_ADDRESS)
        response = Response(body, 404, {"vary": "Accept"}, content_type(PAGE))
    return response


def problem_response(request: Request, problem: ValueError) -> Response:
    """Say why an address cannot be shown, and where to go instead."""
    if preferred_type(request, page=True) != PAGE:
        return PlainTextResponse(f"{problem}\n", 400)
    body = pages.render(
        "problem.html",
        heading="Cannot display this page",
        problem=str(problem),
        address=request.url.path,
    )
    return Response(body, 400, media_type=content_type(PAGE))


def _unknown(request: Request, reader: Reader, error: UnknownNameError) -> Response:
    is_named = bool(error.name.strip())
    if preferred_type(request, page=True) != PAGE:
        return PlainTextResponse(f"{error if is_named else _NO_NAME}\n", 404)
    works = works_called(reader, error.nearest)
    remark = f"Nothing in this graph is called “{error.name}”." if is_named else _NO_NAME
    return found_response(
        reader, "Not found", works, f"{remark} Did you mean one of these?" if works else remark, 404
    )


def _ambiguous(request: Request, reader: Reader, error: AmbiguousNameError) -> Response:
    if preferred_type(request, page=True) != PAGE:
        return PlainTextResponse(f"{error}\n", 300)
    remark = f"{error.name} is the name of several works."
    return found_response(reader, "Which one?", error.candidates, remark, 300)
