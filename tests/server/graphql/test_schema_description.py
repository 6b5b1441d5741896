"""The published schema says what everything in it is."""

from collections.abc import Iterator

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLNamedType,
    build_schema,
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
    members = type_.values if isinstance(type_, GraphQLEnumType) else getattr(type_, "fields", {})
    for name, member in members.items():
        yield f"{type_}.{name}", member.description
        for argument, each in getattr(member, "args", {}).items():
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
