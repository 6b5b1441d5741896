"""The arguments of fields: filters, as `Selection` defines them, and names of works."""

from functools import partial
from typing import Annotated, Any

import strawberry

from stemma.graph.selection import Filter
from stemma.schema import PartialDate
from stemma.server.selecting import selecting

NameArgument = Annotated[
    str,
    strawberry.argument(description="A paper or an entity, in any spelling, or an id."),
]


def _annotation(filter: Filter) -> Any:
    type_: Any = str if filter.type is PartialDate else filter.type
    if filter.many:
        type_ = list[type_] | None
    elif filter.default is None:
        type_ = type_ | None
    return Annotated[type_, strawberry.argument(description=filter.help)]


with_selection = partial(selecting, _annotation)
"""Returns a decorator that gives a resolver an argument for each filter: see `selecting`."""
