"""Errors: what a request that fails is told, as JSON for programs and as a line for people."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from stemma.server.negotiation import accepted, preferred

UNREADABLE = "The graph cannot be read now. Try again a little later."
"""What strangers are told of a store that fails: its own message may name hosts and databases."""
_FOR_PROGRAMS = "application/json"
_IN_TEXT = frozenset({"/sparql"})
"""Where programs, too, are told in a line: JSON would be taken for an answer there."""


def error_response(
    request: Request,
    status: HTTPStatus,
    message: str,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Say why a request is refused, in the shape that errors of GraphQL have.

    `code` is by default the name of the status, such as ``NOT_FOUND``. Who would rather read text,
    as browsers do, is told in a line; programs that take anything get JSON, but for SPARQL.
    """
    offers = (_FOR_PROGRAMS, "text/html", "text/plain")
    for_people = preferred(accepted(request), offers) not in (_FOR_PROGRAMS, None)
    is_asked_for = for_people and request.method in ("GET", "HEAD")
    if is_asked_for or request.scope["path"] in _IN_TEXT:
        return PlainTextResponse(f"{message}\n", status, {**(headers or {}), "vary": "Accept"})
    response = refusal(status, code or status.name, message)
    response.headers.update({**(headers or {}), "vary": "Accept"})
    return response


def refusal(status: HTTPStatus, code: str, message: str, **hints: object) -> JSONResponse:
    """Say why a request is refused, to programs alone; `hints` stand beside the code."""
    # A message may quote half of a character (a lone surrogate), which no encoding has.
    message = message.encode(errors="replace").decode()
    error = {"message": message, "extensions": {"code": code, **hints}}
    return JSONResponse({"errors": [error]}, status)


async def explain(request: Request, error: Exception) -> Response:
    """Explain what Starlette refuses: an address that is not there, a method that is not taken."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    match status:
        case HTTPStatus.NOT_FOUND:
            message = "There is nothing at this address."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            taken = (error.headers or {}).get("Allow", "GET")
            message = f"This address does not take {request.method}, but {taken}."
        case _:
            message = error.detail
    return error_response(request, status, message, headers=error.headers)
