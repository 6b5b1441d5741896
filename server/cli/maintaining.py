"""The commands that keep a store in order: check, backup."""

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from stemma.graph import open_store
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.sparql import rdf_of
from stemma.server.cli.terminal import answers, print_json, progress, remarks


def check(
    shapes: Annotated[
        bool,
        typer.Option("--shapes", help="Check its RDF against the shapes (SHACL) of a valid graph."),
    ] = False,
    store: StoreOption = "stemma.db",
    first: Annotated[
        int, typer.Option(min=1, help="Maximum number of problems, with --shapes.")
    ] = 50,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Read a whole store, and report what is damaged and how to repair it.

    The exit status is 1 if anything is damaged or lost. In Neo4j, works and edges are counted.
    With --shapes, its graph as RDF is checked against schema/shapes.ttl instead.

    Example: `stemma check --store stemma.db`
    """
    if shapes:
        _check_shapes(store, first, format)
        return
    with open_store(store) as graph:
        findings = sorted(graph.check(), key=lambda finding: not finding.fault)
        place = graph.url
    whole = not any(finding.fault for finding in findings)
    if format is DataFormat.JSON:
        print_json({"store": place, "whole": whole, "findings": [*map(asdict, findings)]})
    else:
        for finding in findings:
            sort = Text("problem:", "red") if finding.fault else Text("note:", "yellow")
            answers.print(sort, finding.what, soft_wrap=True)
            answers.print(f"         {finding.remedy}", soft_wrap=True)
        if whole:
            answers.print(f"No fault was found in {place}.", soft_wrap=True)
    if not whole:
        raise typer.Exit(1)


def _check_shapes(store: str, first: int, format: DataFormat) -> None:
    """Report violations of the shapes, and exit with status 1 if there are any."""
    from stemma.graph.rdf.validation import violations  # noqa: PLC0415 - loads rdflib and pySHACL

    with (
        open_store(store) as graph,
        graph.snapshot() as reader,
        progress("Validating", unit="papers and entities") as tick,
    ):
        found = list(islice(violations(rdf_of(graph, reader).rdf, tick), first + 1))
    more = len(found) > first
    if format is DataFormat.JSON:
        problems = [asdict(violation) for violation in found[:first]]
        print_json({"valid": not found, "problems": problems, "more": more})
    elif found:
        for violation in found[:first]:
            answers.print(str(violation), soft_wrap=True)
        if more:
            remarks.print(f"{quantity(first, 'problem')}; there are more (--first).")
    else:
        answers.print("Valid: the graph conforms to all shapes.")
    if found:
        raise typer.Exit(1)


def backup(
    target: Annotated[Path, typer.Argument(metavar="DEST", help="A new file.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Copy a store and its decisions to a new file, even while it is in use.

    The copy is a complete store: query it with `--store DEST`. To restore it, copy it back.

    Example: `stemma backup monday.db`
    """
    with open_store(store) as graph:
        decisions = graph.back_up(target)
    beside = f", its decisions to {decisions}" if decisions else ""
    answers.print(f"{graph.url} copied to {target}{beside}.", soft_wrap=True)
