"""GraphQL over HTTP: each request sees one generation of the graph, for a bounded time."""

import asyncio
from typing import Any

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLRequestData
from strawberry.types import ExecutionResult, SubscriptionExecutionResult

from stemma.graph import Store
from stemma.server.graphql.context import Context
from stemma.server.graphql.limits import DEFAULT_LIMITS, QueryLimits
from stemma.server.graphql.schema import make_schema
from stemma.server.graphql.workers import Workers

_Result = ExecutionResult | list[ExecutionResult] | SubscriptionExecutionResult


class GraphQLEndpoint(GraphQL[Context, None]):
    """The ASGI application behind ``/graphql``, without its page.

    `run` raises HTTPException where a request is none of GraphQL.
    """

    def __init__(self, store: Store, limits: QueryLimits = DEFAULT_LIMITS) -> None:
        self._made = make_schema(limits)
        super().__init__(self._made, graphql_ide=None, subscription_protocols=())
        self._store = store
        self._limits = limits
        self._workers = Workers()

    async def get_context(self, request: Any, response: Any) -> Any:
        """Return nothing yet: the store is read by the worker that answers."""
        return None

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: GraphQLRequestData | list[GraphQLRequestData],
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> _Result:
        """Answer from the newest generation, or say that it took too long."""
        execute = super().execute_operation

        async def answer() -> _Result:
            with self._store.snapshot() as reader:
                return await execute(
                    request,
                    request_adapter,
                    request_data,
                    Context(reader, self._limits),
                    root_value,
                    sub_response,
                )

        try:
            if self._is_quick(request_data):
                async with asyncio.timeout(self._limits.seconds):
                    return await answer()
            return await self._workers.run(answer, self._limits.seconds)
        except TimeoutError:
            if isinstance(request_data, list):
                return [self._too_slow() for _ in request_data]
            return self._too_slow()

    def _is_quick(self, asked: GraphQLRequestData | list[GraphQLRequestData]) -> bool:
        """Tell whether a request is answered at once: to hand it over would take longer."""
        return (
            self._store.embedded
            and not isinstance(asked, list)
            and self._made.preparations.is_small(
                self._made._schema,
                asked.query,
                asked.operation_name,
                asked.variables or {},
            )
        )

    def _too_slow(self) -> ExecutionResult:
        error = GraphQLError(
            f"This query took more than {self._limits.seconds:g} s. "
            "Ask for less depth, fewer works, or fewer fields.",
            extensions={"code": "TIMEOUT", "limit": self._limits.seconds},
        )
        return ExecutionResult(data=None, errors=[error])

    def decode_json(self, data: str | bytes) -> object:
        """Read JSON. Raises HTTPException where it is none."""
        try:
            return super().decode_json(data)
        except (ValueError, RecursionError):
            raise HTTPException(
                400, "The request is no JSON in UTF-8, or nests too deep."
            ) from None

    async def parse_http_body(self, request: Any) -> GraphQLRequestData | list[GraphQLRequestData]:
        """Read what is asked. Raises HTTPException where that is none of GraphQL."""
        if request.method == "POST":
            self._check(self.parse_json(await request.get_body()))
        return await super().parse_http_body(request)

    def _check(self, body: object) -> None:
        operations = body if isinstance(body, list) else [body]
        if len(operations) > self._limits.batch:
            raise HTTPException(
                400,
                f"There are {len(operations)} operations in this request; {self._limits.batch} at "
                "the most. Send them in several requests.",
            )
        if not operations:
            raise HTTPException(400, "There is no operation in this request.")
        for each in operations:
            if not isinstance(each, dict):
                raise HTTPException(400, 'A request is a JSON object: {"query": "{ … }"}.')
            for name, type_ in (
                ("query", str),
                ("operationName", str),
                ("variables", dict),
                ("extensions", dict),
            ):
                value = each.get(name)
                if value is not None and not isinstance(value, type_):
                    what = "a text" if type_ is str else "an object"
                    raise HTTPException(400, f"`{name}` of a request has to be {what}.")
