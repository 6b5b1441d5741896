"""The enumerations of the GraphQL schema: those of the model, with their descriptions."""

import re
from collections.abc import Mapping
from enum import Enum
from inspect import cleandoc, getsource

import strawberry

from stemma.graph import FilterField, LineageDirection, LineageOrder, PageOrder
from stemma.graph.selection import Filter, spelled
from stemma.schema import Bound, Direction, EntityKind, RelationType

_MEMBER = re.compile(r'(?m)^    (\w+) = .+\n    """((?:.|\n)+?)"""$')
"""A member in the source of an enumeration, and what is said below it."""


def _register(
    type_: type[Enum], name: str, description: str, values: Mapping[str, str] | None = None
) -> None:
    described = values or dict(_MEMBER.findall(getsource(type_)))
    registered = strawberry.enum(type_, name=name, description=description)
    for value in registered.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = cleandoc(described[value.name])


def _argument(filter: Filter) -> str:
    return f"`{filter.camel_case}{': false' if filter.default is True else ''}`"


for _type, _name in {
    EntityKind: "EntityKind",
    RelationType: "RelationType",
    Bound: "ComparisonBound",
    Direction: "ComparisonDirection",
    LineageDirection: "LineageDirection",
    PageOrder: "PageOrder",
    LineageOrder: "LineageOrder",
}.items():
    _summary = cleandoc(_type.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    _register(_type, _name, _summary)
_register(
    FilterField,
    "LineageFilter",
    "A filter of a lineage.",
    {field.name: f"{spelled([field], _argument)}." for field in FilterField},
)
