"""Groups of options that several commands take, and of which each gets one value."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any

Command = Callable[..., Any]


def with_group(
    name: str, options: Mapping[str, Any], defaults: Mapping[str, Any], make: Callable[..., Any]
) -> Callable[[Command], Command]:
    """Return a decorator that gives a command a group of options in place of its parameter `name`.

    `options` are the annotations of the options by their parameters' names, with `defaults`, else
    None; `make` gets their values by these names, and returns what the command gets as `name`.
    """
    group = [
        Parameter(each, Parameter.KEYWORD_ONLY, default=defaults.get(each), annotation=annotation)
        for each, annotation in options.items()
    ]

    def decorate(command: Command) -> Command:
        own = signature(command)
        parameters: list[Parameter] = []
        for each in own.parameters.values():
            keyword = each.replace(kind=Parameter.KEYWORD_ONLY)
            parameters += group if each.name == name else [keyword]

        @wraps(command)
        def run(**arguments: Any) -> Any:
            chosen = {each: arguments.pop(each) for each in options}
            return command(**arguments, **{name: make(**chosen)})

        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate
