"""Options of commands for filters, as `Selection` defines them."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Any

import typer

from stemma.graph.filters import FilterError
from stemma.graph.selection import Filter
from stemma.schema import PartialDate
from stemma.server.selecting import Function, selecting


def with_selection(
    names: Iterable[str], help: dict[str, str] | None = None, **defaults: Any
) -> Callable[[Function], Function]:
    """Return a decorator that gives a command an option for each of some filters.

    The command has a parameter `selection` in their place. `help` replaces descriptions of
    filters, `defaults` their defaults.
    """

    def annotate(filter: Filter) -> Any:
        options: dict[str, Any] = {"help": (help or {}).get(filter.name, filter.help)}
        type_: Any = filter.type
        if issubclass(type_, StrEnum | PartialDate):
            options |= {"parser": _parser(filter), "metavar": _metavar(filter)}
        elif type_ in (int, float):
            options |= {"min": filter.minimum, "max": filter.maximum}
        if filter.many:
            type_ = list[type_]
        if defaults.get(filter.name, filter.default) in (None, ()):
            type_ = type_ | None
            options["show_default"] = False
        return Annotated[type_, typer.Option(filter.on_command_line, **options)]

    return selecting(annotate, names, **defaults)


def _parser(filter: Filter) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            return filter.read_one(text)
        except FilterError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


def _metavar(filter: Filter) -> str:
    if issubclass(filter.type, StrEnum):
        return "|".join(each.value.lower() for each in filter.type)
    return "DATE"
