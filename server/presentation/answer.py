"""Answers to questions, as data and as a terminal shows them."""

from collections.abc import Iterator
from shlex import quote

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.server.presentation.text import kind
from stemma.server.views.answer import AnswerView
from stemma.server.views.work import PaperView


def answer_text(answer: AnswerView) -> Iterator[RenderableType]:
    """Return an answer part by part: the sentence, the works, how it was read, what else to ask."""
    yield Text(answer.text)
    if len(answer.works) > 1:
        yield Text("")
        yield _listed(answer)
        if answer.end_cursor:
            more = f"(--after {answer.end_cursor}, or --all)"
            yield Text(
                f"{len(answer.works)} of {answer.total_count}; there are more {more}", style="dim"
            )
    if answer.understood_as:
        yield Text(f"\nUnderstood as: {answer.understood_as}", style="dim")
    if answer.suggestions:
        yield Text("\nYou can also ask" if answer.understood_as else "\nYou can ask", style="dim")
        for question in answer.suggestions:
            yield Text(f"  stemma ask {quote(question)}", style="cyan")


def _listed(answer: AnswerView) -> Table:
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(overflow="fold")
    rows.add_column(style="dim")
    for work in answer.works:
        is_dated = isinstance(work, PaperView) and work.published
        note = answer.model.notes.get(work.id)
        more = [Text(note, style="dim")] if note else []
        said = Text(str(work.published)) if is_dated else kind(work)
        rows.add_row(Text(work.name, style="bold"), said, *more)
    return rows
