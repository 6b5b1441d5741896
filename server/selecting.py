"""Functions that take a `Selection`, as the interfaces call them: with a parameter per filter."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from stemma.graph.selection import Filter, Selection, filters

Function = TypeVar("Function", bound=Callable[..., Any])
_LONGEST = 500
"""The length of values whose selection is kept: a client may send many that are very long."""


def selecting(
    annotate: Callable[[Filter], Any],
    names: Iterable[str],
    help: Mapping[str, str] | None = None,
    **defaults: Any,
) -> Callable[[Function], Function]:
    """Return a decorator that gives a function a parameter for each of some filters.

    The function itself has a parameter `selection` in their place; and perhaps others that are not
    named, for type checkers alone. `annotate` makes the annotation of a parameter, as strawberry,
    Typer or pydantic expect it, from a filter with the description and the default that it has
    here: `help` and `defaults` replace those of the filters. What a caller gives is read by
    `Selection.read`.
    """
    chosen = [
        replace(
            filters()[name],
            help=(help or {}).get(name, filters()[name].help),
            default=defaults.get(name, filters()[name].default),
        )
        for name in names
    ]

    def decorate(function: Function) -> Function:
        own = signature(function, eval_str=True)
        parameters: list[Parameter] = []
        for parameter in own.parameters.values():
            if parameter.name == "selection":
                parameters += [_parameter(one, annotate(one)) for one in chosen]
            elif parameter.kind is Parameter.VAR_KEYWORD:
                continue
            elif parameters and parameters[-1].kind is Parameter.KEYWORD_ONLY:
                parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
            else:
                parameters.append(parameter)

        shown = own.replace(parameters=parameters)

        @wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            if unknown := keywords.keys() - shown.parameters.keys():
                name = f"{function.__name__}()"
                raise TypeError(f"{name} got an unexpected keyword argument {min(unknown)!r}")
            given = {each.name: keywords.pop(each.shown, None) for each in chosen}
            known = {name: value for name, value in given.items() if value is not None}
            return function(*arguments, **keywords, selection=_read(**{**defaults, **known}))

        call.__signature__ = shown  # type: ignore[attr-defined]
        call.__annotations__ = {
            **{parameter.name: parameter.annotation for parameter in parameters},
            "return": own.return_annotation,
        }
        return call  # type: ignore[return-value]

    return decorate


def annotated(filter: Filter, type_: Any) -> Any:
    """Return the annotation of a parameter for a filter, of values of a type: a list of many, and
    None where there is nothing to choose."""
    if filter.many:
        return list[type_] | None
    return type_ | None if filter.default is None else type_


def _read(**values: Any) -> Selection:
    known = {n: tuple(v) if isinstance(v, list) else v for n, v in values.items()}
    if any(type(each) in (str, tuple) and len(each) > _LONGEST for each in known.values()):
        return Selection.read(**values)
    try:
        return _known(**known)
    except TypeError:  # A value without a hash, or a name that is no filter.
        return Selection.read(**values)


@lru_cache(maxsize=256, typed=True)
def _known(**values: Any) -> Selection:
    """Return a selection; most are asked for again and again."""
    return Selection.read(**values)


def _parameter(filter: Filter, annotation: Any) -> Parameter:
    return Parameter(
        filter.shown,
        Parameter.KEYWORD_ONLY,
        # Interfaces write None where there is nothing to choose.
        default=None if filter.many and not filter.default else filter.default,
        annotation=annotation,
    )
