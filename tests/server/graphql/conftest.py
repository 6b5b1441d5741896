"""GraphQL without HTTP, on the store of the examples."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import StemmaSchema
from stemma.server.settings import DEFAULT_SETTINGS, Settings

Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def ask_anything(reader) -> Ask:
    """Ask a query with variables, within settings; return data, errors or both."""
    schemas: dict[Settings, Any] = {}

    def ask(
        query: str, /, settings: Settings = DEFAULT_SETTINGS, **variables: object
    ) -> dict[str, Any]:
        if settings not in schemas:
            schemas[settings] = StemmaSchema(settings)
        result = asyncio.run(schemas[settings].execute(query, variables, Context(reader, settings)))
        errors = [error.formatted for error in result.errors or ()]
        return {"data": result.data, "errors": errors}

    return ask


@pytest.fixture(scope="session")
def data(ask_anything) -> Ask:
    """Ask a query that has an answer."""

    def ask(query: str, /, **asked: Any) -> dict[str, Any]:
        answer = ask_anything(query, **asked)
        assert not answer["errors"], answer["errors"]
        return answer["data"]

    return ask


@pytest.fixture(scope="session")
def error(ask_anything) -> Ask:
    """Ask a query that is refused; return the message, and the extensions beside it."""

    def ask(query: str, /, **asked: Any) -> dict[str, Any]:
        answer = ask_anything(query, **asked)
        assert answer["errors"], answer["data"]
        first = answer["errors"][0]
        return {"message": first["message"], **first["extensions"]}

    return ask
