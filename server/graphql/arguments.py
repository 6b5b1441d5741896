"""The arguments of fields: filters, as `Selection` defines them, and names of works."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import strawberry

from stemma.graph.selection import Filter
from stemma.schema import PartialDate
from stemma.server.selecting import Function, selecting

NameArgument = Annotated[
    str,
    strawberry.argument(description="A paper or an entity, in any spelling, or an id."),
]


def with_selection(
    names: Iterable[str], help: dict[str, str] | None = None, **defaults: Any
) -> Callable[[Function], Function]:
    """Return a decorator that gives a resolver an argument for each of some filters.

    The resolver has a parameter `selection` in their place. `help` replaces descriptions of
    filters, `defaults` their defaults.
    """

    def annotate(filter: Filter) -> Any:
        type_: Any = str if filter.type is PartialDate else filter.type
        if filter.many:
            type_ = list[type_] | None
        elif defaults.get(filter.name, filter.default) is None:
            type_ = type_ | None
        description = (help or {}).get(filter.name, filter.help)
        return Annotated[type_, strawberry.argument(description=description)]

    return selecting(annotate, names, **defaults)
