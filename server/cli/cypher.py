"""The command that asks a store by Cypher: cypher."""

import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any

import typer
from rich.text import Text

from stemma.graph.cypher import Node, Path, Relationship, Value, ask
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.rows import Rows
from stemma.server.cli.terminal import answers, print_json, progress, remarks

_NAMES = ("name", "title", "id")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def cypher(
    query: Annotated[str, typer.Argument(help="A query; - reads it from standard input.")],
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            "-p",
            help="A query parameter: NAME=VALUE sets $NAME. VALUE is JSON, otherwise a string.",
        ),
    ] = None,
    store: StoreOption = "stemma.db",
    write: Annotated[bool, typer.Option("--write", help="Allow changes (Neo4j only).")] = False,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Query the graph with Cypher: in full on Neo4j, most of it on a store in a file.

    Example: `stemma cypher 'MATCH ({name: $of})<-[:DERIVES_FROM*1..3]-(y) RETURN y' -p of=LoRA`
    """
    text = sys.stdin.read() if query == "-" else query
    given = dict(_parameter(parameter) for parameter in parameters or ())
    with progress("Preparing") as tick:
        answer = ask(store, text, given, write, tick)
    if format is DataFormat.JSON:
        rows = (zip(answer.columns, map(_to_json, row), strict=True) for row in answer.rows)
        print_json(list(map(dict, rows)))
    elif answer.columns:
        table = Rows(*map(cell, answer.columns))
        for row in answer.rows:
            table.add(*(Text(cell(value)) for value in row))
        answers.print(table, crop=False)
        remarks.print(quantity(len(answer.rows), "row"))
    if answer.written:
        counts = (f"{count} {name.replace('_', ' ')}" for name, count in answer.written.items())
        remarks.print(", ".join(counts))


def _parameter(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise typer.BadParameter(f"{given!r} is not NAME=VALUE", param_hint="--param")
    try:
        return name, json.loads(value, parse_constant=_no_constant)
    except ValueError:
        return name, value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is a string")


def cell(value: Value) -> str:
    """Write a value for people: of nodes what they are called, of the others all, as JSON.

    >>> cell(Node("1", ("Entity", "Model"), {"id": "entity/bert", "name": "BERT"}))
    '(:Entity:Model {"name": "BERT"})'
    """
    match value:
        case str():
            return _CONTROL.sub("�", value)  # what a terminal would take for a command
        case Node():
            named = [name for name in _NAMES if name in value.properties]
            shown = {name: value.properties[name] for name in named[:1] or value.properties}
            return f"(:{':'.join(value.labels)} {cell(shown)})"
        case Relationship():
            return f"[:{value.type} {cell(value.properties)}]"
        case Path():
            written = cell(value.nodes[0])
            for before, edge, after in zip(
                value.nodes[:-1], value.relationships, value.nodes[1:], strict=True
            ):
                step = f"[:{edge.type}]"
                written += f"-{step}->" if edge.start == before.id else f"<-{step}-"
                written += cell(after)
            return written
        case list():
            return f"[{', '.join(map(cell, value))}]"
    return cell(json.dumps(_to_json(value), ensure_ascii=False))


def _to_json(value: Value) -> Any:
    """Return a value as JSON-ready data, nodes, relationships and paths as objects."""
    match value:
        case Node() | Relationship() | Path():
            return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
        case list() | tuple():
            return [_to_json(each) for each in value]
        case Mapping():
            return {name: _to_json(each) for name, each in value.items()}
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no such numbers.
    return value
