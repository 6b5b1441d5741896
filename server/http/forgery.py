"""Protection against forged forms (CSRF): a page of another origin cannot have us change anything.

A form carries the token of its visitor's cookie, which no other origin can read, and browsers say
where a request comes from.
"""

import hmac
import secrets
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "stemma-form"
FIELD = "token"
_BYTES = 16
_LENGTH = 22


def form_token(request: Request) -> str:
    """Return the token of a visitor for forms: that of the cookie, or a new one."""
    known = request.cookies.get(COOKIE, "")
    return known if len(known) == _LENGTH else secrets.token_urlsafe(_BYTES)


def remember(request: Request, response: Response, token: str) -> None:
    """Send the cookie with the token, unless the visitor has it."""
    if request.cookies.get(COOKIE) != token:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure)


def is_forged(request: Request, token: str) -> bool:
    """Return whether a form was not sent from a page of ours, as far as can be known."""
    known = request.cookies.get(COOKIE, "")
    is_known = len(known) == _LENGTH and hmac.compare_digest(known.encode(), token.encode())
    return not (is_known and _is_from_here(request))


def _is_from_here(request: Request) -> bool:
    # Browsers send it to addresses that they trust: https, and this machine.
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    return bool(origin) and urlsplit(origin).netloc == request.headers.get("host", "")
