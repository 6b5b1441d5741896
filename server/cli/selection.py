"""Options of commands for filters, as `Selection` defines them."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import typer

from stemma.graph.selection import Filter
from stemma.graph.store_filters import FilterError
from stemma.schema import PartialDate
from stemma.server.selecting import selecting


def _annotation(filter: Filter) -> Any:
    options: dict[str, Any] = {"help": filter.help}
    type_: Any = filter.type
    if issubclass(type_, StrEnum | PartialDate):
        options |= {"parser": _parser(filter), "metavar": _metavar(filter)}
    elif type_ in (int, float):
        options |= {"min": filter.minimum, "max": filter.maximum}
    if filter.many:
        type_ = list[type_]
    if filter.default in (None, ()):
        type_ = type_ | None
        options["show_default"] = False
    return Annotated[type_, typer.Option(filter.on_command_line, **options)]


with_selection = partial(selecting, _annotation)
"""Returns a decorator that gives a command an option for each filter: see `selecting`."""


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
