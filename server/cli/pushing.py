"""The command that writes the graph of a local store to Neo4j: push."""

from typing import TYPE_CHECKING, Annotated

import typer

from stemma.graph import StoreError, open_store
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json, progress

if TYPE_CHECKING:
    from stemma.graph.neo4j.push import Pushed

PrefixOption = Annotated[
    str | None,
    typer.Option(
        "--label-prefix",
        envvar="STEMMA_LABEL_PREFIX",
        help="Begin all labels with this, in a database that has :Paper nodes of its own.",
    ),
]


def push(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="The Neo4j server: neo4j://user:password@host:7687 (user and password default to "
            "NEO4J_USERNAME and NEO4J_PASSWORD).",
        ),
    ],
    full: Annotated[
        bool,
        typer.Option("--full", help="Compare everything, not only what changed since the last."),
    ] = False,
    label_prefix: PrefixOption = None,
    format: FormatOption = DataFormat.TEXT,
    store: StoreOption = "stemma.db",
) -> None:
    """Write the graph of a local store to a Neo4j database, or what changed since the last push.

    Labels, properties and relationships that others added there are left alone. A push that was
    stopped goes on with the next one.

    Example: `stemma push neo4j://localhost:7687 --store stemma.db`
    """
    pushed = push_to(url, store, full, label_prefix)
    if format is DataFormat.JSON:
        names = ("everything", "nodes", "relationships", "removed", "retired")
        print_json({name: getattr(pushed, name) for name in names})
        return
    answers.print(account(pushed), soft_wrap=True)
    for id_, successor in sorted(pushed.retired.items()):
        follows = f", followed by {successor}" if successor else ""
        answers.print(
            f"  {id_} is no longer in the graph{follows}. It stays as :Retired: others added data "
            "to it.",
            soft_wrap=True,
        )


def push_to(url: str, store: str, full: bool = False, label_prefix: str | None = None) -> "Pushed":
    """Push the graph of the store at `store` to the Neo4j database at `url`."""
    from stemma.graph.neo4j import Address, Neo4jStore  # noqa: PLC0415 - loads the driver

    target = Neo4jStore(Address.parse(url), label_prefix)
    with target, open_store(store) as local:
        if isinstance(local, Neo4jStore):
            raise StoreError("The store that is pushed is a local one: --store stemma.db.")
        with local.snapshot() as reader, progress("Pushing", unit="papers and entities") as tick:
            return target.push(reader, full, tick)


def account(pushed: "Pushed") -> str:
    """Summarise what a push wrote in one line."""
    if not (pushed.nodes or pushed.relationships or pushed.removed or pushed.retired):
        return "Nothing changed since the last push."
    compared = "Everything" if pushed.everything else "Changes"
    return (
        f"{compared} pushed: {quantity(pushed.nodes, 'node')} written, "
        f"{quantity(pushed.relationships, 'relationship')} changed, {pushed.removed:,} removed."
    )
