"""Answering questions in English from the graph."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from stemma.graph import (
    BadCursorError,
    FilterError,
    LineageDirection,
    PageOrder,
    Reader,
    Selection,
    WorkType,
)
from stemma.graph.searching import nearest_works
from stemma.schema import EntityKind, RelationType
from stemma.server.asking.answer import MOST_WORKS, Answer
from stemma.server.asking.asked import Asked
from stemma.server.asking.forms import entities, papers, profile, search, with_names
from stemma.server.asking.question import LONGEST_QUESTION, MOST_WORDS, TABLES, read

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
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        most = f"{LONGEST_QUESTION} characters and {MOST_WORDS} words"
        return Answer(f"A question can have at most {most}.", suggestions=suggestions(reader))
    skipped = int(after[:_LONGEST_CURSOR]) if after else 0
    try:
        asks = read(question, lambda: _newest_year(reader))
        asked = Asked(reader, asks, skipped, min(skipped + first, asks.number or skipped + first))
        answer = _of_years(asked)
    except FilterError as error:
        reason = str(error)
        return Answer(f"{reason[:1].upper()}{reason[1:]}.", suggestions=suggestions(reader))
    answer = replace(answer, text=" ".join((answer.text, *asked.remarks)))
    return answer if answer.total else replace(answer, suggestions=suggestions(reader))


def _newest_year(reader: Reader) -> int | None:
    newest = reader.ids(WorkType.PAPER, Selection(order=PageOrder.NEWEST, first=1))
    return next((date.year for date in reader.published(newest).values()), None)


def _of_years(asked: Asked) -> Answer:
    """Return the answer, and say what years leave out; if that is all, the answer of all years."""
    answer, years = _answer(asked), asked.question.years
    if not years:
        return answer
    of_all_years = asked.question.selection.changed(since=None, until=None)
    question = replace(asked.question, selection=of_all_years)
    every = _answer(Asked(asked.reader, question, asked.skipped, asked.end))
    if every.total and not answer.total:
        said = f"Nothing{years} is known to match; these are of all years."
        return replace(every, text=f"{said} {every.text}")
    if every.total > answer.total:
        asked.remark(f"Left out by the years: {every.total - answer.total:,}.")
    return answer


def _answer(asked: Asked) -> Answer:
    """Return the first answer with works, after what the first of all says if it has none: from the
    likeliest way to read a question to the search."""
    first = None
    further = (form(asked) for form in (entities, papers, profile, search))
    for answer in filter(None, chain(with_names(asked), further)):
        if answer.total or not asked.end:
            return replace(answer, text=f"{first.text} {answer.text}") if first else answer
        first = first or answer
    # What nothing of these years matches is answered by that of all years.
    if not asked.question.years and (near := nearest_works(asked.reader, asked.question.text)):
        return asked.listed(near, f"names like {asked.question.text}")
    return Answer("Nothing in this graph matches the question.")


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return questions of several forms that have an answer in this graph."""
    return tuple(dict.fromkeys(_suggestions(reader)))


def _suggestions(reader: Reader) -> Iterator[str]:
    for work in reader.works(list(reader.most_derived(1))).values():
        children = reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id][:1]
        names = [work.name, *(each.name for each in reader.works(children).values())]
        for question in TABLES["suggested"]["lineage"][: None if children else 3]:
            yield question.format(*names)
    for kind, relation, *questions in TABLES["suggested"]["entities"]:
        named = Selection(kinds=(EntityKind(kind),), relations=(RelationType(relation),))
        first = named.changed(general=False, order=PageOrder.PAPERS, first=1)
        for work in reader.works(reader.ids(WorkType.ENTITY, first)).values():
            yield from (each.format(work.name) for each in questions)
