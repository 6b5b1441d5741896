"""Answering questions in English from the graph."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stemma.graph import (
    BadCursorError,
    FilterError,
    LineageDirection,
    PageOrder,
    Reader,
    Selection,
    Work,
    WorkType,
)
from stemma.graph.searching import nearest_works
from stemma.schema import Entity, EntityKind, RelationType
from stemma.server.asking import answers
from stemma.server.asking.answer import MOST_WORKS, Answer, joint
from stemma.server.asking.asked import Asked, content, is_general, names_in, quoted
from stemma.server.asking.clauses import clauses
from stemma.server.asking.question import (
    LONGEST_QUESTION,
    MOST_WORDS,
    PATTERNS,
    TABLES,
    VERBS,
    is_plain,
    read,
)
from stemma.server.asking.reading import LINEAGE, Reading

_LONGEST_CURSOR, _MOST_LEFT = 9, 3
"""Digits of a cursor; words of a question that an answer may leave out."""


def ask(reader: Reader, question: str, first: int = MOST_WORKS, after: str | None = None) -> Answer:
    """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

    What has no cues is searched for. `first` works are given, those after the cursor `after` of an
    answer to the same question; raises BadCursorError where it is none.
    """
    if first < 0:
        raise ValueError("the number of works cannot be negative")
    if after is not None and not (after.isascii() and after.isdigit()):
        raise BadCursorError(after)
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        most = f"{LONGEST_QUESTION} characters and {MOST_WORDS} words"
        return Answer(f"A question can have at most {most}.", suggestions=suggestions(reader))
    asked = clauses(question, lambda clause: _name_in(reader, clause))
    if len(asked) > 1 and after is not None:
        raise BadCursorError(after)
    skipped, each_first = int(after[:_LONGEST_CURSOR]) if after else 0, -(-first // len(asked))
    try:
        answer = joint([_of_clause(reader, each, skipped, each_first) for each in asked])
    except FilterError as error:
        reason = str(error)
        return Answer(f"{reason[:1].upper()}{reason[1:]}.", suggestions=suggestions(reader))
    return answer if answer.total else replace(answer, suggestions=suggestions(reader))


def _of_clause(reader: Reader, clause: str, skipped: int, first: int) -> Answer:
    asks = read(clause, lambda: _newest_year(reader))
    asked = Asked(reader, asks, skipped, min(skipped + first, asks.number or skipped + first))
    answer = _of_years(asked)
    return replace(answer, text=" ".join((answer.text, *asked.remarks)))


def _name_in(reader: Reader, clause: str) -> str:
    """Return the first name of a work in a clause, as it is written there."""
    named = (each.text for each in names_in(reader, clause) if each.work)
    return next((each for each in named if not is_plain(each)), "")


def _newest_year(reader: Reader) -> int | None:
    newest = reader.ids(WorkType.PAPER, Selection(order=PageOrder.NEWEST, first=1))
    return next((date.year for date in reader.published(newest).values()), None)


def _of_years(asked: Asked) -> Answer:
    """Return the answer, and say what years leave out; if that is all, the answer of all years."""
    answer, years = _answer(asked), asked.question.years
    if not years:
        return answer

    def of_years(since: int | None) -> Answer:
        selection = asked.question.selection.changed(since=since, until=None)
        question = replace(asked.question, selection=selection)
        return _answer(Asked(asked.reader, question, asked.skipped, asked.end))

    every = of_years(None)
    dated = of_years(1).total if every.total > answer.total else every.total
    if every.total > dated:
        asked.remark(f"Without a date, and left out: {every.total - dated:,}.")
    if every.total and not answer.total:
        said = f"Nothing{years} is known to match; these are of all years."
        return replace(every, text=f"{said} {every.text}")
    if dated > answer.total:
        asked.remark(f"Left out by the years: {dated - answer.total:,}.")
    return answer


def _answer(asked: Asked) -> Answer:
    """Return the first answer with works, after what the first of all says if it has none."""
    first = None
    for answer in filter(None, _answers(Reading(asked, PATTERNS["steps"].sub("", asked.text)))):
        if answer.total or not asked.end:
            return replace(answer, text=f"{first.text} {answer.text}") if first else answer
        first = first or answer
    # What nothing of these years matches is answered by that of all years.
    if not asked.question.years and (near := nearest_works(asked.reader, asked.question.text)):
        return asked.listed(near, f"names like {asked.question.text}")
    return Answer("Nothing in this graph matches the question.")


def _answers(seen: Reading) -> Iterator[Answer | None]:
    """Yield the answers to a question by what it has cues of, from the likeliest way to read it to
    the search."""
    asked, head, verb, works = seen.asked, seen.head, seen.verb(*VERBS), seen.works
    if Asked.besides(head.topic).strip():  # "LLM serving systems" are no LLM.
        within = asked.works(head.topic)
        works = [each for each in works if each not in within] or works
    is_list = head.type == "paper" and bool(PATTERNS["papers"].match(head.noun))
    is_most = not works and seen.cue("superlative") and seen.has_verb(*LINEAGE)
    if is_most or (asked.question.introductory and not content(asked.text)):
        yield answers.most_built_upon(seen)
    elif len(works) == 1:
        yield from _of_one(seen, works[0], is_list)
    elif len(seen.things()) > 1:
        yield from _of_two(seen, works if works[1:] else seen.things(), is_list)
    works_on = head.type == "person" and PATTERNS["about"].search(head.rest)
    if works_on and not (verb and verb.objects):
        by = re.sub(r"\b(?:with|of) (?=[A-Z])", "by ", head.rest)
        yield answers.papers(asked, by, of_authors=True)
    selects = asked.question.selects or asked.excluded
    for each in seen.verbs if head.type in ("paper", "person") else ():
        if each.name == "INTRODUCES":
            yield answers.introducing(Reading(asked, asked.text[each.end :].strip()))
    yield answers.entities(seen)
    if len(works) == 1 and not (verb or is_list or seen.left() or selects):
        is_plural = head.type in ("paper", "entity") and head.noun.endswith("s")
        if not is_plural and not (head.type == "paper" and PATTERNS["about"].search(asked.text)):
            yield answers.profile(asked, works[0])
    chooses = PATTERNS["from"].search(asked.text) or (selects and not seen.left())
    if head.type == "paper" or verb or chooses:
        yield answers.papers(asked, _conditions_of(seen))
    answer = answers.search(asked)
    if asked.is_part and len(works) == 1 and len(seen.left()) == 1:
        asked.ignore(seen.left())
        answer = answers.profile(asked, works[0])
    yield answer


def _conditions_of(seen: Reading) -> str:
    """Return the part of a question that says which papers are asked for."""
    head, works = seen.head, seen.asked.works(seen.head.topic)
    if head.type != "paper":
        return seen.asked.text
    if works and isinstance(works[0], Entity) and works[0].kind is EntityKind.HARDWARE:
        return f"run on {head.topic} {head.rest}"
    # "NeurIPS papers" are papers in it; "LoRA papers" are papers about it.
    return f"in {head.topic}; {head.rest}" if head.topic else head.rest


def _of_one(seen: Reading, work: Work, is_list: bool) -> Iterator[Answer | None]:
    """Yield the answers to a question about one work."""
    asked, head, verb = seen.asked, seen.head, seen.verb(*VERBS)
    name, noun = verb.name if verb else "", head.noun if head.type == "entity" else ""
    is_paper = head.type == "paper"

    def asks(cue: str) -> bool:
        """Return whether the question has a cue, and says little else."""
        return seen.cue(cue) is not None and len(seen.left(cue)) <= (not is_list)

    if asks("versions") and not seen.cue("variants"):
        yield answers.versions(asked, work)
    elif asks("variants"):
        yield answers.variants(asked, work)
    elif asks("similar") and is_paper and not is_general(work):
        yield answers.similar(asked, work)
    elif name != "COMPARES_WITH" and (
        asks("alternatives") or (asks("similar") and not is_paper and not name)
    ):
        yield answers.alternatives(asked, work)
    # "Papers that build on LoRA" say so; "papers that LoRA led to" may not.
    elif verb and name in LINEAGE and not (is_list and asked.works(seen.text[verb.end :])):
        left = seen.left()
        if len(left) <= (_MOST_LEFT if PATTERNS["asks"].match(asked.text) or noun else 0):
            asked.ignore(left)
            way, improved = answers.UP if verb.subjects else answers.DOWN, name == "improves"
            yield answers.lineage(asked, work, way, noun=noun, improved=improved)
            yield answers.profile(asked, work)
    elif asks("lineage"):
        yield answers.lineage(asked, work, answers.UP, answers.DOWN, noun=noun)
        yield answers.profile(asked, work)
    elif verb and name == "cites" and verb.subjects:
        typed = next(each for each in asked.text if asked.works(each) == [work])
        yield answers.papers(asked, f"cited by {typed}")
    elif answers.of_what(seen) and (not noun or name == "COMPARES_WITH") and name:
        yield answers.of_work(asked, work, noun, name)
    elif verb and name == "INTRODUCES" and verb.objects and not (is_list or noun or seen.left()):
        yield answers.profile(asked, work)


def _of_two(seen: Reading, works: Sequence[Work], is_list: bool) -> Iterator[Answer | None]:
    """Yield the answers to a question about two works, or more."""
    asked, verb, cues = seen.asked, seen.verb(*VERBS), ("path", "compare", "between")
    compares = verb is not None and verb.name == "COMPARES_WITH"
    others = works[2:]
    is_on_data = len(works) == 2 and PATTERNS["on_name"].search(asked.text)
    if compares and verb and not verb.subjects and is_on_data:
        return  # "Which models beat GPT-4 on HumanEval".
    if is_list or seen.is_class or len(seen.left(*cues)) > _MOST_LEFT:
        return
    if any(map(seen.cue, cues)) or compares:
        asked.ignore([*seen.left(*cues), *map(quoted, others)])
    acts = verb if verb and verb.subjects and verb.objects and not compares else None
    if acts and not others:
        yield answers.two(asked, (acts.subjects[0], acts.objects[0]), acts.name)
    elif seen.cue("path") or (seen.cue("between") and not seen.cue("compare")):
        yield answers.two(asked, works[:2])
    elif compares or seen.cue("compare"):
        yield answers.two(asked, works[:2], side_by_side=True)


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return questions of several kinds that have an answer in this graph."""
    found = dict[str, None]()
    for work in reader.works(list(reader.most_derived(1))).values():
        children = reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id][:1]
        names = [work.name, *(each.name for each in reader.works(children).values())]
        for question in TABLES["suggested"]["lineage"][: None if children else 3]:
            found[question.format(*names)] = None
    for kind, relation, *questions in TABLES["suggested"]["entities"]:
        named = Selection(kinds=(EntityKind(kind),), relations=(RelationType(relation),))
        first = named.changed(general=False, order=PageOrder.PAPERS, first=1)
        for work in reader.works(reader.ids(WorkType.ENTITY, first)).values():
            found |= dict.fromkeys(each.format(work.name) for each in questions)
    return tuple(found)
