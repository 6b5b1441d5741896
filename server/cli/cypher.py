"""The command that asks a graph in Neo4j by Cypher: cypher."""

import json
import math
import re
import sys
from typing import Annotated, Any

import typer
from neo4j import graph, spatial, time
from rich.text import Text

from stemma.graph import open_store
from stemma.graph.neo4j.cypher import ask
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.rows import Rows
from stemma.server.cli.terminal import answers, print_json, remarks

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
    write: Annotated[bool, typer.Option("--write", help="Allow changes.")] = False,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Query a graph that was pushed to Neo4j with Cypher.

    Example: `stemma cypher 'MATCH (e {name: $of}) RETURN e' -p of=LoRA -s neo4j://localhost:7687`
    """
    text = sys.stdin.read() if query == "-" else query
    given = dict(_parameter(parameter) for parameter in parameters or ())
    with open_store(store) as opened:
        answer = ask(opened, text, given, write)
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


def cell(value: Any) -> str:
    """Write a value of the driver for people: of nodes what they are called, of the others all, as
    JSON."""
    match value:
        case str():
            return _CONTROL.sub("�", value)  # what a terminal would take for a command
        case graph.Node():
            named = [name for name in _NAMES if name in value]
            shown = {name: value[name] for name in named[:1] or value}
            return f"(:{':'.join(sorted(value.labels))} {cell(shown)})"
        case graph.Relationship():
            return f"[:{value.type} {cell(dict(value))}]"
        case graph.Path():
            written = cell(value.start_node)
            for before, edge, after in zip(
                value.nodes[:-1], value.relationships, value.nodes[1:], strict=True
            ):
                step = f"[:{edge.type}]"
                written += f"-{step}->" if edge.start_node == before else f"<-{step}-"
                written += cell(after)
            return written
        case list():
            return f"[{', '.join(map(cell, value))}]"
    return cell(json.dumps(_to_json(value), ensure_ascii=False))


def _to_json(value: Any) -> Any:  # noqa: PLR0911 - a case each
    """Return a value as JSON-ready data, nodes, relationships and paths as objects."""
    match value:
        case graph.Node():
            named = {"id": value.element_id, "labels": sorted(value.labels)}
            return {**named, "properties": _to_json(dict(value))}
        case graph.Relationship():
            start, end = (node.element_id if node else "" for node in value.nodes)
            named = {"id": value.element_id, "type": value.type, "start": start, "end": end}
            return {**named, "properties": _to_json(dict(value))}
        case graph.Path():
            parts = {"nodes": value.nodes, "relationships": value.relationships}
            return {name: list(map(_to_json, part)) for name, part in parts.items()}
        case list():
            return list(map(_to_json, value))
        case dict():
            return {name: _to_json(part) for name, part in value.items()}
        case time.DateTime() | time.Date() | time.Time() | time.Duration():
            return value.iso_format()
        case spatial.Point():
            return {"srid": value.srid, "coordinates": list(value)}
        case bytes() | bytearray():
            return value.hex()
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no such numbers.
    return value
