"""The executable schema, with the bounds on what may be asked of it."""

import logging

import strawberry
from graphql import GraphQLError
from strawberry.extensions import (
    MaxAliasesLimiter,
    MaxTokensLimiter,
    ParserCache,
    QueryDepthLimiter,
    ValidationCache,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from stemma.graph import AmbiguousNameError, UnknownNameError
from stemma.schema import PartialDate
from stemma.server.graphql import enums  # noqa: F401 - registers the enumerations
from stemma.server.graphql.query import Query
from stemma.server.graphql.works import Entity, Paper

DEEPEST_QUERY = 12
MOST_ALIASES = 30
MOST_TOKENS = 2000

_log = logging.getLogger(__name__)


class StemmaSchema(strawberry.Schema):
    """A schema whose errors carry a code and say what to do, and never a stack trace."""

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Give each error its code; log those that are our own fault."""
        for error in errors:
            cause = error.original_error
            if isinstance(cause, UnknownNameError):
                _explain(error, "UNKNOWN_NAME", nearest=list(cause.nearest))
            elif isinstance(cause, AmbiguousNameError):
                candidates = [{"id": work.id, "name": work.name} for work in cause.candidates]
                _explain(error, "AMBIGUOUS_NAME", candidates=candidates)
            elif isinstance(cause, ValueError):
                _explain(error, "BAD_ARGUMENT")
            elif cause is None or isinstance(cause, GraphQLError):
                _explain(error, "BAD_QUERY")
            else:
                _log.error("a query failed", exc_info=cause)
                error.message = "Something went wrong in the server; its log says what."
                _explain(error, "INTERNAL_ERROR")


def _explain(error: GraphQLError, code: str, **hints: object) -> None:
    error.extensions = {**(error.extensions or {}), "code": code, **hints}


def make_schema() -> StemmaSchema:
    """Make the schema of the GraphQL endpoint."""
    return StemmaSchema(
        query=Query,
        types=[Paper, Entity],
        extensions=[
            lambda: QueryDepthLimiter(max_depth=DEEPEST_QUERY),
            lambda: MaxAliasesLimiter(max_alias_count=MOST_ALIASES),
            lambda: MaxTokensLimiter(max_token_count=MOST_TOKENS),
            ParserCache,
            ValidationCache,
        ],
        config=StrawberryConfig(
            scalar_map={
                PartialDate: strawberry.scalar(
                    name="PartialDate",
                    description="A date as far as it is known, in EDTF: 2021, 2021-04, "
                    "2021-04-15, or XXXX-04-15 where the year is not known.",
                    specified_by_url="https://www.loc.gov/standards/datetime/",
                    serialize=str,
                    parse_value=PartialDate.parse,
                )
            }
        ),
    )
