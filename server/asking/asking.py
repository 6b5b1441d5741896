"""Answering questions in English from the graph."""

from dataclasses import replace

from stemma.graph import AmbiguousNameError, FilterError, Reader
from stemma.server.asking.answer import MOST_STATEMENTS, MOST_WORKS, Answer, Window
from stemma.server.asking.grammar import grammar
from stemma.server.asking.interpretation import (
    FailedInterpretation,
    Interpretation,
    QuestionInterpreter,
)
from stemma.server.asking.misunderstanding import ambiguous, misunderstood, unanswered
from stemma.server.asking.suggestion import suggestions
from stemma.server.asking.wording import capital
from stemma.server.asking.words import words_of

LONGEST_QUESTION = 500
_MOST_WORDS = 60


def ask(reader: Reader, question: str, first: int = MOST_WORKS, after: str | None = None) -> Answer:
    """Answer a question of the field in English: "what builds on ZeRO-Infinity since 2023?".

    The answer says what cannot be understood or found, and suggests questions. `first`
    works are given, those after the cursor `after` of an answer to the same question; raises
    BadCursorError where it is none.
    """
    if first < 0:
        raise ValueError("the number of works cannot be negative")
    window = Window.after(after, first)
    answer = _answer(reader, question, window)
    total = max(answer.total, len(answer.works))
    return replace(
        answer,
        total=total,
        end_cursor=window.cursor(total),
        statements=answer.statements[:MOST_STATEMENTS],
        statement_total=len(answer.statements),
    )


def _answer(reader: Reader, question: str, window: Window) -> Answer:
    words = words_of(question[: LONGEST_QUESTION + 1])
    if len(question) > LONGEST_QUESTION or len(words) > _MOST_WORDS:
        text = f"A question can have at most {LONGEST_QUESTION} characters and {_MOST_WORDS} words."
        return unanswered(reader, text, suggestions(reader))
    if not words:
        return unanswered(reader, "The question is empty.", suggestions(reader))
    try:
        found = QuestionInterpreter(grammar(), reader).read(words)
        if isinstance(found, FailedInterpretation):
            found = QuestionInterpreter(grammar(), reader).correct(words) or found
        if isinstance(found, FailedInterpretation):
            return misunderstood(reader, words, found)
        answer = _first(found, reader, window)
    except AmbiguousNameError as error:
        return ambiguous(error, words)
    except FilterError as error:
        return unanswered(reader, f"{capital(str(error))}.", suggestions(reader))
    caveats = found.caveats if answer.works else ()
    return replace(answer, text=" ".join((answer.text, *caveats, *found.notes)))


def _first(found: Interpretation, reader: Reader, window: Window) -> Answer:
    """Answer a question, with as many works as it asks for: "top 10 techniques"."""
    if not found.first:
        return found.question.answer(reader, window)
    left = max(0, found.first - window.skipped)
    answer = found.question.answer(reader, replace(window, first=min(window.first, left)))
    return replace(
        answer,
        understood_as=f"{answer.understood_as}: the first {found.first}",
        total=min(answer.total or len(answer.works), found.first),
    )
