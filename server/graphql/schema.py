"""The executable schema, with the bounds on what may be asked of it."""

import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from stemma.graph import AmbiguousNameError, BadCursorError, StoreError, UnknownNameError
from stemma.schema import PartialDate
from stemma.server.graphql.fields import OwnField
from stemma.server.graphql.limits import Preparation, QueryPreparer
from stemma.server.graphql.query import Query
from stemma.server.graphql.works import Entity, Paper
from stemma.server.http.responses import UNREADABLE, name_error
from stemma.server.settings import DEFAULT_SETTINGS, Settings
from stemma.server.views.view import Time

_log = logging.getLogger(__name__)


class StemmaSchema(strawberry.Schema):
    """A schema whose errors carry a code and say what to do, and never a stack trace."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            query=Query,
            types=[Paper, Entity],
            extensions=[lambda: Preparation(self._preparer)],
            config=_config(settings),
        )
        self._preparer = QueryPreparer(self._schema, settings)
        for type_ in self._schema.type_map.values():
            for field in getattr(type_, "fields", {}).values():
                own = field.extensions.get("strawberry-definition")
                if isinstance(own, OwnField):
                    field.resolve = own.resolve

    def is_known_lookup(
        self, query: str | None, operation_name: str | None, variables: Mapping[str, Any]
    ) -> bool:
        """Return whether a query is cached, and known to be answered in no time."""
        return self._preparer.is_known_lookup(query, operation_name, variables)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Add its code to each error; log those that are our own fault."""
        for error in errors:
            cause = error.original_error
            if "code" in (error.extensions or {}):
                continue
            if isinstance(cause, UnknownNameError | AmbiguousNameError):
                _explain(error, **name_error(cause))
            elif isinstance(cause, StoreError):
                _log.error("the store failed: %s", cause)
                error.message = UNREADABLE
                _explain(error, "STORE_UNAVAILABLE")
            elif isinstance(cause, BadCursorError):
                _explain(error, "BAD_CURSOR")
            elif isinstance(cause, UnicodeError):
                error.message = "A string contains a lone surrogate."
                _explain(error, "BAD_ARGUMENT")
            elif isinstance(cause, ValueError):
                _explain(error, "BAD_ARGUMENT")
            elif cause is None or isinstance(cause, GraphQLError):
                _explain(error, "BAD_QUERY")
            else:
                _log.error("a query failed", exc_info=cause)
                error.message = "Internal error; see the log of the server."
                _explain(error, "INTERNAL_ERROR")


def _explain(error: GraphQLError, code: str, **hints: object) -> None:
    error.extensions = {**(error.extensions or {}), "code": code, **hints}


def _config(settings: Settings) -> StrawberryConfig:
    return StrawberryConfig(
        batching_config={"max_operations": settings.batch_size},
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
        },
    )


@cache
def sdl() -> str:
    """Return the schema in the schema definition language, with a description on each line above
    what it describes, and no empty lines within types."""
    text = make_schema().as_str()
    text = re.sub(r'(?m)^( *""")\n *(.*)\n *"""$', r'\1\2"""', text)
    return re.sub(r"\n\n(?= )", "\n", text) + "\n"


def make_schema(settings: Settings = DEFAULT_SETTINGS) -> StemmaSchema:
    """Make the schema of the GraphQL endpoint."""
    return StemmaSchema(settings)
