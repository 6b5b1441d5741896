"""The command that shows a lineage: as text, as data, as a diagram or as a picture."""

import json
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, RenderableType

from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageFilter,
    LineageOrder,
    Reader,
    Work,
    open_store,
    trace,
)
from stemma.graph.criteria import Years
from stemma.graph.export import format_of
from stemma.graph.export.destination import write_files
from stemma.graph.filters import date_asked
from stemma.graph.shown_works import ShownWorks
from stemma.schema.quantity import quantity
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    CountCatalogueOption,
    DepthOption,
    KindsOption,
    LineageRelationsOption,
    MinConfidenceOption,
    SinceOption,
    StoreOption,
    UntilOption,
    WorkArgument,
)
from stemma.server.cli.terminal import (
    WIDTH_OF_FILES,
    answers,
    citations,
    complain,
    remarks,
    work_named,
)
from stemma.server.presentation import data, diagram
from stemma.server.presentation import text as texts

if TYPE_CHECKING:
    from stemma.server.lineage_document.request import LineageRequest


class LineageFormat(StrEnum):
    """How a lineage is written."""

    TREE = "tree"
    JSON = "json"
    MERMAID = "mermaid"
    DOT = "dot"
    BIBTEX = "bibtex"
    CSL = "csl"
    SVG = "svg"
    PNG = "png"
    HTML = "html"


class ShownDirection(StrEnum):
    """Which way a lineage is followed."""

    DESCENDANTS = "descendants"
    ANCESTORS = "ancestors"
    BOTH = "both"


_PICTURES = (LineageFormat.SVG, LineageFormat.PNG, LineageFormat.HTML)
_BIBLIOGRAPHIES = (LineageFormat.BIBTEX, LineageFormat.CSL)
_SUFFIXES = {
    ".txt": LineageFormat.TREE,
    ".json": LineageFormat.JSON,
    ".mmd": LineageFormat.MERMAID,
    ".dot": LineageFormat.DOT,
    ".bib": LineageFormat.BIBTEX,
    **{f".{each.value}": each for each in _PICTURES},
}
DRAWN = (".mmd", ".dot", ".svg", ".png", ".html")
"""Extensions of files that show a lineage as a picture."""


