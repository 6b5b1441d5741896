"""Answers to questions, as data and as a terminal shows them."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.graph import Work
from stemma.schema import Paper
from stemma.server.asking import Answer
from stemma.server.presentation.data import statement_json, work_json
from stemma.server.presentation.text import kind


def answer_json(answer: Answer, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return an answer as GraphQL would; `works` are those that its statements are about."""
    return {
        "text": answer.text,
        "query": answer.query,
        "understoodAs": answer.understood_as,
        "works": [work_json(work) for work in answer.works],
        "statements": [statement_json(each, works) for each in answer.statements],
        "statementCount": answer.statement_total,
        "suggestions": list(answer.suggestions),
        "totalCount": answer.total,
        "endCursor": answer.end_cursor,
    }


def answer_text(answer: Answer) -> Iterator[RenderableType]:
    """Return an answer part by part: the sentence, the works, how it was read, what else to ask."""
    yield Text(answer.text)
    if len(answer.works) > 1:
        yield Text("")
        yield _listed(answer)
        if answer.end_cursor:
            more = f"(--after {answer.end_cursor}, or --all)"
            yield Text(f"{len(answer.works)} of {answer.total}; there are more {more}", style="dim")
    if answer.understood_as:
        yield Text(f"\nUnderstood as: {answer.understood_as}", style="dim")
    if answer.suggestions:
        yield Text("\nYou can also ask" if answer.understood_as else "\nYou can ask", style="dim")
        for question in answer.suggestions:
            yield Text(f"  stemma ask {quote(question)}", style="cyan")


def _listed(answer: Answer) -> Table:
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(overflow="fold")
    rows.add_column(style="dim")
    for work in answer.works:
        date = str(work.published) if isinstance(work, Paper) and work.published else ""
        said = kind(work) if not date else Text(date)
        note = answer.notes.get(work.id)
        more = [Text(note, style="dim")] if note else []
        rows.add_row(Text(work.name, style="bold"), said, *more)
    return rows
