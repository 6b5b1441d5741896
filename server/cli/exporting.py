"""The commands that write a graph elsewhere: export to files, and push to Neo4j."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.graph import LineageDirection, StoreError, open_store
from stemma.graph.export import ExportFormat, Portion, export_portion, format_of, works_of_lineage
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json, progress, remarks

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


def export(
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="A file, optionally .gz, or a folder; - for standard output."
        ),
    ] = "-",
    format: Annotated[
        ExportFormat | None,
        typer.Option("--format", "-f", help="The format, if the file extension does not imply it."),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(help="Only the lineage of this work (a name or an id), as GraphML or CSV."),
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Maximum number of steps, with --of.")] = 3,
    direction: Annotated[
        LineageDirection, typer.Option(help="Descendants or ancestors, with --of.")
    ] = LineageDirection.DESCENDANTS,
    abstracts: Annotated[
        bool,
        typer.Option(
            "--with-abstracts/--without-abstracts",
            help="Without abstracts, only the evidence sentences are exported.",
        ),
    ] = True,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="RDF with how papers were read: files, names in texts, offsets, runs."
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    store: StoreOption = "stemma.db",
) -> None:
    """Export the graph, or one lineage, for other tools.

    N-Quads, TriG and JSON-LD keep one named graph per paper; Turtle and N-Triples hold their union.
    GraphML is for Gephi and the like. CSV is two files: of `graph.csv`, `graph-nodes.csv` and
    `graph-edges.csv`. `neo4j-csv` is a folder, for `neo4j-admin database import`.

    Example: `stemma export -o graph.nq.gz`

    Example: `stemma export --of FlashAttention --depth 2 -o flashattention.graphml`
    """
    path = Path(output)
    chosen = format or _format_of(output)
    with open_store(store) as graph, graph.snapshot() as reader:
        works = works_of_lineage(reader, of, direction, depth) if of else None
        if output == "-":
            export_portion(Portion(reader, works, abstracts, full=full), chosen, sys.stdout.buffer)
            return
        with progress("Writing", unit="parts") as tick:
            portion = Portion(reader, works, abstracts, tick, full)
            written = export_portion(portion, chosen, path, replace=force)
    remarks.print(f"Written to {' and '.join(map(str, written))}.")
    if chosen is ExportFormat.NEO4J_CSV:
        remarks.print(f"{path / 'import.args'} explains how to load it.")


def _format_of(output: str) -> ExportFormat:
    if output == "-":
        reason = "required when writing to standard output; use -o to write to a file"
        raise typer.BadParameter(reason, param_hint="--format")
    try:
        return format_of(Path(output))
    except ValueError as error:
        reason = f"{error}; stemma lineage draws pictures"
        raise typer.BadParameter(reason, param_hint="--output") from error


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
        print_json(asdict(pushed))
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
    """Push the graph of a local store to the Neo4j database at an address."""
    from stemma.graph.neo4j import Address, Neo4jStore  # noqa: PLC0415 - loads the driver
    from stemma.graph.neo4j.push import push as write  # noqa: PLC0415

    target = Neo4jStore(Address.parse(url), label_prefix)
    with target, open_store(store) as local:
        if isinstance(local, Neo4jStore):
            raise StoreError("The store that is pushed is a local one: --store stemma.db.")
        with local.snapshot() as reader, progress("Pushing", unit="parts") as tick:
            return write(reader, target.connection, full, tick)


def account(pushed: "Pushed") -> str:
    """Summarise what a push wrote in one line."""
    if not (pushed.nodes or pushed.relationships or pushed.removed or pushed.retired):
        return "Nothing changed since the last push."
    compared = "Everything" if pushed.everything else "Changes"
    return (
        f"{compared} pushed: {quantity(pushed.nodes, 'node')} written, "
        f"{quantity(pushed.relationships, 'relationship')} changed, {pushed.removed:,} removed."
    )
