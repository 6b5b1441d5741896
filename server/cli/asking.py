"""Commands that answer questions: ask, path, compare."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from stemma.graph import Selection, Work, open_store
from stemma.graph.comparing import compare as put_side_by_side
from stemma.graph.path import find_path
from stemma.schema import RelationType
from stemma.schema.quantity import quantity
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    AnswerFormat,
    AnswerFormatOption,
    StoreOption,
    WorkArgument,
    with_selection,
)
from stemma.server.cli.rows import grid
from stemma.server.cli.terminal import complain, of_more, print_answer, remarks, work_named
from stemma.server.cli.text import first_authors, kind, quoted, sentence, title_of, with_quotations
from stemma.server.views.path import PathView
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.statement import EdgeView
from stemma.server.views.wording import readable
from stemma.server.views.work import NameView

if TYPE_CHECKING:
    from stemma.server.views.answer import AnswerView

_SHOWN = 20
_TURNED = {
    RelationType.BUILDS_ON: "is the basis of",
    RelationType.IMPROVES_ON: "is improved by",
    RelationType.COMPARES_WITH: "is a baseline of",
}


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
        view = AnswerView.of(reader, answer)
        said = answer.sentences(reader, answer.works) if format is AnswerFormat.TEXT else {}
    print_answer(view, format, _answer_text(view, said))
    if view.understood_as is None:
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
    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, start), work_named(reader, goal))
        way = find_path(reader, *ids, max_length, selection, comparisons)
        view = PathView.of(reader, way, selection)
    print_answer(view, format, path_text(view, max_length))


def compare(
    left: WorkArgument,
    right: WorkArgument,
    store: StoreOption = "stemma.db",
    format: AnswerFormatOption = AnswerFormat.TEXT,
) -> None:
    """Compare two papers or entities: what they share, how they differ and are related.

    Example: `stemma compare Punica S-LoRA`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        ids = (work_named(reader, left), work_named(reader, right))
        if ids[0] == ids[1]:
            complain(f"{left!r} and {right!r} are the same, {ids[0]}: name another")
            raise typer.Exit(2)
        found = ComparisonOfWorks.of(reader, put_side_by_side(reader, *ids))
    print_answer(found, format, _side_by_side_text(found))


def _answer_text(answer: "AnswerView", said: Mapping[str, str]) -> Iterator[RenderableType]:
    """Return an answer part by part: the line on top, the works with a sentence on each, what else
    to ask."""
    yield Text(answer.text)
    if answer.works:
        yield Text("")
        yield _listed(answer, said)
    if answer.works.end_cursor:
        more = of_more(len(answer.works), answer.works.total_count, answer.works.end_cursor)
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
        below = []
        if authors := getattr(work.model, "authors", ()):
            below.append(Text(first_authors(authors), style="dim"))
        if sentence := said.get(work.id):
            below.append(Text(f"“{readable(sentence)}”"))
        indented = Padding(Group(*below), (0, 0, 0, 2))
        rows.add_row(Group(Text(work.name, style="bold"), indented), kind(work), *more)
    return rows


def path_text(path: PathView, max_length: int = 6) -> Iterator[Text | Padding]:
    """Yield a path step by step: work, relation with its sentence, work; or say that none is."""
    if path.edges:
        yield title_of(path.named[path.start.id])
        yield from _steps_text(path.edges, path.model.works, path.named)
    elif path.start == path.goal:
        remarks.print(f"Both names mean {path.start}.")
    else:
        steps = quantity(max_length, "step")
        remarks.print(f"No path of at most {steps} connects {path.start} and {path.goal}.")


def _steps_text(
    edges: Sequence[EdgeView], works: Sequence[str], named: Mapping[str, Work]
) -> Iterator[Text | Padding]:
    """Return the edges of a path over works (ids), each with the work that it leads to."""
    for edge, (here, there) in zip(edges, pairwise(works), strict=True):
        forwards = edge.child.id == here
        words = edge.phrase if forwards else edge.phrase_in(_TURNED)
        step = Text(f"{words}  ", style="cyan").append(f"{edge.confidence:.2f}", style="dim")
        yield Padding(with_quotations(step, edge, 1, catalogue=True), (0, 0, 0, 3))
        yield title_of(named[there])


def _side_by_side_text(view: ComparisonOfWorks) -> Iterator[RenderableType]:
    """Return a comparison in parts: what both have, how they are related, their statements."""
    pair = view.model
    rows = Table(box=None, pad_edge=False, header_style="not bold")
    rows.add_column("", style="dim")
    titles = (title_of(profile.work, profile.published) for profile in (pair.left, pair.right))
    for header in (next(titles), Text("both", style="bold"), next(titles)):
        rows.add_column(header, overflow="fold", ratio=1)
    for aspect, both in view.aspects().items():
        if both:
            rows.add_row(aspect.value, *map(_names, (both.left, both.shared, both.right)))
    yield rows
    for side in (pair.left, pair.right):
        if not side.papers:
            yield Text(f"No paper in this graph introduces {side.work.name}.", style="dim")
    if view.lineage:
        yield Text("\nLineage", style="bold underline")
        yield title_of(view.named[pair.lineage.start])
        yield from _steps_text(view.lineage, pair.lineage.works, view.named)
    if view.statements:
        yield Text("\nWhat they say about each other", style="bold underline")
        for statement in view.statements:
            yield sentence(statement)
            yield from quoted(statement)
    if pair.compared_by:
        yield Text("\nCompared with both", style="bold underline")
        for paper in pair.compared_by:
            yield title_of(paper, paper.published)
    if not (pair.lineage.edges or pair.statements or pair.compared_by):
        ends = f"{pair.left.work.name} and {pair.right.work.name}"
        yield Text(f"\nNo lineage or comparison directly connects {ends}.", style="dim")


def _names(entities: Iterable[NameView]) -> Text:
    return Text(", ".join(entity.name for entity in entities) or "–")
