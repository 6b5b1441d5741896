"""The command that shows a lineage: as text, as data, as a diagram or as a picture."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from stemma.graph import LineageDirection, LineageOrder, Reader, Selection, open_store, trace
from stemma.graph.export.destination import write_files
from stemma.graph.selection import LINEAGE
from stemma.schema.quantity import quantity
from stemma.server.cli import text as texts
from stemma.server.cli.options import EVERY, AllOption, StoreOption, WorkArgument, with_selection
from stemma.server.cli.terminal import (
    WIDTH_OF_FILES,
    answers,
    as_json,
    citations,
    of_more,
    remarks,
    work_named,
)
from stemma.server.views.lineage import LineageView


class LineageFormat(StrEnum):
    """How a lineage is written."""

    TREE = "tree"
    JSON = "json"
    MERMAID = "mermaid"
    BIBTEX = "bibtex"
    SVG = "svg"
    HTML = "html"


class ShownDirection(StrEnum):
    """Which way a lineage is followed."""

    DESCENDANTS = "descendants"
    ANCESTORS = "ancestors"
    BOTH = "both"


_PICTURES = (LineageFormat.SVG, LineageFormat.HTML)
_SUFFIXES = {
    ".txt": LineageFormat.TREE,
    ".json": LineageFormat.JSON,
    ".mmd": LineageFormat.MERMAID,
    ".bib": LineageFormat.BIBTEX,
    ".svg": LineageFormat.SVG,
    ".html": LineageFormat.HTML,
}


@with_selection(
    [name for name in LINEAGE if name not in ("direction", "include_general")],
    {
        "relations": "Only BUILDS_ON, or only IMPROVES_ON.",
        "first": "Maximum number; pictures have up to 500.",
    },
)
def lineage(
    name: WorkArgument,
    direction: Annotated[
        ShownDirection, typer.Option(help="Descendants, ancestors or both.")
    ] = ShownDirection.DESCENDANTS,
    general: Annotated[
        bool | None,
        typer.Option(
            help="Include general terms (GPU, quantization), and what is reached only "
            "through them. By default, pictures leave them out.",
            show_default=False,
        ),
    ] = None,
    *,
    selection: Selection,
    store: StoreOption = "stemma.db",
    every: AllOption = False,
    format: Annotated[
        LineageFormat | None,
        typer.Option(
            "--format",
            "-f",
            show_default=False,
            help="Output format; by default that of the file extension, or tree. html is a "
            "self-contained interactive page; bibtex cites the papers behind the edges, and those "
            "that introduce what is shown.",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="A file; - for standard output.")
    ] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Show what builds on a paper or entity, or what it builds on, with the sentences.

    Example: `stemma lineage LoRA --order date --since 2023`

    Example: `stemma lineage ZeRO-Infinity --depth 2`

    Example: `stemma lineage LoRA --direction both -o lora.html`, then open the page in a browser

    Example: `stemma lineage LoRA --format svg -o lora.svg`

    Example: `stemma lineage ZeRO --as-of 2022`
    """
    chosen = format or _format_of(output)
    directions = tuple(way for way in reversed(LineageDirection) if direction in (way, "both"))
    if every:
        selection = selection.changed(first=EVERY)
    with open_store(store) as graph, graph.snapshot() as reader:
        root = work_named(reader, name)
        if chosen in _PICTURES:
            if selection.after:
                raise typer.BadParameter("a picture has no pages", param_hint="--after")
            drawn = selection.changed(include_general=bool(general))
            content, remark = _picture(reader, root, directions, drawn, chosen)
        else:
            if selection.after and len(directions) > 1:
                raise typer.BadParameter("it belongs to one direction", param_hint="--after")
            selection = selection.changed(include_general=general is not False)
            selected = [selection.changed(direction=way) for way in directions]
            views = [LineageView.of(reader, trace(reader, root, own), own) for own in selected]
            content, remark = _listing(views, chosen, selection.lineage_order, output == "-")
    if output == "-":
        typer.echo(content, nl=False)
    else:
        write_files([(Path(output), [content.encode(errors="replace")])], replace=force)
        remark = f"Written to {output}. {remark}"
    if remark:
        remarks.print(remark.strip())


