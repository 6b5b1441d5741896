"""Commands that answer questions: ask, path, compare."""

from typing import Annotated

import typer

from stemma.graph import LineageFilter, open_store
from stemma.schema.quantity import quantity
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    CountCatalogueOption,
    MinConfidenceOption,
    StoreOption,
    WorkArgument,
)
from stemma.server.cli.terminal import answers, complain, print_as_data, remarks, work_named

_SHOWN = 20


def ask(
    question: Annotated[list[str], typer.Argument(help="A question in English.")],
    store: StoreOption = "stemma.db",
    query: Annotated[
        bool, typer.Option("--query", help="Print the GraphQL query instead of the answer.")
    ] = False,
    first: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of works: by default 20, and 100 as JSON."),
    ] = None,
    after: AfterOption = None,
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Answer a question in English. The exit status is 1 if it was not understood.

    Example: `stemma ask "what builds on ZeRO-Infinity since 2023?"`
    """
    from stemma.server import asking  # noqa: PLC0415 - each command loads what it needs
    from stemma.server.presentation import answer as presentation  # noqa: PLC0415
    from stemma.server.presentation.data import works_of_statements  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        usual = _SHOWN if format is AnswerFormat.TEXT and not query else asking.MOST_WORKS
        number = EVERY if every else first or usual
        found = asking.ask(reader, " ".join(question), number, after)
        works = works_of_statements(reader, found.statements)
    if query:
        typer.echo(found.query)
    elif not print_as_data(
        format,
        lambda: presentation.answer_json(found, works),
        (*works.values(), *found.works),
    ):
        for part in presentation.answer_text(found):
            answers.print(part)
    if found.understood_as is None:
        raise typer.Exit(1)


def path(
    start: WorkArgument,
    goal: WorkArgument,
    store: StoreOption = "stemma.db",
    max_length: Annotated[int, typer.Option(min=1, max=12, help="Maximum number of steps.")] = 6,
    min_confidence: MinConfidenceOption = 0.0,
    catalogue: CountCatalogueOption = True,
    comparisons: Annotated[
        bool, typer.Option(help="Also follow comparisons, if the lineage does not connect them.")
    ] = True,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Show how two works are related, step by step, with the sentences that say so.

    Example: `stemma path Fuyou ZeRO`
    """
    from stemma.graph.path import find_path  # noqa: PLC0415
    from stemma.server.presentation import path as presentation  # noqa: PLC0415
    from stemma.server.presentation.data import works_of_edges  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, start), work_named(reader, goal))
        chosen = LineageFilter((), min_confidence, catalogue)
        found = find_path(reader, *ids, max_length, chosen, comparisons)
        works = {**reader.works([found.start, found.goal]), **works_of_edges(reader, found.edges)}
    if print_as_data(format, lambda: presentation.path_json(found, works), works.values()):
        return
    if found.edges:
        for part in presentation.path_text(found, works):
            answers.print(part)
    elif found.start == found.goal:
        remarks.print(f"Both names mean {works[found.start].name}.", markup=False)
    else:
        remarks.print(
            f"No path of at most {quantity(max_length, 'step')} connects "
            f"{works[found.start].name} and {works[found.goal].name}.",
            markup=False,
        )


def compare(
    left: WorkArgument,
    right: WorkArgument,
    store: StoreOption = "stemma.db",
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Compare two works: what they share, how they differ, and how they are related.

    Example: `stemma compare Punica S-LoRA`
    """
    from stemma.graph import comparing  # noqa: PLC0415
    from stemma.server.presentation import side_by_side as presentation  # noqa: PLC0415
    from stemma.server.presentation.data import (  # noqa: PLC0415
        works_of_edges,
        works_of_statements,
    )

    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, left), work_named(reader, right))
        if ids[0] == ids[1]:
            complain(f"{left!r} and {right!r} are the same work, {ids[0]}: name another")
            raise typer.Exit(2)
        found = comparing.compare(reader, *ids)
        works = {
            **works_of_edges(reader, found.lineage.edges),
            **works_of_statements(reader, found.statements),
        }
    if print_as_data(
        format,
        lambda: presentation.side_by_side_json(found, works),
        (*works.values(), *found.compared_by),
    ):
        return
    for part in presentation.side_by_side_text(found, works):
        answers.print(part)
