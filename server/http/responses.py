"""Responses that several endpoints send: errors, and long bodies."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from stemma.graph import AmbiguousNameError, BadCursorError, StoreError, UnknownNameError, kind_of
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.http.questions import BusyError

UNREADABLE = "The graph cannot be read now. Try again later."
"""The message where the store fails: its own may name hosts and databases."""
_JSON = "application/json"
_TEXT_ONLY = frozenset({"/sparql"})
"""Where errors are always plain text: a SPARQL client would take JSON for an answer."""
_CHUNK = 64 * 1024


def error_response(
    request: Request,
    status: HTTPStatus,
    message: str,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    **extensions: object,
) -> Response:
    """Return an error as a client accepts it: text for browsers, else JSON as GraphQL has it.

    `code` is by default the name of the status, such as ``NOT_FOUND``; `extensions` are next to it
    in JSON.
    """
    prefers_text = preferred(accepted(request), (_JSON, "text/html", "text/plain")) not in (
        _JSON,
        None,
    )
    is_page = prefers_text and request.method in ("GET", "HEAD")
    if is_page or request.scope["path"] in _TEXT_ONLY:
        return PlainTextResponse(f"{message}\n", status, {**(headers or {}), "vary": "Accept"})
    response = json_error(status, code or status.name, message, **extensions)
    response.headers.update({**(headers or {}), "vary": "Accept"})
    return response


def json_error(status: HTTPStatus, code: str, message: str, **extensions: object) -> JSONResponse:
    """Return an error as JSON; `extensions` are next to the code."""
    # A message may quote half of a character (a lone surrogate), which no encoding has.
    message = message.encode(errors="replace").decode()
    error = {"message": message, "extensions": {"code": code, **extensions}}
    return JSONResponse({"errors": [error]}, status)


def problem_of(error: BaseException | None) -> dict[str, Any] | None:
    """Return the code and the message of an error that a client can do something about, with what
    may have been meant: nearest names, or candidates. None for other errors."""
    hints: dict[str, Any] = {}
    match error:
        case UnknownNameError(name=name) if not name.strip():
            code, error = "BAD_ARGUMENT", ValueError("Give a name or an id.")
        case UnknownNameError(nearest=nearest):
            code, hints["nearest"] = "UNKNOWN_NAME", list(nearest)
        case AmbiguousNameError(candidates=works):
            code = "AMBIGUOUS_NAME"
            hints["candidates"] = [{"id": e.id, "name": e.name, "kind": kind_of(e)} for e in works]
        case BadCursorError():
            code = "BAD_CURSOR"
        case BusyError():
            code = "BUSY"
        case StoreError():
            code, error = "STORE_UNAVAILABLE", StoreError(UNREADABLE)
        case UnicodeError():
            code, error = "BAD_ARGUMENT", ValueError("A string contains a lone surrogate.")
        case ValueError():
            code = "BAD_ARGUMENT"
        case _:
            return None
    return {"code": code, "message": str(error), **hints}


def body_response(
    body: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a body. A long one is sent in chunks, and the event loop serves others in between."""
    if len(body) <= _CHUNK:
        return Response(body, media_type=media_type, headers=headers)
    response = StreamingResponse(_chunks(body), media_type=media_type, headers=headers)
    response.body = body
    return response


async def _chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), _CHUNK):
        yield body[start : start + _CHUNK]
        await asyncio.sleep(0)
