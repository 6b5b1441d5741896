"""Views of answers to questions in English."""

from dataclasses import dataclass, field
from typing import Any, Self

from stemma.graph import Reader
from stemma.server.asking import Answer
from stemma.server.views.statement import StatementView, works_of
from stemma.server.views.view import View, derived, documented
from stemma.server.views.work import PaperView, WorkView, work_views


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AnswerView(View):
    """The answer to a question, and how the question was understood."""

    cites = True
    text: str = derived("The answer in a sentence.")
    understood_as: str | None = derived(
        "The question in plain words; null if it was not understood."
    )
    works: tuple[WorkView, ...] = documented("The works that answer the question, page by page.")
    statements: tuple[StatementView, ...] = derived("Statements that the answer rests on.")
    statement_count: int = derived(
        "The number of all statements that the answer rests on.", "statement_total"
    )
    suggestions: tuple[str, ...] = derived("Other questions that this graph can answer.")
    total_count: int = derived("The number of works on all pages.", "total")
    end_cursor: str | None = derived("Pass it as `after` for the next page.")
    model: Answer = field(compare=False)

    @classmethod
    def of(cls, reader: Reader, answer: Answer) -> Self:
        named = reader.works(works_of(answer.statements))
        return cls(
            works=tuple(work_views(reader, answer.works).values()),
            model=answer,
            named={**named, **{work.id: work for work in answer.works}},
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each work, or if there are none, for each statement."""
        return [row for each in self.works or self.statements for row in each.to_rows()]

    def headings(self) -> tuple[str, ...]:
        are_statements = self.statements and not self.works
        return (StatementView if are_statements else PaperView).columns()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text
