"""The command that shows what the latest builds changed."""

from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.graph.history import Build, Difference, since
from stemma.schema.quantity import quantity
from stemma.server.cli import text as texts
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json, remarks
from stemma.server.views.build import BuildView, build_views, counted


def changes(
    start: Annotated[
        str | None,
        typer.Option(
            "--since",
            help="Only builds since this date or time (2026-11-23), or after the build of this "
            "number.",
        ),
    ] = None,
    first: Annotated[
        int, typer.Option(min=1, help="Maximum number of papers, entities and edges of a build.")
    ] = 10,
    store: StoreOption = "stemma.db",
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Show what the latest builds added and removed, newest first.

    A store remembers its latest 30 builds. For each build, it lists at most 500 papers, 500
    entities and 500 edges; for the first build, where everything is new, it keeps only the counts.

    Example: `stemma changes`

    Example: `stemma changes --since 1 --format json`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        try:
            builds = since(reader.builds(), start)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--since") from error
        shown = build_views(reader, builds, first)
    if format is DataFormat.JSON:
        print_json({"builds": [each.to_json() for each in shown]})
        return
    for build, view in zip(builds, shown, strict=True):
        _print(build, view, first)
    if not builds:
        later = f" since {start}" if start else ""
        remarks.print(f"No builds recorded in {graph.url}{later}.")


def _print(build: Build, view: BuildView, first: int) -> None:
    time = build.finished.replace("T", " ").removesuffix("Z")
    answers.print(f"Build {build.number}, {time} UTC: {counted(build)}", style="bold")
    _print_works(build.papers, first, "paper")
    _print_works(build.entities, first, "entity", "entities")
    for edge in view.edges:
        answers.print(texts.edge_line(edge))
    _print_rest(build.edges, first, "lineage edge")


def _print_works(difference: Difference, first: int, what: str, plural: str = "") -> None:
    for sign, changed in (("+", difference.added), ("-", difference.removed)):
        for id_, name in changed.some[:first]:
            answers.print(f"  {sign} {name}  ({id_})")
    _print_rest(difference, first, what, plural)


def _print_rest(difference: Difference, first: int, what: str, plural: str = "") -> None:
    for verb, changed in (("added", difference.added), ("removed", difference.removed)):
        more = changed.count - len(changed.some[:first])
        if changed.some and more > 0:
            rest = quantity(more, f"more {what}", plural and f"more {plural}")
            answers.print(f"    … {rest} {verb}", style="dim")
