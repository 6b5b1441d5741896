"""What happens to a query before it is answered: it is read, checked and priced."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    get_operation_ast,
    parse,
    specified_rules,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import validate_document

from stemma.server.graphql.context import Context
from stemma.server.graphql.limits import QueryLimits
from stemma.server.graphql.price import Price, Pricing

_REMEMBERED = 128
_QUICK = frozenset({"search", "entity", "paper", "node", "nodes", "statistics", "__typename"})
"""Fields of Query that look something up: others may go through the whole graph."""
_SMALL = 5000
"""Values of an answer that are made in a few hundredths of a second at the most."""
_LONGEST_REMEMBERED = 4000
"""Characters of a query that is kept: long ones take memory, and seldom come again."""

# What a query may cost to check is bounded by graphql-core; as it comes, at half a second.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 50_000


@dataclass(slots=True)
class PreparedQuery:
    """A query that was read, what is wrong with it, and prices that hang on no variable."""

    document: DocumentNode
    errors: list[GraphQLError]
    asked: frozenset[str]
    """The fields that it asks for, anywhere."""
    roots: frozenset[str]
    """The fields of Query among them, of all operations."""
    prices: dict[str | None, Price] = field(default_factory=dict)


class Preparations:
    """Reads and checks queries within limits; those that came lately are remembered."""

    def __init__(self, limits: QueryLimits) -> None:
        self.limits = limits
        self._rules = specified_rules
        if not limits.introspection:
            self._rules = (*specified_rules, NoSchemaIntrospectionCustomRule)
        self._remembered: OrderedDict[str, PreparedQuery] = OrderedDict()
        self._remembering = Lock()

    def prepare(self, schema: GraphQLSchema, text: str) -> PreparedQuery:
        """Read and check a query. Raises GraphQLError where it cannot be read."""
        with self._remembering:
            if found := self._remembered.get(text):
                self._remembered.move_to_end(text)
                return found
        document = self._read(text)
        prepared = PreparedQuery(
            document,
            [_with_code(each) for each in validate_document(schema, document, self._rules)],
            _field_names(document),
            _root_names(document),
        )
        if len(text) <= _LONGEST_REMEMBERED and not prepared.errors:
            with self._remembering:
                self._remembered[text] = prepared
                if len(self._remembered) > _REMEMBERED:
                    self._remembered.popitem(last=False)
        return prepared

    def _read(self, text: str) -> DocumentNode:
        try:
            return parse(text, max_tokens=self.limits.tokens)
        except GraphQLSyntaxError as error:
            if "tokens. Parsing aborted" in error.message:
                raise GraphQLError(
                    f"This query has more than {self.limits.tokens} words and signs. Ask for "
                    "less at once, or in several requests.",
                    extensions={"code": "TOO_MANY_TOKENS", "limit": self.limits.tokens},
                ) from None
            if "nested too deeply" in error.message:
                raise self._too_deep(None) from None
            raise

    def refusals(
        self,
        schema: GraphQLSchema,
        prepared: PreparedQuery,
        operation_name: str | None,
        variables: Mapping[str, Any],
        context: Context | None,
    ) -> list[GraphQLError]:
        """Say why an operation of a valid query asks for too much; nothing where it does not.

        What it costs is added to what the request costs so far.
        """
        operation = get_operation_ast(prepared.document, operation_name)
        if operation is None:
            return []
        price = _price(schema, prepared, operation_name, operation, variables)
        if context:
            context.cost += price.cost
            price = price._replace(cost=context.cost)
        return self._refusals(price, operation)

    def is_small(
        self,
        schema: GraphQLSchema,
        text: str | None,
        operation_name: str | None,
        variables: Mapping[str, Any],
    ) -> bool:
        """Tell whether a query is known to be answered before anybody notices."""
        prepared = self._remembered.get(text or "")
        if prepared is None or not prepared.roots <= _QUICK:
            return False
        operation = get_operation_ast(prepared.document, operation_name)
        if operation is None:
            return False
        price = _price(schema, prepared, operation_name, operation, variables)
        return price.cost <= _SMALL

    def _refusals(self, price: Price, operation: OperationDefinitionNode) -> list[GraphQLError]:
        limits = self.limits
        refused = []
        if price.depth > limits.depth:
            refused.append(self._too_deep(price.depth, operation))
        if price.aliases > limits.aliases:
            refused.append(
                GraphQLError(
                    f"This query gives {price.aliases} fields another name; {limits.aliases} at "
                    "the most. Ask for fewer at once.",
                    extensions={
                        "code": "TOO_MANY_ALIASES",
                        "aliases": price.aliases,
                        "limit": limits.aliases,
                    },
                )
            )
        if price.cost > limits.cost:
            refused.append(
                GraphQLError(
                    f"The answer could hold {price.cost:,} values; {limits.cost:,} at the most, "
                    "all operations of a request together. "
                    "Ask for smaller pages (`first`), for fewer lists within lists, or page by "
                    "page.",
                    extensions={"code": "TOO_COSTLY", "cost": price.cost, "limit": limits.cost},
                )
            )
        return refused

    def _too_deep(
        self, depth: int | None, operation: OperationDefinitionNode | None = None
    ) -> GraphQLError:
        goes = "goes too deep" if depth is None else f"is {depth} fields deep"
        return GraphQLError(
            f"This query {goes}; {self.limits.depth} fields within each other at the most. Ask "
            "for the ids of what lies deeper, and for those in a query of their own.",
            operation,
            extensions={"code": "TOO_DEEP", "depth": depth, "limit": self.limits.depth},
        )


def _price(
    schema: GraphQLSchema,
    prepared: PreparedQuery,
    operation_name: str | None,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
) -> Price:
    found = prepared.prices.get(operation_name)
    if found is None:
        pricing = Pricing.of(schema, prepared.document, variables)
        found = pricing.price(operation)
        if not pricing.used_variables and len(prepared.prices) < _REMEMBERED:
            prepared.prices[operation_name] = found
    return found


def _field_names(document: DocumentNode) -> frozenset[str]:
    names = set()
    waiting: list[Any] = list(document.definitions)
    while waiting:
        node = waiting.pop()
        if isinstance(node, FieldNode):
            names.add(node.name.value)
        below = getattr(node, "selection_set", None)
        waiting += below.selections if below else ()
    return frozenset(names)


def _root_names(document: DocumentNode) -> frozenset[str]:
    """Return the names of fields at the top; of fragments there, no field has this name."""
    return frozenset(
        selection.name.value if isinstance(selection, FieldNode) else "…"
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
        for selection in definition.selection_set.selections
    )


def _with_code(error: GraphQLError) -> GraphQLError:
    if "introspection has been disabled" in error.message:
        error.message = (
            "This server does not tell its schema. It is published as schema.graphql with Stemma."
        )
        error.extensions = {"code": "INTROSPECTION_DISABLED"}
    return error


class Preparation(SchemaExtension):
    """Prepares the query of one operation."""

    def __init__(self, preparations: Preparations) -> None:
        super().__init__()
        self._preparations = preparations
        self._prepared: PreparedQuery | None = None

    def on_parse(self) -> Iterator[None]:
        """Read the query, if it is not remembered."""
        context = self.execution_context
        if context.query:
            schema = context.schema._schema
            self._prepared = self._preparations.prepare(schema, context.query)
            context.graphql_document = self._prepared.document
            if isinstance(context.context, Context):
                context.context.asked |= self._prepared.asked
        yield

    def on_validate(self) -> Iterator[None]:
        """Say what is wrong with it, or that it asks for too much."""
        context = self.execution_context
        if self._prepared:
            context.pre_execution_errors = self._prepared.errors or self._preparations.refusals(
                context.schema._schema,
                self._prepared,
                context.operation_name,
                context.variables or {},
                context.context if isinstance(context.context, Context) else None,
            )
        yield
