"""The GraphQL query behind an answer, as text. Only what is an answer has its id selected."""

import json
from collections.abc import Mapping
from enum import Enum

_STATEMENTS = "statements { relation confidence paper { name } evidence { text } }"
_EDGE = "relations confidences { relation confidence } confidence " + _STATEMENTS


def query(*fields: str) -> str:
    """Return a query of these fields."""
    return "{\n" + "\n".join(f"  {field}" for field in fields) + "\n}"


def field(name: str, selection: str, arguments: Mapping[str, object]) -> str:
    """Return a field with its arguments; those that are None or empty lists are left out."""
    given = ", ".join(
        f"{key}: {literal(value)}"
        for key, value in arguments.items()
        if value is not None and value != ()
    )
    return f"{name}({given}) {{ {selection} }}" if given else f"{name} {{ {selection} }}"


def literal(value: object) -> str:
    """Return a value as GraphQL writes it."""
    match value:
        case Enum():
            return value.name
        case str() | bool() | int() | float():
            return json.dumps(value)
        case Mapping():
            return "{" + ", ".join(f"{key}: {literal(own)}" for key, own in value.items()) + "}"
        case tuple() | list():
            return "[" + ", ".join(map(literal, value)) + "]"
        case _:
            raise TypeError(f"GraphQL has no literal for {value!r}")


def works(ids: list[str]) -> str:
    """Return a query of the works with these ids."""
    if not ids:
        return query("statistics { papers entities }")
    return query(
        *(
            field(f"work{number}: node", "id ... on Work { name published }", {"id": id_})
            for number, id_ in enumerate(ids, start=1)
        )
    )


LINEAGE = (
    "nodes { depth published work { id name } } "
    "edges { child { name } parent { name } " + _EDGE + " } truncated"
)
PATH = "child { id name } parent { id name } " + _EDGE
PAPERS = (
    "totalCount edges { node { id name published } "
    "statements { relation confidence entity { name } evidence { text } } }"
)
ENTITIES = "totalCount matches { entity { id name kind } " + _STATEMENTS + " }"
SIDE_BY_SIDE = (
    "left { work { id name } published } right { work { id name } published } "
    "lineage { child { name } parent { name } relations } statements { relation paper { name } "
    "entity { name } comparison { text factor metric direction } evidence { text } }"
)
INFLUENCE = "work { id name } share children descendants"
WORK = (
    "id ... on Work { name } ... on Entity { kind aliases broader { name } "
    "introducedBy { name published } } ... on Paper { published introduces { name } }"
)
