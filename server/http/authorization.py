"""Authorization: who may use a server that has a token."""

import base64
import binascii
import hmac
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.caching import make_private
from stemma.server.http.probes import PROBES
from stemma.server.http.responses import error_response

_CHALLENGE = {
    "www-authenticate": 'Bearer realm="Stemma", Basic realm="Stemma", charset="UTF-8"',
    "cache-control": "no-store",
}


class Authorization:
    """Lets through requests that carry `token`; answers 401 to the others.

    Programs send it as a bearer token (RFC 6750). Browsers ask for a name and password (RFC 7617):
    any name, and the token as the password. Probes need no token.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        if not self._is_authorized(Headers(scope=scope)):
            text = "This server requires a token: send the header 'Authorization: Bearer TOKEN'."
            refusal = error_response(
                Request(scope), HTTPStatus.UNAUTHORIZED, text, headers=_CHALLENGE
            )
            await refusal(scope, receive, send)
            return

        async def send_privately(message: Message) -> None:
            if message["type"] == "http.response.start":
                make_private(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_privately)

    def _is_authorized(self, headers: Headers) -> bool:
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        match scheme.casefold():
            case "bearer":
                presented = credentials.strip().encode("latin-1", "replace")
            case "basic":
                presented = _password(credentials)
            case _:
                return False
        return hmac.compare_digest(presented, self._token)


def _password(credentials: str) -> bytes:
    try:
        return base64.b64decode(credentials, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""
