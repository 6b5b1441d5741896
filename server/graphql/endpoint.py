"""GraphQL over HTTP: each request sees one generation of the graph, for a bounded time."""

import asyncio
from typing import Any

from starlette.responses import JSONResponse, Response
from strawberry.asgi import GraphQL
from strawberry.types.unset import UNSET

from stemma.graph import Store
from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import make_schema


class GraphQLEndpoint(GraphQL[Context, None]):
    """The ASGI application behind ``/graphql``, without its page."""

    def __init__(self, store: Store, seconds: float) -> None:
        super().__init__(make_schema(), graphql_ide=None, subscription_protocols=())
        self._store = store
        self._seconds = seconds

    async def run(self, request: Any, context: Any = UNSET, root_value: Any = UNSET) -> Any:
        """Answer one request from the newest generation, or say that it took too long."""
        with self._store.snapshot() as reader:
            try:
                async with asyncio.timeout(self._seconds):
                    return await super().run(request, context=Context(reader), root_value=None)
            except TimeoutError:
                return self._too_slow()

    def _too_slow(self) -> Response:
        message = (
            f"This query took more than {self._seconds:g} s. "
            "Ask for less depth, fewer works, or fewer fields."
        )
        error = {"message": message, "extensions": {"code": "TIMEOUT"}}
        return JSONResponse({"data": None, "errors": [error]}, status_code=503)
