"""Answering questions in English from the graph."""

import re
from collections.abc import Iterator
from dataclasses import replace

from stemma.graph import BadCursorError, FilterError, PageOrder, Reader, WorkType
from stemma.graph.searching import nearest_works
from stemma.schema import Paper
from stemma.server.asking import lists
from stemma.server.asking.answer import MOST_WORKS, Answer, Asked
from stemma.server.asking.forms import FORMS, about_work
from stemma.server.asking.naming import Names
from stemma.server.asking.question import (
    LONGEST_QUESTION,
    MOST_WORDS,
    Question,
    nouns,
    read,
    readings,
)
from stemma.server.asking.search import content
from stemma.server.asking.suggestion import suggestions

_MOST_WORDS_TRIED = 8
_LONGEST_CURSOR = 9


def ask(reader: Reader, question: str, first: int = MOST_WORKS, after: str | None = None) -> Answer:
    """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

    What no form fits is searched for. `first` works are given, those after the cursor `after` of an
    answer to the same question; raises BadCursorError where it is none.
    """
    if first < 0:
        raise ValueError("the number of works cannot be negative")
    if after is not None and not (after.isascii() and after.isdigit()):
        raise BadCursorError(after)
    skipped = int(after[:_LONGEST_CURSOR]) if after else 0
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        most = f"{LONGEST_QUESTION} characters and {MOST_WORDS} words"
        return Answer(f"A question can have at most {most}.", suggestions=suggestions(reader))
    try:
        asked = _asked(reader, read(question), first, skipped)
    except FilterError as error:
        reason = str(error)
        return Answer(f"{reason[:1].upper()}{reason[1:]}.", suggestions=suggestions(reader))
    answer = _answer(asked) or Answer("Nothing in this graph matches the question.")
    if answer.works:
        return asked.finished(answer)
    return replace(answer, suggestions=suggestions(reader))


def _asked(reader: Reader, question: Question, first: int, skipped: int) -> Asked:
    """Return a question with years in place of "the last two years" before the newest paper."""
    if question.number:
        first = min(first, max(0, question.number - skipped))
    if question.years_back is not None:
        newest = reader.page(WorkType.PAPER, order=PageOrder.NEWEST, first=1).works
        dates = (each.published for each in newest if isinstance(each, Paper))
        if year := next((date.year for date in dates if date and date.year), None):
            since = question.selection.changed(since=year - question.years_back)
            question = replace(question, selection=since)
    return Asked(reader, Names(reader), question, first, skipped)


def _answer(asked: Asked) -> Answer | None:
    """Return the first answer with works; else the search, with what the first answer says."""
    empty = None
    for answer in _answers(asked):
        if answer.works or answer.final:
            return answer
        empty = empty or answer
    text = asked.question.text.strip('"')
    found = lists.search(asked, text, empty.text if empty else "")
    if not found.works and text:
        words = content(text).split()[:_MOST_WORDS_TRIED]
        near = {e.id: e for each in (text, *words) for e in nearest_works(asked.reader, each)}
        found = asked.listed(list(near.values()), f"names like {content(text) or text}")
    return found if found.works else empty


def _answers(asked: Asked) -> Iterator[Answer]:
    """Yield the answers of all forms that fit a question, the likeliest first."""
    text = asked.question.text
    question = asked.question
    is_list = bool(question.selection.order or question.number or question.introductory)
    is_list = is_list or re.fullmatch(f"(?i:{nouns()})", text) is not None
    if not is_list and (work := asked.names.work(text)):
        yield about_work(asked, work)
    for correct in (False, True):
        for form, given in readings(text):
            if answer := FORMS[form](replace(asked, correct=correct), given):
                yield answer
    for answers in (lists.entities, lists.papers):
        if answer := answers(asked, text):
            yield answer
