"""Cache-Control: how long clients, and caches on the way to them, may keep an answer."""

from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOREVER = "public, max-age=31536000, immutable"
"""For what has another address whenever it changes."""
ASK_AGAIN = "no-cache"
"""For what may change at any time: it may be kept, and has to be asked for again by its tag."""
_GOOD = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)


class CacheControl:
    """Says `rule` of every good answer."""

    def __init__(self, app: ASGIApp, rule: str) -> None:
        self._app = app
        self._rule = rule

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_rule(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in _GOOD:
                MutableHeaders(scope=message).setdefault("cache-control", self._rule)
            await send(message)

        await self._app(scope, receive, send_with_rule)


def make_private(headers: MutableHeaders) -> None:
    """Keep an answer that not everybody may see from caches that several people share."""
    kept = [each.strip() for each in headers.get("cache-control", ASK_AGAIN).split(",")]
    headers["cache-control"] = ", ".join(["private", *(e for e in kept if e != "public")])
