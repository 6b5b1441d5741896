"""Responses of pages: found works, names that are unknown or ambiguous, bodies with a tag."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from stemma.graph import AmbiguousNameError, Reader, Store, StoreError, UnknownNameError, Work
from stemma.graph.searching import works_called
from stemma.schema.name import is_id
from stemma.server.http.caching import NO_CACHE, body_etag, is_not_modified
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.responses import (
    UNKNOWN_ADDRESS,
    UNREADABLE,
    body_response,
    handle_http_exception,
)
from stemma.server.sparql.format import GRAPHS
from stemma.server.views.notes import notes
from stemma.server.web import pages
from stemma.server.web.paper_table import table_of

PAGE = "text/html"
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
            with store.snapshot() as reader:
                try:
                    return handle(request, reader)
                except (UnknownNameError, AmbiguousNameError) as error:
                    response = _misnamed(request, reader, error)
                except ValueError as error:  # Of a parameter: it says what is allowed.
                    response = problem_response(request, error)
                response.headers.add_vary_header("Accept")
                return response
        except StoreError as error:
            _log.error("the store failed: %s", error)
            return PlainTextResponse(f"{UNREADABLE}\n", 503)

    return endpoint


def prefers_page(request: Request) -> bool:
    """Return whether a client would rather have a page than RDF."""
    return preferred(accepted(request), [PAGE, *GRAPHS]) == PAGE


def accepted_type(request: Request, offers: Sequence[str]) -> str:
    """Return the media type that a client likes best. Raises HTTPException where it likes none."""
    found = preferred(accepted(request), offers)
    if found is None:
        raise HTTPException(406, f"This is available as {', '.join(offers)}.")
    return found


def tagged(request: Request, body: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """Return a body with a tag, or only say that the client has it already."""
    etag = body_etag(body)
    headers = {**headers, "etag": etag, "cache-control": NO_CACHE}
    if is_not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    return body_response(body, media_type, headers)


def page_response(request: Request, template: str, **values: Any) -> Response:
    """Return a page with a tag, or only say that the client has it already."""
    return tagged(request, pages.render(template, **values).encode(), PAGE, {})


def found_response(
    reader: Reader,
    heading: str,
    works: Sequence[Work],
    text: str = "",
    sought: str = "",
    questions: Sequence[str] = (),
    status: int = 200,
    noted: Mapping[str, str] | None = None,
    **others: Any,
) -> Response:
    """Show works in a list, below a text; `questions` are what can be asked instead.

    Works of one name are told apart by notes, unless they are `noted` otherwise.
    """
    values = {
        "heading": heading,
        "text": text,
        "sought": sought,
        "questions": questions,
        "rows": table_of(reader, works, notes=noted or notes(reader, works)),
        **dict.fromkeys(("facets", "more", "pages", "downloads", "about"), ()),
        **others,
    }
    return HTMLResponse(pages.render("found.html", **values), status)


async def handle_unknown_address(request: Request, error: Exception) -> Response:
    """Show people a page that leads on; others get the error as they accept it."""
    offered = ("application/json", PAGE, "text/plain")
    if request.method in ("GET", "HEAD") and preferred(accepted(request), offered) == PAGE:
        body = pages.render("problem.html", heading="Not found", problem=UNKNOWN_ADDRESS)
        return HTMLResponse(body, 404, {"vary": "Accept"})
    return await handle_http_exception(request, error)


def problem_response(request: Request, problem: ValueError) -> Response:
    """Say why an address cannot be shown, and where to go instead."""
    if not prefers_page(request):
        return PlainTextResponse(f"{problem}\n", 400)
    body = pages.render(
        "problem.html",
        heading="Cannot display this page",
        problem=str(problem),
        address=request.url.path,
    )
    return HTMLResponse(body, 400)


def meant_by(
    reader: Reader, error: UnknownNameError | AmbiguousNameError
) -> tuple[str, Sequence[Work]]:
    """Return why a name does not lead to one work, and works that may be meant."""
    if isinstance(error, AmbiguousNameError):
        return f"{error.name} is the name of several entities.", error.candidates
    if not error.name.strip():
        return _NO_NAME, ()
    name = error.name.partition("/")[2].replace("-", " ") if is_id(error.name) else error.name
    return f"Nothing in this graph is called “{name}”.", works_called(reader, error.nearest)


def _misnamed(
    request: Request, reader: Reader, error: UnknownNameError | AmbiguousNameError
) -> Response:
    status = 300 if isinstance(error, AmbiguousNameError) else 404
    if not prefers_page(request):
        return PlainTextResponse(f"{error if error.name.strip() else _NO_NAME}\n", status)
    remark, works = meant_by(reader, error)
    if status == 300:
        return found_response(reader, "Which one?", works, remark, status=status)
    if works:
        remark += " Did you mean one of these?"
    return found_response(reader, "Not found", works, remark, status=status)
