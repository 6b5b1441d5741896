"""Answers to Cypher, for people and for programs."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import chain
from typing import Any

from rich.text import Text

from stemma.graph.cypher import CypherAnswer, Node, Path, Relationship, Value
from stemma.graph.export.csv_text import csv_text
from stemma.server.cli.rows import Rows

_NAMES = ("name", "title", "id")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def table(answer: CypherAnswer) -> Rows:
    """Format an answer as a table."""
    laid_out = Rows(*map(_shown, answer.columns))
    for row in answer.rows:
        laid_out.add(*(Text(_cell(value)) for value in row))
    return laid_out


def _cell(value: Value) -> str:
    return _shown(value) if isinstance(value, str) else notation(value)


def _shown(text: str) -> str:
    """Replace what a terminal would take for a command."""
    return _CONTROL.sub("�", text)


def notation(value: Value) -> str:  # noqa: PLR0911 - a case each
    """Write a value much as Cypher does; of nodes, what they are called.

    >>> notation(Node("1", ("Entity", "Model"), {"id": "entity/bert", "name": "BERT"}))
    '(:Entity:Model {name: "BERT"})'
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return _shown(json.dumps(value, ensure_ascii=False))
        case Node():
            return f"({_labels(value.labels)} {_map(_called(value))})"
        case Relationship():
            return f"[:{_name(value.type)} {_map(value.properties)}]"
        case Path():
            return _path(value)
        case list():
            return f"[{', '.join(map(notation, value))}]"
        case dict():
            return _map(value)
    return str(value)


def _path(path: Path) -> str:
    written = notation(path.nodes[0])
    for edge, before, after in zip(
        path.relationships, path.nodes[:-1], path.nodes[1:], strict=True
    ):
        step = f"[:{_name(edge.type)}]"
        forwards = edge.start == before.id
        written += f"-{step}->" if forwards else f"<-{step}-"
        written += notation(after)
    return written


def _called(node: Node) -> dict[str, Value]:
    """Return what a node is called; of one that is not called anything, all that it has."""
    for name in _NAMES:
        if name in node.properties:
            return {name: node.properties[name]}
    return dict(node.properties)


def _labels(labels: tuple[str, ...]) -> str:
    return "".join(f":{_name(label)}" for label in labels)


def _map(properties: Any) -> str:
    return "{" + ", ".join(f"{_name(key)}: {notation(properties[key])}" for key in properties) + "}"


def _name(name: str) -> str:
    quoted = name.replace("`", "``")
    return name if _PLAIN.fullmatch(name) else _shown(f"`{quoted}`")


def to_json(value: Value) -> Any:
    """Return a value as JSON-ready data, nodes, relationships and paths as objects."""
    match value:
        case Node() | Relationship() | Path():
            return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
        case list() | tuple():
            return [to_json(each) for each in value]
        case Mapping():
            return {name: to_json(each) for name, each in value.items()}
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no such numbers.
    return value


def rows_json(answer: CypherAnswer) -> list[dict[str, Any]]:
    """Return an answer as a list of objects, a row each."""
    return [dict(zip(answer.columns, map(to_json, row), strict=True)) for row in answer.rows]


def rows_csv(answer: CypherAnswer) -> str:
    """Return an answer as CSV (RFC 4180): nulls are empty, lists and nodes are JSON."""
    rows = ([_csv_cell(to_json(value)) for value in row] for row in answer.rows)
    return csv_text(chain([answer.columns], rows))


def _csv_cell(value: Any) -> object:
    if value is None:
        return ""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return value if is_plain else json.dumps(value, ensure_ascii=False)
