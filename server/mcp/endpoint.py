"""The endpoint: ``POST /mcp``, the streamable HTTP transport.

Each request is answered by itself, without a session: any of several processes may answer the next.
"""

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from stemma.graph import Store
from stemma.server.http.responses import json_error
from stemma.server.mcp import NEEDED, is_installed
from stemma.server.settings import Settings

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer


class MCPEndpoint:
    """Serves a graph to assistants; the SDK is loaded with the first request."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._server: MCPServer | None = None
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope)
        if not is_installed():
            refusal = json_error(HTTPStatus.NOT_IMPLEMENTED, "NOT_INSTALLED", f"{NEEDED}.")
            await refusal(scope, receive, send)
        elif self._is_foreign(request):
            message = "Pages of this origin may not use MCP. Allow it with --allow-origin."
            refusal = json_error(HTTPStatus.FORBIDDEN, "FORBIDDEN_ORIGIN", message)
            await refusal(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        async with self._making:
            if self._server is None:
                self._server = await asyncio.to_thread(self._make)
        # A manager runs once, and in one task. Host and origin are checked by this application.
        self._server.streamable_http_app(
            json_response=True,
            stateless_http=True,
            max_request_body_size=self._settings.body_size * 1024,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        manager = self._server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    def _make(self) -> "MCPServer":
        from stemma.server.mcp.server import make_server  # noqa: PLC0415 - loads what it needs

        return make_server(self._store, self._settings.seconds)

    def _is_foreign(self, request: Request) -> bool:
        """Return whether a page sends the request whose origin may not; programs send none."""
        origin = request.headers.get("origin")
        allowed = self._settings.allow_origin
        if origin is None or origin in allowed or "*" in allowed:
            return False
        return urlsplit(origin).netloc != request.headers.get("host")
