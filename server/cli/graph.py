"""The commands that search for works, show them, measure the whole graph, and show its builds."""

from collections.abc import Iterator
from typing import Annotated

import typer

from stemma.graph import FilterError, Reader, Selection, WorkType, open_store, searching
from stemma.graph.comparing import profile
from stemma.graph.history import Build, Difference, since
from stemma.graph.selection import ENTITIES, PAPERS, SEARCH, PageOrder
from stemma.schema.quantity import quantity
from stemma.server.cli import text as texts
from stemma.server.cli.options import (
    EVERY,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    DataFormat,
    FormatOption,
    StoreOption,
    with_selection,
)
from stemma.server.cli.rows import Rows
from stemma.server.cli.terminal import (
    answers,
    of_more,
    print_answer,
    print_json,
    remarks,
    work_named,
)
from stemma.server.views.build import BuildView, StatisticsView, build_views, counted
from stemma.server.views.page import WorkPage
from stemma.server.views.profile import ProfileView

_MOST_LISTED = 10
_OF_PAPERS = [name for name in PAPERS if name not in ("entity", "relations", "text")]


@with_selection((*SEARCH, *_OF_PAPERS), {"first": "Maximum number of results."}, first=20)
def search(
    text: Annotated[
        str | None,
        typer.Argument(help="Words of a name or title; none for all papers, or of a kind."),
    ] = None,
    *,
    selection: Selection,
    store: StoreOption = "stemma.db",
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Find papers and entities by words of their names; papers also by author, venue, citations.

    Options for papers, such as --author and --since, list papers alone, the oldest first.

    Example: `stemma search attention --kind technique`

    Example: `stemma search --kind dataset --order papers`

    Example: `stemma search --author "Tri Dao" --since 2023`
    """
    selection = selection.changed(first=EVERY) if every else selection
    of_kind = bool(selection.kinds) or selection.general is not None
    given = selection.given(_OF_PAPERS)
    if of_kind and given.keys() - ENTITIES:
        raise FilterError("papers have no kind: leave out the kind, or the options for papers")
    with open_store(store) as graph, graph.snapshot() as reader:
        listed = selection.changed(text=text, order=selection.order or PageOrder.NAME)
        if text is not None and not given:
            page = searching.search(reader, text, selection)
        elif of_kind:
            page = reader.page(WorkType.ENTITY, listed)
        else:
            if selection.author is not None:
                _tell_authors(reader, selection.author)
            page = searching.papers_page(reader, selection.changed(text=text))
        found = WorkPage.of(reader, page)
    only_papers = not of_kind and (text is None or bool(given))
    print_answer(found, format, _found_text(found, graph.url, text, only_papers))


def _found_text(found: WorkPage, store: str, text: str | None, only_papers: bool) -> Iterator[Rows]:
    """Yield what was found, and remark on what was not."""
    if not found.nodes or found.alike:
        alike = "; similar names" if found.nodes else ""
        matching = f"matches {text!r}{alike}" if text else "matches these options"
        remarks.print(f"{'No paper' if only_papers else 'Nothing'} in {store} {matching}.")
    if found.nodes:
        yield (texts.papers_table if only_papers else texts.table)(found.nodes)
    if found.end_cursor:
        remarks.print(f"{of_more(len(found), found.total_count, found.end_cursor)}.")


def _tell_authors(reader: Reader, name: str) -> None:
    """Say whom a name means, if those are several authors."""
    authors = searching.people_named(reader, name)
    if len(authors) > 1:
        listed = ", ".join(authors[:_MOST_LISTED]) + " …" * (len(authors) > _MOST_LISTED)
        remarks.print(
            f"{name!r} matches {len(authors)} authors; showing papers by all of them: {listed}"
        )


def show(
    name: Annotated[
        str | None, typer.Argument(help="A paper or an entity, in any spelling, or an id.")
    ] = None,
    store: StoreOption = "stemma.db",
    every: Annotated[
        bool, typer.Option("--all", help=f"Show all statements, not {texts.MOST_STATEMENTS}.")
    ] = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Show a paper or an entity: names, statements, nearest lineage; or what a store holds.

    Example: `stemma show FlashAttention`

    Example: `stemma show --format json`
    """
    if name is None:
        with open_store(store) as graph:
            counted = StatisticsView(model=graph.statistics())
        print_answer(counted, format, [texts.statistics_table(counted)])
        return
    with open_store(store) as graph, graph.snapshot() as reader:
        view = ProfileView.of(reader, profile(reader, work_named(reader, name)))
    print_answer(view, format, texts.profile_text(view, every))


@with_selection(("include_catalogue",))
def analyse(
    selection: Selection,
    top: Annotated[int, typer.Option(min=1, max=1000, help="Number of results of each sort.")] = 10,
    format: FormatOption = DataFormat.TEXT,
    store: StoreOption = "stemma.db",
) -> None:
    """Show what is most influential, the longest lines of descent, communities, years.

    Influence is PageRank over the lineage, with edges weighted by confidence. Communities are
    found with the Louvain method. The same graph always gives the same answer.

    Example: `stemma analyse --top 5 --no-catalogue`
    """
    # Networks are slow to load.
    from stemma.graph.analysis import Analysis  # noqa: PLC0415
    from stemma.server.views.analysis import AnalysisView  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        found = Analysis(reader, selection.include_catalogue)
        report = AnalysisView.of(reader, found, top)
    print_answer(report, format, texts.report_text(report))


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
        print_json({"builds": [view.to_json() for view in shown]})
        return
    for build, view in zip(builds, shown, strict=True):
        _print_build(build, view, first)
    if not builds:
        later = f" since {start}" if start else ""
        remarks.print(f"No builds recorded in {graph.url}{later}.")


def _print_build(build: Build, view: BuildView, first: int) -> None:
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
