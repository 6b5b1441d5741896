"""Responses of pages: lists of works, problems, redirects, bodies with a tag."""

import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from stemma.graph import AmbiguousNameError, Reader, Store, StoreError, UnknownNameError, Work
from stemma.graph.searching import works_called
from stemma.schema.name import is_id
from stemma.server.http.caching import NO_CACHE, body_etag, is_not_modified
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.responses import body_response, error_response, problem_of
from stemma.server.views.notes import notes
from stemma.server.web import pages
from stemma.server.web.paper_table import table_of

PAGE = "text/html"
_STATUSES = {
    "UNKNOWN_NAME": HTTPStatus.NOT_FOUND,
    "AMBIGUOUS_NAME": HTTPStatus.MULTIPLE_CHOICES,
    "STORE_UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
}
"""Of errors, by their codes; of others it is 400."""
_log = logging.getLogger(__name__)


def page_endpoint(
    store: Store, handle: Callable[[Request, Reader], Response]
) -> Callable[[Request], Response]:
    """Make an endpoint that runs in a thread, and reports errors: names that lead to no work, what
    a parameter may not be, a store that cannot be read."""

    def endpoint(request: Request) -> Response:
        try:
            with store.snapshot() as reader:
                try:
                    return handle(request, reader)
                except (UnknownNameError, AmbiguousNameError) as error:
                    if error.name.strip() and prefers_page(request):
                        return _works_meant(reader, error)
                    raise
        except StoreError as error:
            _log.error("the store failed: %s", error)
            return _problem_response(request, error)
        except (UnknownNameError, AmbiguousNameError, ValueError) as error:
            return _problem_response(request, error)

    return endpoint


def _problem_response(request: Request, error: Exception) -> Response:
    """Say what is wrong: on a page that leads on, or as a program accepts it."""
    problem = problem_of(error)
    assert problem, "other errors are not caught"
    status = _STATUSES.get(problem["code"], HTTPStatus.BAD_REQUEST)
    if not prefers_page(request):
        return error_response(request, status, **problem)
    address = request.url.path if status == HTTPStatus.BAD_REQUEST else ""
    return _problem_page("Cannot display this page", problem["message"], status, address)


def _problem_page(heading: str, problem: str, status: HTTPStatus, address: str = "") -> Response:
    """Show a problem; at the `address`, the same page is shown without parameters."""
    body = pages.render("problem.html", heading=heading, problem=problem, address=address)
    return HTMLResponse(body, status, {"vary": "Accept"})


async def handle_http_exception(request: Request, error: Exception) -> Response:
    """Handle what Starlette refuses: an unknown address, a method that is not allowed."""
    assert isinstance(error, HTTPException)
    status, message = HTTPStatus(error.status_code), error.detail
    if status == HTTPStatus.NOT_FOUND:
        message = "There is nothing at this address."
        if request.method in ("GET", "HEAD") and prefers_page(request):
            return _problem_page("Not found", message, status)
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "GET")
        message = f"This address does not accept {request.method}, but {allowed}."
    return error_response(request, status, message, headers=error.headers)


def prefers_page(request: Request) -> bool:
    """Return whether a client would rather be told of an error by a page than by JSON."""
    offered = ("application/json", PAGE, "text/plain")
    return preferred(accepted(request), offered) == PAGE


def moved_to(request: Request, local: str, known: str) -> Response:
    """Redirect from an address with a name (`local`) in it to the same with the id of the work."""
    # Of the scope: a name may contain a question mark, at which the path of a URL ends.
    before, _, after = request.scope["path"].rpartition(local)
    query = request.scope["query_string"].decode()
    return RedirectResponse(f"{before}{pages.path(known)}{after}{'?' * bool(query)}{query}")


def accepted_type(request: Request, offers: Sequence[str]) -> str:
    """Return the media type that a client likes best. Raises HTTPException where it likes none."""
    media_type = preferred(accepted(request), offers)
    if media_type is None:
        raise HTTPException(406, f"This is available as {', '.join(offers)}.")
    return media_type


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


def meant_by(
    reader: Reader, error: UnknownNameError | AmbiguousNameError
) -> tuple[str, Sequence[Work]]:
    """Return why a name does not lead to one work, and works that may be meant."""
    if isinstance(error, AmbiguousNameError):
        return f"{error.name} is the name of several entities.", error.candidates
    name = error.name.partition("/")[2].replace("-", " ") if is_id(error.name) else error.name
    return f"Nothing in this graph is called “{name}”.", works_called(reader, error.nearest)


def _works_meant(reader: Reader, error: UnknownNameError | AmbiguousNameError) -> Response:
    """List the works that a name may mean."""
    remark, works = meant_by(reader, error)
    if isinstance(error, AmbiguousNameError):
        heading, status = "Which one?", HTTPStatus.MULTIPLE_CHOICES
    else:
        heading, status = "Not found", HTTPStatus.NOT_FOUND
        remark += " Did you mean one of these?" * bool(works)
    response = found_response(reader, heading, works, remark, status=status)
    response.headers["vary"] = "Accept"
    return response
