"""The check of the Host header, against DNS rebinding.

A page may let its own name resolve to an address that only its visitor can reach: the visitor's
browser then sends us requests as if we were that page's server.
"""

from collections.abc import Collection
from http import HTTPStatus

from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.probes import PROBES
from stemma.server.http.responses import error_response

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class HostCheck:
    """Answers requests to `hosts` (or ``*.example.org``) and to this machine's own names.

    Starlette's middleware decides; its answer, which does not say what to do, is replaced. Probes
    are answered under any name.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        names = [f"[{each.strip('[]')}]" if ":" in each else each for each in hosts]
        self._trusted = TrustedHostMiddleware(_accept, [*_LOOPBACK, *names], www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused: list[Message] = []

        async def refuse(message: Message) -> None:
            refused.append(message)

        if scope["type"] == "http" and scope["path"] not in PROBES:
            await self._trusted(scope, receive, refuse)
        if not refused:
            await self._app(scope, receive, send)
            return
        response = error_response(
            Request(scope),
            HTTPStatus.MISDIRECTED_REQUEST,
            "This server does not accept the name in the request's Host header. Allow it with "
            "stemma serve --allow-host NAME.",
        )
        await response(scope, receive, send)


async def _accept(scope: Scope, receive: Receive, send: Send) -> None:
    """Send no refusal."""
