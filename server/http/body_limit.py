"""The bound on what a request may send, in size and in time."""

import asyncio
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.server.http.responses import error_response


class BodyLimit:
    """Refuses bodies of more than `size` bytes, or that take more than `seconds` to arrive."""

    def __init__(self, app: ASGIApp, size: int, seconds: float) -> None:
        self._app = app
        self._size, self._seconds = size, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its whole body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._body(Headers(scope=scope), receive)
        except TimeoutError:
            late = f"The request took more than {self._seconds:g} s to arrive."
            await self._refuse(scope, receive, send, HTTPStatus.REQUEST_TIMEOUT, late)
            return
        except _TooLargeError:
            large = f"The request is larger than {self._size} bytes, the maximum here."
            await self._refuse(scope, receive, send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, large)
            return
        if body is None:
            return
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_again() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, receive_again, send)

    async def _body(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the body, None if the client has disconnected. Raises _TooLargeError."""
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self._size:
            raise _TooLargeError
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._size:
                raise _TooLargeError
        return bytes(body)

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, status: HTTPStatus, message: str
    ) -> None:
        # What is still to come is not read, so that the connection is of no more use.
        headers = {"connection": "close"}
        response = error_response(Request(scope), status, message, headers=headers)
        await response(scope, receive, send)


class _TooLargeError(Exception):
    """There is more than is taken."""
