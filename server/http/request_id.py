"""Request ids: what ties together an answer, and all that the log says of it."""

import re
import secrets
from contextvars import ContextVar

from starlette.datastructures import Headers

HEADER = "x-request-id"
_WELL_FORMED = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered."""


def identify(headers: Headers) -> str:
    """Return the id that a client or a proxy gave a request, or a new one if that is none."""
    given = headers.get(HEADER, "")
    return given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(16)
