"""The service asked by GraphQL and as assistants ask it, without a port."""

import asyncio
from typing import Any

import httpx
from mcp import Client
from starlette.testclient import TestClient

from stemma.graph import open_store
from stemma.server.app import make_app
from stemma.server.mcp.server import make_server
from stemma.server.settings import Settings


def client_of(store: str, **settings: Any) -> TestClient:
    """Return a client of an application that serves a store; it follows no redirects."""
    app = make_app(open_store(store), Settings(**settings))
    return TestClient(app, "http://localhost", follow_redirects=False)


def by_graphql(client: httpx.Client, query: str, /, **variables: object) -> dict[str, Any]:
    """Return the data of an answer without errors."""
    asked = {"query": query, "variables": variables}
    answer = client.post("/graphql", json=asked).json()
    assert "errors" not in answer, answer["errors"]
    return dict(answer["data"])


def by_assistant(store: str, tool: str, /, **arguments: object) -> dict[str, Any]:
    """Return what a tool answers, or why it does not."""

    async def ask() -> Any:
        async with Client(make_server(open_store(store), 30)) as client:
            return (await client.call_tool(tool, arguments)).structured_content

    return dict(asyncio.run(ask()))
