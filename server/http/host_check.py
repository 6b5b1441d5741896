"""The check of the host that a request names, against pages that lead a name of theirs to us.

A page may let its own name resolve to an address that only its visitor can reach (DNS rebinding):
the visitor's browser then asks us as if we were that page's server.
"""

import re
from collections.abc import Collection
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from stemma.server.http.error_response import error_response

_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[^\[\]@:/?#\\\s]*))(?::\d*)?")
"""A Host header (RFC 9110, 7.2), which has no user as addresses of pages may."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class HostCheck:
    """Answers requests to `hosts` and to this machine's own names; ``*.example.org`` has others.

    `exempt` are paths that are answered whatever the name is.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], exempt: Collection[str]) -> None:
        self._app = app
        self._hosts = LOOPBACK | {each.lower().strip("[]") for each in hosts}
        self._suffixes = tuple(each[1:] for each in self._hosts if each.startswith("*"))
        self._exempt = frozenset(exempt)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or scope["path"] in self._exempt:
            await self._app(scope, receive, send)
            return
        host = _name(Headers(scope=scope).get("host", ""))
        if host in self._hosts or host.endswith(self._suffixes):
            await self._app(scope, receive, send)
            return
        response = error_response(
            Request(scope),
            HTTPStatus.MISDIRECTED_REQUEST,
            "This server does not answer to the name in the request's Host header. "
            "Let it do so with stemma serve --allow-host NAME.",
        )
        await response(scope, receive, send)


def _name(host: str) -> str:
    """Return the name in a Host header without its port, empty if there is none."""
    found = _HOST.fullmatch(host.lower())
    return (found["v6"] or found["name"] or "") if found else ""