def _format_of(output: str) -> LineageFormat:
    suffix = Path(output).suffix.lower()
    if not suffix:
        return LineageFormat.TREE
    if suffix not in _SUFFIXES:
        message = f"unknown file extension {suffix!r}: use {', '.join(_SUFFIXES)}, or --format"
        message += "; stemma export --of NAME writes other formats"
        raise typer.BadParameter(message, param_hint="--output")
    return _SUFFIXES[suffix]


def _listing(
    views: Sequence[LineageView], format: LineageFormat, order: LineageOrder, on_screen: bool
) -> tuple[str, str]:
    """Return a lineage, in one or both directions, as text; of a tree, also how to see the rest."""
    match format:
        case LineageFormat.JSON:
            data = {view.direction.value: view.to_json() for view in views}
            return as_json(data if len(data) > 1 else views[0].to_json()), ""
        case LineageFormat.MERMAID:
            return _mermaid(views), ""
        case LineageFormat.BIBTEX:
            behind = {id_: work for view in views for id_, work in view.named.items()}
            return citations(replace(views[0], named=behind)), ""
    plain = Console(file=StringIO(), highlight=False, emoji=False, width=WIDTH_OF_FILES)
    console, more = answers if on_screen else plain, list[str]()
    with console.capture() as drawn:
        for view in views:
            if len(views) > 1:
                console.print(f"{view.direction.value.capitalize()}:")
            console.print((texts.tree if order is LineageOrder.DEPTH else texts.by_year)(view))
            if view.end_cursor:
                more += [f"{of_more(len(view.nodes), view.total_count, view.end_cursor)}."]
    return drawn.get(), " ".join(more)


def _mermaid(views: Sequence[LineageView]) -> str:
    """Return a lineage as a Mermaid flowchart, the older works above."""
    works = (work for view in views for work in (view.root, *(node.work for node in view.nodes)))
    edges = [edge for view in views for edge in view.edges]
    ends = (end for edge in edges for end in (edge.child, edge.parent))
    names = {view.id: view.name for view in (*works, *ends)}
    numbers = {id_: number for number, id_ in enumerate(names)}
    lines = ["flowchart TD"]
    for id_, name in names.items():
        shown = name.replace("#", "#35;").replace('"', "#quot;")
        lines.append(f'    n{numbers[id_]}["{shown}"]')
    for edge in edges:
        label = " and ".join(relation.words for relation in edge.relations)
        lines.append(f'    n{numbers[edge.parent.id]} -->|"{label}"| n{numbers[edge.child.id]}')
    return "\n".join((*lines, ""))


def _picture(
    reader: Reader,
    root: str,
    directions: tuple[LineageDirection, ...],
    selection: Selection,
    format: LineageFormat,
) -> tuple[str, str]:
    """Return a picture, and what it leaves out."""
    # What draws is not needed for text.
    from stemma.server.web.explorer.family_tree import MOST, TreeRequest, family_tree  # noqa: PLC0415
    from stemma.server.web.explorer.tree_page import tree_file  # noqa: PLC0415
    from stemma.server.web.picture import draw  # noqa: PLC0415

    # The order of a list says nothing of a picture.
    most, order = min(selection.first, MOST), LineageOrder.DEPTH
    drawn = TreeRequest(selection.changed(first=most, lineage_order=order), directions)
    tree = family_tree(reader, root, drawn)
    content = draw(tree) if format is LineageFormat.SVG else tree_file(reader, tree, drawn)
    left_out = [
        (tree.total - tree.drawn, "more", "more", " (--first)"),
        (tree.general, "general term", "general terms", " (--general)"),
        (tree.weaker, "low-confidence edge", "low-confidence edges", ""),
    ]
    parts = [quantity(count, *nouns) + option for count, *nouns, option in left_out if count]
    remark = f"{quantity(tree.drawn, 'work')} with {quantity(len(tree.edges), 'edge')} drawn"
    if parts:
        remark += f"; not drawn: {', '.join(parts)}"
    return content, f"{remark}."
