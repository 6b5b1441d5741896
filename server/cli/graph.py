"""The commands that search for works, show them, and measure the whole graph."""

from typing import Annotated

import typer

from stemma.graph import Reader, Selection, open_store, searching
from stemma.graph.comparing import profile
from stemma.graph.selection import PAPERS, SEARCH
from stemma.server.cli import text as texts
from stemma.server.cli.options import (
    EVERY,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    DataFormat,
    FormatOption,
    StoreOption,
)
from stemma.server.cli.profile import profile_text
from stemma.server.cli.selection import with_selection
from stemma.server.cli.terminal import (
    answers,
    complain,
    print_as_data,
    print_json,
    remark_of_more,
    remarks,
    work_named,
)
from stemma.server.views.build import StatisticsView
from stemma.server.views.page import PageView
from stemma.server.views.profile import ProfileView

_OF_PAPERS = [name for name in PAPERS if name not in ("entity", "relations", "text")]


@with_selection((*SEARCH, *_OF_PAPERS), {"first": "Maximum number of results."}, first=20)
def search(
    text: Annotated[
        str | None, typer.Argument(help="Words of a name or title; none for all papers.")
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

    Example: `stemma search --author "Tri Dao" --since 2023`
    """
    selection = selection.changed(first=EVERY) if every else selection
    only_papers = text is None or selection.given(_OF_PAPERS)
    if only_papers and (selection.kinds or selection.general is not None):
        raise typer.BadParameter("papers have no kind: search for words", param_hint="--kind")
    with open_store(store) as graph, graph.snapshot() as reader:
        if only_papers:
            _tell_authors(reader, selection.author)
            page = searching.papers_page(reader, selection.changed(text=text))
        else:
            page = searching.search(reader, text or "", selection)
        found = PageView.of_works(reader, page)
    if print_as_data(format, found):
        return
    if only_papers and not found.nodes:
        remarks.print(f"No matching papers in {graph.url}.")
    elif not found.nodes or found.alike:
        alike = "; similar names" if found.nodes else ""
        remarks.print(f"Nothing in {graph.url} matches {text!r}{alike}.")
    if found.nodes:
        table = texts.papers_table if only_papers else texts.table
        answers.print(table(found.nodes), crop=False)
    remark_of_more(found)


def _tell_authors(reader: Reader, name: str | None) -> None:
    """Say whom a name means, if several authors have it; end with status 1 if none has."""
    authors = reader.people_called(name) if name else []
    if name is not None and not authors:
        complain(f"no author in this graph is called {name!r}: give the full name, or an id")
        raise typer.Exit(1)
    if len(authors) > 1:
        listed = ", ".join(each.id for each in authors)
        remarks.print(
            f"{name!r} matches {len(authors)} authors; showing papers by all of them: {listed}"
        )


def show(
    name: Annotated[
        str | None, typer.Argument(help="A paper or an entity, in any spelling, or an id.")
    ] = None,
    store: StoreOption = "stemma.db",
    first: Annotated[int, typer.Option(min=1, help="Maximum number of statements.")] = 20,
    after: Annotated[int, typer.Option(min=0, help="Number of statements to skip.")] = 0,
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Show a paper or an entity: names, statements, nearest lineage; or what a store holds.

    Example: `stemma show FlashAttention`

    Example: `stemma show --format json`
    """
    if name is None:
        with open_store(store) as graph:
            counted = StatisticsView(model=graph.statistics())
        if not print_as_data(format, counted):
            answers.print(texts.statistics_table(counted))
        return
    with open_store(store) as graph, graph.snapshot() as reader:
        found = ProfileView.of(reader, profile(reader, work_named(reader, name)))
    if print_as_data(format, found):
        return
    first, after = (EVERY, 0) if every else (first, after)
    for part in profile_text(found, first, after):
        answers.print(part)


@with_selection(("include_catalogue",))
def analyse(
    selection: Selection,
    top: Annotated[
        int,
        typer.Option(min=1, max=1000, help="Number of results of each sort."),
    ] = 10,
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
    from stemma.server.cli.analysis import report_text  # noqa: PLC0415
    from stemma.server.views.analysis import AnalysisView  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        found = Analysis(reader, selection.include_catalogue)
        report = AnalysisView.of(reader, found, top)
    if format is DataFormat.JSON:
        print_json(report.to_json())
    else:
        for part in report_text(report):
            answers.print(part)
