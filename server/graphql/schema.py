"""The executable schema, and its limits on queries: depth, tokens, aliases, size of the answer."""

import logging
import re
from asyncio import to_thread
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import strawberry
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLObjectType,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    Undefined,
    execute_sync,
    get_operation_ast,
    parse,
    specified_rules,
)
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.http import GraphQLRequestData
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import InvalidOperationTypeError
from strawberry.schema.schema import validate_document
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.graphql import OperationType

from stemma.graph import StoreError
from stemma.graph.reader import Cache
from stemma.schema import PartialDate
from stemma.server.graphql.objects import OwnField
from stemma.server.graphql.price import Price, Pricing
from stemma.server.graphql.query import Query
from stemma.server.graphql.works import Entity, Paper
from stemma.server.http.responses import problem_of
from stemma.server.settings import DEFAULT_SETTINGS, Settings
from stemma.server.views.view import Time

_log = logging.getLogger(__name__)
_CACHE_SIZE = 128
_LONGEST_CACHED = 4000
"""Characters of a query that is cached: long ones take memory, and are rarely repeated."""
_MOST_PRICES = 16
"""Prices of a query that are kept, each for other numbers."""
_LOOKUPS = frozenset({"search", "entity", "paper", "node", "nodes", "statistics", "__typename"})
"""Fields of Query that look something up: others may go through the whole graph."""
_SMALL = 5000
"""Values of an answer that are computed in a few hundredths of a second at most."""
_NOT_SUPPORTED = {
    "mutation": "There are no mutations: GraphQL only reads. Papers are added with "
    "`stemma build`, and the graph is corrected with `stemma decide`.",
    "subscription": "There are no subscriptions: the query `changes` has what "
    "changed since a build.",
}

# What a query may cost to validate is bounded by graphql-core; as it comes, at half a second.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 50_000


class PreparedQuery(NamedTuple):
    """A parsed query and its validation errors.

    `priced` is that of an operation with these numbers among its `variables`: those of other names
    are not kept, which may be as many as a request has room for.
    """

    document: DocumentNode
    errors: list[GraphQLError]
    variables: frozenset[str]
    priced: Callable[[str | None, frozenset[tuple[str, int]]], Price]

    def price(self, operation: str | None, variables: Mapping[str, Any] | None) -> Price:
        """Price an operation of the query, for these values of variables."""
        given = ((name, (variables or {}).get(name)) for name in self.variables)
        numbers = ((name, value) for name, value in given if isinstance(value, int))
        return self.priced(operation, frozenset(numbers))


def _error(code: str, message: str, **hints: object) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code, **hints})


def _variables(document: DocumentNode) -> frozenset[str]:
    return frozenset(
        variable.variable.name.value
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
        for variable in definition.variable_definitions or ()
    )


def _with_code(error: GraphQLError) -> GraphQLError:
    if "operation is not supported by the schema" in error.message:
        for node in error.nodes or ():
            if isinstance(node, OperationDefinitionNode):
                error.message = _NOT_SUPPORTED[node.operation.value]
    return error


_CONFIG = StrawberryConfig(
    scalar_map={
        PartialDate: strawberry.scalar(
            name="PartialDate",
            description="A date, as far as it is known, in EDTF: 2021, 2021-04, 2021-04-15, "
            "or XXXX-04-15 if the year is unknown.",
            specified_by_url="https://www.loc.gov/standards/datetime/",
            serialize=str,
            parse_value=PartialDate.parse,
        ),
        Time: strawberry.scalar(
            name="DateTime",
            description="A date with a time, in UTC (ISO 8601).",
            specified_by_url="https://scalars.graphql.org/andimarek/date-time.html",
            serialize=str,
        ),
    }
)


