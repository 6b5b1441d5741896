"""Commands that answer questions: ask, path, compare."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from stemma.graph import Selection, open_store
from stemma.schema.quantity import quantity
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    StoreOption,
    WorkArgument,
)
from stemma.server.cli.rows import grid
from stemma.server.cli.selection import with_selection
from stemma.server.cli.terminal import (
    answers,
    complain,
    of_more,
    print_as_data,
    remarks,
    work_named,
)
from stemma.server.cli.text import kind
from stemma.server.views.wording import readable

if TYPE_CHECKING:
    from stemma.server.views.answer import AnswerView

_SHOWN = 20


def ask(
    question: Annotated[list[str], typer.Argument(help="A question in English.")],
    store: StoreOption = "stemma.db",
    first: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of answers: by default 20, and 100 as JSON."),
    ] = None,
    after: AfterOption = None,
    every: AllOption = False,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Answer a question in English, or search for it. The exit status is 1 if nothing matches.

    Example: `stemma ask "what builds on ZeRO-Infinity since 2023?"`
    """
    from stemma.server import asking  # noqa: PLC0415 - each command loads what it needs
    from stemma.server.views.answer import AnswerView  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        usual = _SHOWN if format is AnswerFormat.TEXT else asking.MOST_WORKS
        number = EVERY if every else first or usual
        answer = asking.ask(reader, " ".join(question), number, after)
        found = AnswerView.of(reader, answer)
        said = answer.sentences(reader, answer.works) if format is AnswerFormat.TEXT else {}
    if not print_as_data(format, found):
        for part in _answer_text(found, said):
            answers.print(part)
    if found.understood_as is None:
        raise typer.Exit(1)


@with_selection(("min_confidence", "include_catalogue"))
def path(
    start: WorkArgument,
    goal: WorkArgument,
    selection: Selection,
    store: StoreOption = "stemma.db",
    max_length: Annotated[int, typer.Option(min=1, max=12, help="Maximum number of steps.")] = 6,
    comparisons: Annotated[
        bool, typer.Option(help="Also follow comparisons, if the lineage does not connect them.")
    ] = True,
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Show how two papers or entities are related, step by step, with the sentences.

    Example: `stemma path Fuyou ZeRO`
    """
    from stemma.graph.path import find_path  # noqa: PLC0415
    from stemma.server.cli.path_text import path_text  # noqa: PLC0415
    from stemma.server.views.path import PathView  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, start), work_named(reader, goal))
        way = find_path(reader, *ids, max_length, selection, comparisons)
        found = PathView.of(reader, way, selection.edges)
    if print_as_data(format, found):
        return
    if found.edges:
        for part in path_text(found):
            answers.print(part)
    elif found.start == found.goal:
        remarks.print(f"Both names mean {found.start}.")
    else:
        remarks.print(
            f"No path of at most {quantity(max_length, 'step')} connects "
            f"{found.start} and {found.goal}."
        )


def compare(
    left: WorkArgument,
    right: WorkArgument,
    store: StoreOption = "stemma.db",
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Compare two papers or entities: what they share, how they differ and are related.

    Example: `stemma compare Punica S-LoRA`
    """
    from stemma.graph import comparing  # noqa: PLC0415
    from stemma.server.cli.side_by_side import side_by_side_text  # noqa: PLC0415
    from stemma.server.views.comparison import ComparisonOfWorks  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, left), work_named(reader, right))
        if ids[0] == ids[1]:
            complain(f"{left!r} and {right!r} are the same, {ids[0]}: name another")
            raise typer.Exit(2)
        found = ComparisonOfWorks.of(reader, comparing.compare(reader, *ids))
    if print_as_data(format, found):
        return
    for part in side_by_side_text(found):
        answers.print(part)


def _answer_text(answer: "AnswerView", said: Mapping[str, str]) -> Iterator[RenderableType]:
    """Return an answer part by part: the line on top, the works with a sentence on each, what else
    to ask."""
    yield Text(answer.text)
    if answer.works:
        yield Text("")
        yield _listed(answer, said)
    if answer.end_cursor:
        more = of_more(len(answer.works), answer.total_count, answer.end_cursor)
        yield Text(more, style="dim")
    if answer.suggestions:
        yield Text("\nYou can also ask" if answer.understood_as else "\nYou can ask", style="dim")
        for question in answer.suggestions:
            yield Text(f"  stemma ask {quote(question)}", style="cyan")


def _listed(answer: "AnswerView", said: Mapping[str, str]) -> Table:
    rows = grid(Column(overflow="fold"), Column(style="dim"))
    for work in answer.works:
        note = answer.model.notes.get(work.id)
        more = [Text(str(each or ""), style="dim") for each in (work.published, note)]
        name = Text(work.name, style="bold")
        if sentence := said.get(work.id):
            name.append(f"\n  “{readable(sentence)}”", style="not bold")
        rows.add_row(name, kind(work), *more)
    return rows
