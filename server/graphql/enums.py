"""The enumerations of the GraphQL schema: those of the model, with their descriptions."""

import ast
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from inspect import cleandoc, getsource
from itertools import pairwise

import strawberry

from stemma.graph import FilterField, LineageDirection, LineageOrder, PageOrder
from stemma.graph.selection import Filter, spelled
from stemma.schema import Bound, Direction, EntityKind, RelationType


def _register(
    type_: type[Enum], name: str, description: str, values: Mapping[str, str] | None = None
) -> None:
    described = values or _descriptions(type_)
    registered = strawberry.enum(type_, name=name, description=description)
    for value in registered.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = described[value.name]


def _descriptions(type_: type[Enum]) -> dict[str, str]:
    """Return what the source of an enumeration says below each member, by their names."""
    found = {}
    for member, text in pairwise(_classes(type_.__module__)[type_.__name__].body):
        match member, text:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(ast.Constant(str(said))):
                found[name] = cleandoc(said)
    return found


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    source = ast.parse(getsource(import_module(module)))
    return {each.name: each for each in source.body if isinstance(each, ast.ClassDef)}


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
    {each.name: f"{spelled([each], _argument)}." for each in FilterField},
)
