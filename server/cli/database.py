"""The option that says which database of a Neo4j server a store is: ``--database``."""

import os
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", envvar="NEO4J_DATABASE", help="The database of a Neo4j server."),
]


def with_database(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that has ``--store`` this option besides; others stay as they are."""
    parameters = list(signature(command, eval_str=True).parameters.values())
    if all(each.name != "store" for each in parameters):
        return command

    @wraps(command)
    def run(*arguments: Any, database: str | None = None, **keywords: Any) -> Any:
        if database:  # Whatever opens the store looks there, be it in another process.
            os.environ["NEO4J_DATABASE"] = database
        return command(*arguments, **keywords)

    option = Parameter("database", Parameter.KEYWORD_ONLY, default=None, annotation=DatabaseOption)
    run.__signature__ = signature(command).replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "database": DatabaseOption}
    return run