def lineage(
    name: WorkArgument,
    store: StoreOption = "stemma.db",
    direction: Annotated[
        ShownDirection,
        typer.Option(help="Descendants or ancestors; in pictures (svg, png, html) also both."),
    ] = ShownDirection.DESCENDANTS,
    depth: DepthOption = 3,
    relations: LineageRelationsOption = None,
    min_confidence: MinConfidenceOption = 0.0,
    catalogue: CountCatalogueOption = True,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="DATE",
            help="As it was known on this date (2021, 2021-04 or 2021-04-15); excludes "
            "statements found only in later or undated papers.",
        ),
    ] = None,
    kinds: KindsOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    general: Annotated[
        bool,
        typer.Option("--general", help="Also draw general terms (GPU, quantization) in pictures."),
    ] = False,
    order: Annotated[
        LineageOrder,
        typer.Option(help="By steps from the work, by date, or the newest first; not in pictures."),
    ] = LineageOrder.DEPTH,
    first: Annotated[
        int, typer.Option(min=1, help="Maximum number of works; pictures have up to 500.")
    ] = 100,
    after: AfterOption = None,
    every: AllOption = False,
    format: Annotated[
        LineageFormat | None,
        typer.Option(
            "--format",
            "-f",
            show_default=False,
            help="Output format; by default that of the file extension, or tree. html is a "
            "self-contained interactive page; png needs stemma[png]; bibtex and csl cite the "
            "papers behind the edges, and those that introduce the works.",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="A file; - for standard output.")
    ] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Show what builds on a work, or what it builds on, with the sentences that say so.

    Example: `stemma lineage ZeRO-Infinity --depth 2`

    Example: `stemma lineage LoRA --direction both -o lora.html`, then open the page in a browser

    Example: `stemma lineage LoRA --format svg -o lora.svg`

    Example: `stemma lineage ZeRO --as-of 2022`

    Example: `stemma lineage LoRA --order date --since 2023`
    """
    chosen = format or _format_of(output)
    filter_ = LineageFilter(tuple(relations or ()), min_confidence, catalogue, date_asked(as_of))
    with open_store(store) as graph, graph.snapshot() as reader:
        root = work_named(reader, name)
        if chosen in _PICTURES:
            # What draws is not needed for text.
            from stemma.server.lineage_document.request import LineageRequest  # noqa: PLC0415

            if after:
                raise typer.BadParameter("a picture has no pages", param_hint="--after")
            content, remark = _picture(
                reader,
                root,
                direction,
                LineageRequest(
                    max_depth=depth,
                    filter=filter_,
                    kinds=tuple(kinds or ()),
                    year_from=since,
                    year_to=until,
                ),
                general,
                EVERY if every else first,
                chosen,
            )
        else:
            if direction is ShownDirection.BOTH:
                raise typer.BadParameter(
                    "`both` is for svg, png and html", param_hint="--direction"
                )
            found = trace(
                reader,
                root,
                LineageDirection(direction.value),
                max_depth=depth,
                filter=filter_,
                first=EVERY if every else first,
                after=after,
                show=ShownWorks(tuple(kinds or ()), Years(since, until)),
                order=order,
            )
            content, remark = _listing(reader, found, chosen, order, on_screen=output == "-")
    if output != "-":
        write_files([(Path(output), [content])], replace=force)
        remark = f"Written to {output}. {remark}"
    else:
        typer.echo(content, nl=False)
    if remark:
        remarks.print(remark.strip(), markup=False)


def _format_of(output: str) -> LineageFormat:
    suffix = Path(output).suffix.lower()
    if not suffix:
        return LineageFormat.TREE
    if suffix not in _SUFFIXES:
        message = f"unknown file extension {suffix!r}: use {', '.join(_SUFFIXES)}, or --format"
        with suppress(ValueError):
            format_of(Path(output))
            message += f"; stemma export --of NAME -o {output} writes such a file"
        raise typer.BadParameter(message, param_hint="--output")
    return _SUFFIXES[suffix]


def _listing(
    reader: Reader, found: Lineage, format: LineageFormat, order: LineageOrder, on_screen: bool
) -> tuple[bytes, str]:
    """Return a lineage as text, unless it was printed as a tree, and how to see the rest."""
    works = data.works_of(reader, found)
    if format in _BIBLIOGRAPHIES:
        works |= data.introducing(reader, found)
    is_tree = format is LineageFormat.TREE
    if is_tree:
        shown = (texts.tree if order is LineageOrder.DEPTH else texts.by_year)(found, works)
        content = b"" if on_screen else _as_file(shown)
        if on_screen:
            answers.print(shown)
    else:
        content = _text(found, works, format).encode(errors="replace")
    return content, _remark(found) if is_tree else ""


def _as_file(shown: RenderableType) -> bytes:
    out = StringIO()
    Console(file=out, highlight=False, emoji=False, width=WIDTH_OF_FILES).print(shown)
    return out.getvalue().encode(errors="replace")


def _text(found: Lineage, works: dict[str, Work], format: LineageFormat) -> str:
    if format is LineageFormat.JSON:
        shown = data.lineage_json(found, works)
        return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    if format in _BIBLIOGRAPHIES:
        return citations(works.values(), format)
    draw = diagram.mermaid if format is LineageFormat.MERMAID else diagram.dot
    return f"{draw(found, works)}\n"


def _remark(found: Lineage) -> str:
    if not found.truncated:
        return ""
    shown = quantity(len(found.nodes), "work")
    return f"{shown}; there are more (--after {found.end_cursor}, or --all)."


def _picture(
    reader: Reader,
    root: str,
    direction: ShownDirection,
    asked: "LineageRequest",
    general: bool,
    first: int,
    format: LineageFormat,
) -> tuple[bytes, str]:
    """Return a picture, and what it leaves out."""
    # What draws is not needed for text.
    from stemma.server.explorer.family_tree import family_tree  # noqa: PLC0415
    from stemma.server.explorer.tree_request import MOST, TreeRequest  # noqa: PLC0415
    from stemma.server.graphql.arguments import DEEPEST_LINEAGE  # noqa: PLC0415
    from stemma.server.static_site.tree_file import TreeFormat, tree_file  # noqa: PLC0415

    if asked.max_depth > DEEPEST_LINEAGE:
        most = f"pictures have up to {DEEPEST_LINEAGE} steps"
        raise typer.BadParameter(most, param_hint="--depth")
    both = direction is ShownDirection.BOTH
    directions = tuple(LineageDirection) if both else (LineageDirection(direction.value),)
    drawn = TreeRequest(
        replace(asked, direction=directions[-1]), directions, general, min(first, MOST)
    )
    tree = family_tree(reader, reader.contributions([root]).get(root, root), drawn)
    try:
        content = tree_file(reader, tree, drawn, TreeFormat(format.value))
    except ImportError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    left_out = [
        (tree.hidden + tree.folded, "more work", "more works", " (--first)"),
        (len(tree.implied), "implied edge", "implied edges", ""),
        (tree.general, "general term", "general terms", " (--general)"),
        (tree.weaker, "low-confidence edge", "low-confidence edges", ""),
        (tree.other, "work of other kinds or years", "works of other kinds or years", ""),
    ]
    parts = [quantity(count, *nouns) + option for count, *nouns, option in left_out if count]
    remark = f"{quantity(tree.drawn, 'work')} and {quantity(len(tree.edges), 'edge')} drawn"
    if parts:
        remark += f"; not drawn: {', '.join(parts)}"
    return content, f"{remark}."
