"""The command that asks a store by Cypher: cypher."""

import json
import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from stemma.schema.quantity import quantity
from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import answers, print_json, progress, remarks


class CypherFormat(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


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
    format: Annotated[
        CypherFormat, typer.Option("--format", "-f", help="Output format.")
    ] = CypherFormat.TABLE,
) -> None:
    """Query the graph with Cypher: in full on Neo4j, most of it on a store in a file.

    Example: `stemma cypher 'MATCH ({name: $of})<-[:DERIVES_FROM*1..3]-(y) RETURN y' -p of=LoRA`
    """
    from stemma.graph.cypher import ask  # noqa: PLC0415 - keeps --help quick
    from stemma.server.cli import cypher_rows as shown  # noqa: PLC0415

    text = sys.stdin.read() if query == "-" else query
    given = dict(_parameter(each) for each in parameters or ())
    with progress("Preparing") as tick:
        answer = ask(store, text, given, write, tick)
    if format is CypherFormat.JSON:
        print_json(shown.rows_json(answer))
    elif format is CypherFormat.CSV:
        sys.stdout.write(shown.rows_csv(answer))
    elif answer.columns:
        answers.print(shown.table(answer), crop=False)
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
