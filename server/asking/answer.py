"""What a question comes to."""

from dataclasses import dataclass

from stemma.graph import Work
from stemma.schema import Statement

MOST_WORKS = 100
"""Works in an answer at the most."""
MOST_STATEMENTS = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in a sentence, with what it rests on.

    `query` is a GraphQL query that gives the same works. `understood_as` says in plain words how
    the question was read, None where it was not understood. `suggestions` are questions that
    this graph can answer.
    """

    text: str
    query: str
    understood_as: str | None = None
    works: tuple[Work, ...] = ()
    statements: tuple[Statement, ...] = ()
    suggestions: tuple[str, ...] = ()
