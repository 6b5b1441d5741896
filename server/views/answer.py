"""Views of answers to questions in English."""

from dataclasses import dataclass
from typing import Any, Self

from stemma.graph import Reader
from stemma.server.asking import Answer
from stemma.server.views.page import StatementPage, WorkPage, cut_statements
from stemma.server.views.view import View, derived, documented

MOST_STATEMENTS = 100
"""Of an answer, as a view."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AnswerView(View[Answer]):
    """The answer to a question, and how the question was understood."""

    cites = True
    text: str = derived("The answer in a sentence.")
    understood_as: str | None = derived(
        "The question in plain words; null if it was not understood."
    )
    works: WorkPage = documented("The works that answer the question.")
    statements: StatementPage = documented("Statements that the answer rests on.")
    notes: tuple[str, ...] = documented("What puts works in their order: `COCO: 92 papers`.")
    suggestions: tuple[str, ...] = derived("Other questions that this graph can answer.")

    @classmethod
    def of(cls, reader: Reader, answer: Answer) -> Self:
        statements = cut_statements(answer.statements, MOST_STATEMENTS, None)
        shown = StatementPage.of(reader, statements)
        return cls(
            works=WorkPage.of(reader, *answer.page()),
            statements=shown,
            notes=tuple(
                f"{e.name}: {answer.notes[e.id]}" for e in answer.works if e.id in answer.notes
            ),
            model=answer,
            named={**shown.named, **{work.id: work for work in answer.works}},
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each work, or if there are none, for each statement."""
        return [row for work in self.works or self.statements for row in work.to_rows()]

    def headings(self) -> tuple[str, ...]:
        shown = self.works if self.works or not self.statements else self.statements
        return shown.headings()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text
