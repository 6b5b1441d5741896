"""The answer to a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from stemma.graph import BadCursorError, LineageDirection, Work
from stemma.schema import Statement

MOST_WORKS = 100
"""Works in an answer, unless another number is asked for."""
_LONGEST_CURSOR = 9
_Item = TypeVar("_Item")
MOST_STATEMENTS = 100


@dataclass(frozen=True, slots=True)
class Window:
    """Which of the works that answer a question are given: `first` of them, after `skipped`."""

    first: int = MOST_WORKS
    skipped: int = 0

    @classmethod
    def after(cls, cursor: str | None, first: int) -> "Window":
        """Go on from the cursor of an answer. Raises BadCursorError if it is invalid."""
        if cursor is not None and not (cursor.isascii() and cursor.isdigit()):
            raise BadCursorError(cursor)
        return cls(first, int(cursor[:_LONGEST_CURSOR]) if cursor else 0)

    @property
    def end(self) -> int:
        """How many works have to be found to know those of this window."""
        return self.skipped + self.first

    def of(self, found: Sequence[_Item]) -> tuple[_Item, ...]:
        """Return those of all that was found that are in this window."""
        return tuple(found[self.skipped : self.end])

    def beyond(self, total: int) -> int:
        """Return how many of all come after this window."""
        return max(0, total - self.end)

    def cursor(self, total: int) -> str | None:
        """Return after what the next page begins, if there is one."""
        return str(self.end) if self.first and self.end < total else None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in a sentence, with what it rests on.

    `query` is a GraphQL query that gives the same works. `understood_as` says in plain words how
    the question was read, None where it was not understood. `suggestions` are questions that
    this graph can answer. `total` counts the works on all pages; the next one follows
    `end_cursor`, None on the last. `statement_total` counts the statements that the answer rests
    on, of which it carries `MOST_STATEMENTS` at most. Where a lineage answers it, `lineage_of`
    and `direction` say which. `notes` say of works (ids) what puts them in their order, such as
    the number of papers.
    """

    text: str
    query: str
    understood_as: str | None = None
    works: tuple[Work, ...] = ()
    statements: tuple[Statement, ...] = ()
    suggestions: tuple[str, ...] = ()
    total: int = 0
    end_cursor: str | None = None
    statement_total: int = 0
    lineage_of: Work | None = None
    direction: LineageDirection | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
