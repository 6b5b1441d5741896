"""The command that checks a graph against its shapes: validate."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json, progress, remarks

if TYPE_CHECKING:
    import pyoxigraph as ox

    from stemma.graph.validation import Violation


def validate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of RDF, taken as one graph; the store, if there are none."),
    ] = None,
    store: StoreOption = "stemma.db",
    first: Annotated[int, typer.Option(min=1, help="How many problems to tell at the most.")] = 50,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Check that a graph has all that a valid one must have, and say what it lacks.

    What that is stands in schema/shapes.ttl, in SHACL. The exit status is 1 if it is not valid.

    Example: `stemma validate graph.ttl`, or `stemma validate --store stemma.db`
    """
    from stemma.graph import StoreError, open_store  # noqa: PLC0415 - each loads what it needs
    from stemma.graph.oxigraph.reader import OxigraphReader  # noqa: PLC0415
    from stemma.graph.rdf_file import RdfFile, loaded  # noqa: PLC0415

    if files:
        with loaded(map(RdfFile, files)) as rdf:
            found = _violations(rdf, first)
    else:
        with open_store(store) as graph, graph.snapshot() as reader:
            if not isinstance(reader, OxigraphReader):
                raise StoreError(
                    f"{graph.url} keeps no RDF. Validate an Oxigraph store, or a file of RDF."
                )
            found = _violations(reader.rdf, first)
    more = len(found) > first
    if format is DataFormat.JSON:
        problems = [
            {name: getattr(each, name) for name in ("node", "property", "value", "reason")}
            for each in found[:first]
        ]
        print_json({"valid": not found, "problems": problems, "more": more})
    elif found:
        for each in found[:first]:
            answers.print(str(each), markup=False, soft_wrap=True)
        if more:
            remarks.print(f"There is more: these are the first {first} problems (--first).")
    else:
        answers.print("Valid: the graph has all that the shapes ask for.")
    if found:
        raise typer.Exit(1)


def _violations(rdf: "ox.Store", first: int) -> "list[Violation]":
    """Return the first violations, and one more if there is one."""
    from stemma.graph.validation import Validation  # noqa: PLC0415 - loads rdflib and pySHACL

    with progress("Validating", unit="papers and entities") as tick:
        validation = Validation(rdf)
        return list(islice(validation.violations(tick), first + 1))