class StemmaSchema(strawberry.Schema):
    """A schema whose errors carry a code and say what to do, and never a stack trace.

    Queries are parsed, validated and priced within limits, with a cache of recent ones. Depth and
    aliases are counted by `Pricing`, once for each fragment. The limiters that strawberry has
    (QueryDepthLimiter, MaxAliasesLimiter) walk through a fragment as often as it is used: with
    fragments that use each other twice their time doubles with each, to seconds at eighteen.
    """

    def __init__(self, settings: Settings = DEFAULT_SETTINGS) -> None:
        super().__init__(query=Query, types=[Paper, Entity], config=_CONFIG)
        self._settings = settings
        self._recent: Cache[str, PreparedQuery] = Cache(_CACHE_SIZE)
        self._schema.type_map = dict(sorted(self._schema.type_map.items()))  # As the SDL has them.
        for type_ in self._schema.type_map.values():
            if isinstance(type_, GraphQLObjectType):
                type_.is_type_of = None  # It would check what our own resolvers return.
            for made in getattr(type_, "fields", {}).values():
                for argument in (made, *getattr(made, "args", {}).values()):
                    if getattr(argument, "default_value", 0) is None:  # Being nullable says it.
                        argument.default_value = Undefined
                own = made.extensions.get("strawberry-definition")
                if isinstance(own, OwnField):
                    made.resolve = own.direct

    def _prepared(self, query: str) -> PreparedQuery:
        """Parse and validate a query. Raises GraphQLError where its syntax is wrong."""
        if known := self._recent.get(query):
            return known
        document = self._parse(query)
        errors = validate_document(self._schema, document, specified_rules)
        priced = lru_cache(_MOST_PRICES)(partial(self._price, document))
        prepared = PreparedQuery(
            document, list(map(_with_code, errors)), _variables(document), priced
        )
        if len(query) <= _LONGEST_CACHED:
            self._recent[query] = prepared
        return prepared

    def _price(
        self, document: DocumentNode, name: str | None, numbers: frozenset[tuple[str, int]]
    ) -> Price:
        operation = get_operation_ast(document, name)
        pricing = Pricing(self._schema, document, dict(numbers), self._settings.page_size)
        return pricing.price(operation) if operation else Price()

    async def is_quick(self, data: GraphQLRequestData) -> bool:
        """Return whether a query looks up a few values. A thread prepares it if it is new."""
        if not (query := data.query) or len(query) > _LONGEST_CACHED:
            return False
        try:
            if query not in self._recent:
                await to_thread(self._prepared, query)
            known = self._prepared(query)
        except GraphQLError:
            return False
        operation = get_operation_ast(known.document, data.operation_name)
        looks_up = operation is not None and all(
            isinstance(selection, FieldNode) and selection.name.value in _LOOKUPS
            for selection in operation.selection_set.selections
        )
        if not looks_up or known.errors:
            return False
        return known.price(data.operation_name, data.variables).cost <= _SMALL

    def _parse(self, query: str) -> DocumentNode:
        most = self._settings.query_tokens
        try:
            return parse(query, max_tokens=most)
        except GraphQLSyntaxError as error:
            if "tokens. Parsing aborted" in error.message:
                raise _error(
                    "TOO_MANY_TOKENS",
                    f"This query has more than {most} tokens. Shorten it, or use several requests.",
                    limit=most,
                ) from None
            if "nested too deeply" in error.message:
                raise self._too_deep(None) from None
            raise

    def _beyond(self, price: Price) -> list[GraphQLError]:
        """Return an error for each limit that a query exceeds."""
        settings, errors = self._settings, []
        if price.depth > settings.query_depth:
            errors.append(self._too_deep(price.depth))
        if price.aliases > (most := settings.query_aliases):
            error = _error(
                "TOO_MANY_ALIASES",
                f"This query has {price.aliases} aliases; at most {most} are allowed. "
                "Use several requests.",
                aliases=price.aliases,
                limit=most,
            )
            errors.append(error)
        if price.cost > (most := settings.query_cost):
            error = _error(
                "TOO_COSTLY",
                f"The answer could have {price.cost:,} values; at most {most:,} are allowed in "
                "one request. Ask for smaller pages (`first`), or for fewer lists within lists.",
                cost=price.cost,
                limit=most,
            )
            errors.append(_error("BAD_ARGUMENT", price.excess) if price.excess else error)
        return errors

    def _too_deep(self, depth: int | None) -> GraphQLError:
        goes, most = "is too deep", self._settings.query_depth
        if depth is not None:
            goes = f"has a depth of {depth}"
        return _error(
            "TOO_DEEP",
            f"This query {goes}; the limit is {most}. Query the ids of deeper objects, and these "
            "objects in a second query.",
            depth=depth,
            limit=most,
        )

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any = None,
        root_value: Any = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """Answer a query within the limits, prepared as it may be already. It waits for nothing.

        Raises what strawberry's own method does, which prepares for extensions that are not here.
        """
        if not query:  # After this message, clients that persist queries send the query itself.
            code = "PERSISTED_QUERY_NOT_SUPPORTED"
            return self._refused([_error(code, "PersistedQueryNotSupported")])
        try:
            prepared = self._prepared(query)
        except GraphQLError as error:
            return self._refused([error])
        operation, errors = get_operation_ast(prepared.document, operation_name), prepared.errors
        if operation and allowed_operation_types is not None:
            kind = OperationType(operation.operation.value)
            if kind not in allowed_operation_types:
                raise InvalidOperationTypeError(kind)
        if operation is None and not errors:
            unknown = f"There is no operation {operation_name!r} in this query."
            several = "There are several operations in this query: name one as `operationName`."
            errors = [_error("BAD_QUERY", unknown if operation_name else several)]
        if operation and not errors:
            errors = self._beyond(prepared.price(operation_name, variable_values))
        if errors:
            return self._refused(errors)
        result = execute_sync(
            self._schema,
            prepared.document,
            root_value,
            context_value,
            variable_values,
            operation_name,
        )
        self.process_errors(result.errors or [])
        return ExecutionResult(data=result.data, errors=result.errors)

    def _refused(self, errors: list[GraphQLError]) -> ExecutionResult:
        self.process_errors(errors)
        return ExecutionResult(data=None, errors=errors)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Add its code to each error; log those that are our own fault."""
        for error in errors:
            cause = error.original_error
            if "code" in (error.extensions or {}):
                continue
            if found := problem_of(cause):
                if isinstance(cause, StoreError):
                    _log.error("the store failed: %s", cause)
                error.message = found.pop("message")
            elif cause is None or isinstance(cause, GraphQLError):
                found = {"code": "BAD_QUERY"}
            elif isinstance(cause, TimeoutError):
                found = {"code": "TIMEOUT", "limit": self._settings.seconds}
            else:
                _log.error("a query failed", exc_info=cause)
                error.message = "Internal error; see the log of the server."
                found = {"code": "INTERNAL_ERROR"}
            error.extensions = {**(error.extensions or {}), **found}


@cache
def sdl() -> str:
    """Return the schema in the schema definition language.

    A description is on a line above what it describes, that of an argument before it. There are no
    empty lines within types.
    """
    text = StemmaSchema().as_str()
    text = re.sub(r'(?m)^( *""")\n *(.*)\n *"""$', r'\1\2"""', text)
    text = re.sub(r'(?m)^(    """.*""")\n *', r"\1 ", text)
    return re.sub(r"\n\n(?= )", "\n", text) + "\n"
