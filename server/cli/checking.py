"""The command that checks a store: check."""

import typer

from stemma.graph import open_store
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json


def check(store: StoreOption = "stemma.db", format: FormatOption = DataFormat.TEXT) -> None:
    """Check that a store is whole: read all of it, and say what is wrong and what to do.

    The exit status is 1 if anything is damaged or lost. Of a folder, each file is read and the
    index held against the graph; of a Neo4j server, what Stemma wrote against what it noted.

    Example: `stemma check --store stemma.db`
    """
    with open_store(store) as graph:
        findings = sorted(graph.check(), key=lambda each: not each.fault)
        place = graph.url
    whole = not any(each.fault for each in findings)
    if format is DataFormat.JSON:
        found = [
            {"what": each.what, "remedy": each.remedy, "fault": each.fault} for each in findings
        ]
        print_json({"store": place, "whole": whole, "findings": found})
    else:
        for each in findings:
            answers.print("[red]fault:[/] " if each.fault else "[yellow]note:[/] ", end="")
            answers.print(each.what, markup=False, soft_wrap=True)
            answers.print(f"       {each.remedy}", markup=False, soft_wrap=True)
        if whole:
            answers.print(f"{place} is whole.", markup=False, soft_wrap=True)
    if not whole:
        raise typer.Exit(1)
