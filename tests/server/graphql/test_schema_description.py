"""The published schema says what everything in it is."""

from collections.abc import Iterator

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLUnionType,
    build_schema,
    get_directive_values,
    get_named_type,
    is_introspection_type,
    is_specified_scalar_type,
)

from stemma.server.graphql.schema import StemmaSchema

SCHEMA = build_schema(StemmaSchema().as_str())
TYPES = [
    type_
    for type_ in SCHEMA.type_map.values()
    if not is_introspection_type(type_) and not is_specified_scalar_type(type_)
]


def parts(type_: GraphQLNamedType) -> Iterator[tuple[str, str | None]]:
    yield type_.name, type_.description
    if isinstance(type_, GraphQLEnumType):
        yield from ((f"{type_}.{name}", each.description) for name, each in type_.values.items())
    if isinstance(type_, GraphQLInputObjectType):
        yield from ((f"{type_}.{name}", each.description) for name, each in type_.fields.items())
    if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)):
        for name, field in type_.fields.items():
            yield f"{type_}.{name}", field.description
            for argument, each in field.args.items():
                yield f"{type_}.{name}({argument}:)", each.description


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_all_of_it_is_described(type_):
    assert [name for name, description in parts(type_) if not description] == []


@pytest.mark.parametrize("name", [str(each) for each in TYPES if str(each).endswith("Connection")])
def test_connections_are_as_relay_wants_them(name):
    connection, info = SCHEMA.type_map[name], SCHEMA.type_map["PageInfo"]
    assert {"edges", "nodes", "pageInfo", "totalCount"} <= connection.fields.keys()
    assert {key: str(field.type) for key, field in info.fields.items()} == {
        "hasNextPage": "Boolean!",
        "hasPreviousPage": "Boolean!",
        "startCursor": "String",
        "endCursor": "String",
    }
    edge = get_named_type(connection.fields["edges"].type)
    assert {"node", "cursor"} <= edge.fields.keys()
    # By an id, caches would take an edge from one end for that from the other.
    assert "id" not in edge.fields


def test_sizes_of_lists_refer_to_arguments_and_fields_that_there_are():
    """Gateways that price queries by this directive refuse a schema otherwise."""
    directive = SCHEMA.get_directive("listSize")
    checked = 0
    for type_ in TYPES:
        if not isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)):
            continue
        for name, field in type_.fields.items():
            size = get_directive_values(directive, field.ast_node) or {}
            assert {*(size.get("slicingArguments") or ())} <= field.args.keys(), f"{type_}.{name}"
            sized, items = {*(size.get("sizedFields") or ())}, get_named_type(field.type)
            if isinstance(items, GraphQLUnionType):  # of what is sized, and errors
                items = items.types[0]
            if sized:
                assert sized <= items.fields.keys(), f"{type_}.{name}"
            checked += bool(size)
    assert checked > 20
