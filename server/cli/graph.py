"""Commands that ask a store: search, show, stats, analyse."""

from typing import Annotated

import typer

from stemma.graph import open_store, searching
from stemma.graph.profile import profile
from stemma.schema import EntityKind, Paper
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    DataFormat,
    FormatOption,
    StoreOption,
    WorkArgument,
)
from stemma.server.cli.terminal import (
    answers,
    print_as_data,
    print_json,
    remark_of_more,
    remarks,
    work_named,
)
from stemma.server.presentation import data
from stemma.server.presentation import profile as presentation
from stemma.server.presentation import text as texts


def search(
    text: Annotated[str, typer.Argument(help="Words of a name or title.")],
    store: StoreOption = "stemma.db",
    kinds: Annotated[
        list[EntityKind] | None, typer.Option("--kind", help="Only entities of this kind.")
    ] = None,
    general: Annotated[
        bool | None,
        typer.Option(
            "--general/--works",
            help="Only general terms (GPU, quantization), or only named works (H100, GPTQ).",
        ),
    ] = None,
    first: Annotated[int, typer.Option(min=1, help="Maximum number of works.")] = 20,
    after: AfterOption = None,
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Find papers and entities by words of their names.

    Example: `stemma search attention --kind technique`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        found = searching.search(
            reader, text, tuple(kinds or ()), EVERY if every else first, after, general
        )
    if print_as_data(format, lambda: data.found_json(found), found.works):
        return
    if not found.works or found.alike:
        alike = "; similar names" if found.works else ""
        remarks.print(f"Nothing in {graph.url} matches {text!r}{alike}.", markup=False)
    if found.works:
        answers.print(texts.table(found.works), crop=False)
    remark_of_more(found)


def show(
    name: WorkArgument,
    store: StoreOption = "stemma.db",
    first: Annotated[int, typer.Option(min=1, help="Maximum number of statements.")] = 20,
    after: Annotated[int, typer.Option(min=0, help="Number of statements to skip.")] = 0,
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Show a paper or an entity: names, statements, and the nearest steps of its lineage.

    Example: `stemma show FlashAttention`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        found = profile(reader, work_named(reader, name))
        works = {
            **data.works_of_statements(reader, found.statements),
            **data.works_of_edges(reader, (*found.parents, *found.children)),
        }
        if not isinstance(found.work, Paper):
            works |= reader.works(found.work.broader)
    if print_as_data(
        format, lambda: presentation.profile_json(found, works), (*works.values(), *found.papers)
    ):
        return
    first, after = (EVERY, 0) if every else (first, after)
    for part in presentation.profile_text(found, works, first, after):
        answers.print(part)


def stats(store: StoreOption = "stemma.db", format: FormatOption = DataFormat.TEXT) -> None:
    """Count what a store holds.

    Example: `stemma stats --format json`
    """
    with open_store(store) as graph:
        counted = graph.statistics()
    if format is DataFormat.JSON:
        print_json(data.statistics_json(counted))
    else:
        answers.print(texts.statistics_table(counted))


def analyse(
    top: Annotated[
        int,
        typer.Option(min=1, max=1000, help="Number of works, lines of descent and communities."),
    ] = 10,
    catalogue: Annotated[bool, typer.Option(help="Include facts of the catalogue.")] = True,
    format: FormatOption = DataFormat.TEXT,
    store: StoreOption = "stemma.db",
) -> None:
    """Show the most influential works, longest lines of descent, communities, figures by year.

    Influence is PageRank over the lineage, with edges weighted by confidence. Communities are
    found with the Louvain method. The same graph always gives the same answer.

    Example: `stemma analyse --top 5 --no-catalogue`
    """
    # Networks are slow to load.
    from stemma.graph.analysis import Analysis  # noqa: PLC0415
    from stemma.server.presentation import analysis as shown  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        report = shown.AnalysisReport(reader, Analysis(reader, catalogue), top)
    if format is DataFormat.JSON:
        print_json(shown.report_json(report))
    else:
        for part in shown.report_text(report):
            answers.print(part)
