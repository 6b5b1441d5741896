"""The web application itself, asked without a port."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from stemma.graph import open_store
from stemma.server.app import make_app
from stemma.server.settings import Settings


class Client:
    """Asks an application, one request at a time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def request(self, method: str, path: str, **rest: Any) -> httpx.Response:
        return asyncio.run(self._request(method, path, **rest))

    def get(self, path: str, **rest: Any) -> httpx.Response:
        return self.request("GET", path, **rest)

    def post(self, path: str, **rest: Any) -> httpx.Response:
        return self.request("POST", path, **rest)

    async def _request(self, method: str, path: str, **rest: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **rest)


@pytest.fixture(scope="session")
def client_of() -> Callable[[ASGIApp], Client]:
    """Ask an application of a test's own."""
    return Client


@pytest.fixture(scope="session")
def serving_with(example_store: str) -> Callable[..., Client]:
    """Ask an application that serves the example papers with settings."""

    def serve(**settings: Any) -> Client:
        return Client(make_app(open_store(example_store), Settings(**settings)))

    return serve


@pytest.fixture(scope="session")
def client(serving_with: Callable[..., Client]) -> Client:
    """Ask an application that serves the example papers."""
    return serving_with()
