"""Answering questions in English from the graph."""

import re
from collections.abc import Collection, Iterator, Sequence
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
from stemma.graph.identity import keys_in
from stemma.graph.reader import kind_of
from stemma.graph.searching import nearest_works
from stemma.schema import EntityKind, RelationType
from stemma.server.asking import about_works, lists
from stemma.server.asking.about_works import DOWN, OF_WORK, UP
from stemma.server.asking.answer import MOST_WORKS, Answer, joint
from stemma.server.asking.asked import Asked, names_in
from stemma.server.asking.kind import Kind
from stemma.server.asking.parser import FORMS, OF_ONE, STATED, Parser
from stemma.server.asking.question import (
    LONGEST_QUESTION,
    MOST_WORDS,
    TABLES,
    is_noun,
    plain,
    question_of,
)
from stemma.server.asking.ranking import FEW

_LONGEST_CURSOR = 9
"""Digits of a cursor."""
_OF_TWO = ("path", "compare")
_LISTS = ("papers", "entities", "people", "most_built_on")
_CONDITIONS = (*STATED, "topic", "author", "venue")
"""What restricts the works that build on another."""
_MOST_FORMS = 3
_LIMITS_OF = re.compile(
    r"(?i)\b(?:limits?|limitations?|weakness(?:es)?|drawbacks?|shortcomings?|downsides?|problems?"
    r"|issues?|wrong)(?: (?:of|with|in))?(?: the)? $"
)
"""What stands before a work whose limits later works are asked for."""
_WAYS = {"descendants": (DOWN,), "improvements": (DOWN,), "ancestors": (UP,), "lineage": (UP, DOWN)}
"""The directions of the lineage that a question asks for."""


def ask(reader: Reader, question: str, first: int = MOST_WORKS, after: str | None = None) -> Answer:
    """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

    What has no answer is searched for. `first` works are given, those after the cursor `after` of
    an answer to the same question; raises BadCursorError where it is none.
    """
    if first < 0:
        raise ValueError("the number of works cannot be negative")
    if after is not None and not (after.isascii() and after.isdigit()):
        raise BadCursorError(after)
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        most = f"{LONGEST_QUESTION} characters and {MOST_WORDS} words"
        return Answer(f"A question can have at most {most}.", suggestions=suggestions(reader))
    text = plain(question)
    names = [
        (mention.start, mention.end)
        for mention in names_in(reader, text)
        if not is_noun(mention.text)
    ]
    parsed = Parser.shipped().parse(text, names)
    skipped = int(after[:_LONGEST_CURSOR]) if after else 0
    try:
        asks = question_of(parsed, lambda: _newest_year(reader))
        end = min(skipped + first, asks.number or skipped + first)
        answer = _of_years(Asked(reader, asks, skipped, end))
    except FilterError as error:
        reason = str(error)
        return Answer(f"{reason[:1].upper()}{reason[1:]}.", suggestions=suggestions(reader))
    return answer if answer.total else replace(answer, suggestions=suggestions(reader))


def _newest_year(reader: Reader) -> int | None:
    newest = reader.ids(WorkType.PAPER, Selection(order=PageOrder.NEWEST, first=1))
    return next((date.year for date in reader.published(newest).values()), None)


def _of_years(asked: Asked) -> Answer:
    """Return the answer, and say what years leave out; if that is all, the answer of all years."""
    answer, years = _answer(asked), asked.question.years

    def of_years(since: int | None) -> Answer:
        selection = asked.question.selection.changed(since=since, until=None)
        question = replace(asked.question, selection=selection)
        return _answer(Asked(asked.reader, question, asked.skipped, asked.end))

    every = of_years(None) if years else answer
    if every.total and not answer.total:
        said = f"Nothing{years} is known to match; these are of all years."
        return replace(every, text=" ".join((said, every.text, *asked.remarks)))
    dated = of_years(1).total if every.total > answer.total else every.total
    if every.total > dated:
        asked.remark(f"Without a date, and left out: {every.total - dated:,}.")
    if dated > answer.total:
        asked.remark(f"Left out by the years: {dated - answer.total:,}.")
    text = " ".join((answer.text, *asked.remarks))
    undated = asked.question.of_all_years if every.total > answer.total else ""
    return replace(answer, text=text, suggestions=(undated,) if undated else ())


def _answer(asked: Asked) -> Answer:
    """Return the answers to all that is asked for as one, or what a search finds; of an identifier
    alone, the paper that has it."""
    if keys_in(identifier := asked.question.text.strip(" ?")) and not identifier.isdigit():
        for paper in asked.reader.works(asked.reader.called(identifier)).values():
            return about_works.profile(asked, paper)
        return Answer(f"No paper here has the identifier {identifier}.")
    answers = [*filter(None, _answers(asked))]
    if any(answer.total for answer in answers):
        return joint({answer.text: answer for answer in answers}.values())
    said = " ".join(answer.text for answer in answers[:1])
    text = " ".join(span.text for span in asked.question.parsed.spans) or asked.question.text
    works = asked.works("main")
    # What nothing of these years matches is answered by that of all years.
    if answers and works and asked.question.years:
        return answers[0]
    searched = about_works.profile(asked, works[0]) if works else lists.search(asked, text)
    if not (searched and searched.total) and not asked.question.years:
        near = nearest_works(asked.reader, text) if text else []
        searched = asked.listed(near, f"names like {text}") if near else searched
    if searched and searched.total:
        return replace(searched, text=f"{said} {searched.text}".strip())
    return Answer(said or "Nothing in this graph matches the question.")


def _answers(asked: Asked) -> Iterator[Answer | None]:
    """Yield the answers to what a question asks for: of works first, then lists."""
    forms, works = _consistent(asked), asked.works("main")
    if len(works) == 1 and "compare" in forms:  # What it is compared with may be no span.
        works = [*{e.id: e for e in (*works, *asked.named)}.values()][:2]
    if not asked.spans("main") and asked.spans("kind") and forms <= OF_WORK.keys():
        forms = {"entities"}
    if forms == {"entities"} and (models := _models_on_hardware(asked)):
        forms, works = {"runs_on"}, models
    surest = (*asked.question.parsed.forms, *FORMS)
    of_works = sorted(forms & {*OF_ONE, *_OF_TWO}, key=surest.index)
    if works and of_works:
        yield from _of_works(asked, works, of_works)
    elif unknown := asked.spans("main"):
        # "Deepfake detection, and on what data is it tested": what has no name here is a topic.
        asked.remark_unknown(unknown[0].text)
        asked.take_as_topic("main", "topic")
        forms = {*forms, "entities" if asked.spans("kind") else "papers"}
    elif forms.isdisjoint(_LISTS) and asked.spans("author", "builds_on", "improves_on"):
        forms = {*forms, "papers"}  # "What else did Tri Dao write?", "newest that improve on BERT".
    conditions = [span for span in asked.spans() if span.role not in ("main", "kind")]
    for form in _LISTS:
        is_said = form == "papers" and not forms.isdisjoint(("descendants", "improvements"))
        if form in forms and not (works and of_works and (is_said or not conditions)):
            yield _list(asked, form)


def _models_on_hardware(asked: Asked) -> list[Work]:
    """Return the model, if one is used on the hardware that is asked for."""
    used = asked.works("uses")
    if [*map(kind_of, used)] != [EntityKind.MODEL]:
        return []
    kind = Kind.of(asked)
    of_class = (kind_of(member) == EntityKind.HARDWARE for member in kind.members.values())
    return used if kind.kinds == (EntityKind.HARDWARE,) or any(of_class) else []


def _of_works(asked: Asked, works: Sequence[Work], forms: Sequence[str]) -> Iterator[Answer | None]:
    """Yield the answers to what is asked of works, each of the `forms` of each."""
    for named in asked.spans("main"):
        asked.remark_unknown(named.text)
    if len(works) > 1 and any(form in _OF_TWO for form in forms):
        yield from _of_two(asked, works, forms)
        return
    for form in [form for form in forms if form not in _OF_TWO][:_MOST_FORMS] or ["what"]:
        if not (form in ("who", "when") and "what" in forms):
            for work in works[:_MOST_FORMS]:
                yield _of_one(asked, work, form)


def _consistent(asked: Asked) -> set[str]:
    """Return the forms of a question, in accord with its spans: "was it tested on a Jetson" asks
    for hardware, and so does "tested on which GPUs"."""
    forms = {*asked.question.parsed.forms}
    if forms & {"ancestors", "descendants"}:  # "Its parents and grandparents".
        forms -= {"lineage"}
    text = asked.question.text
    if any(_LIMITS_OF.search(text[: span.start]) for span in asked.spans("main")):
        forms = forms - {"limits"} | {"improvements"}
    if len(forms & {"runs_on", "evaluated_on"}) != 1:
        return forms
    kinds = Kind.of(asked, alone=False).kinds
    said = {span.role for span in asked.spans(*OF_WORK)} if asked.spans("main") else set()
    for kind, form in ((EntityKind.HARDWARE, "runs_on"), (EntityKind.DATASET, "evaluated_on")):
        if kinds == (kind,) or said == {form}:
            return forms - {"runs_on", "evaluated_on"} | {form}
    return forms


def _list(asked: Asked, form: str) -> Answer | None:
    if form == "people":
        return lists.people(asked)
    others = [span for span in asked.question.parsed.spans if span.role != "kind"]
    kind = Kind.of(asked, alone=not others)
    if form == "most_built_on":
        return lists.most_built_upon(asked, kind)
    of_class = asked.work(kind.words) if kind.members else None
    studied = of_class and kind_of(of_class) == EntityKind.MODEL
    if studied and asked.question.text.startswith(f"{kind.words} for "):
        return lists.papers(asked, kind.words)  # "LLMs for hardware design" are what papers study.
    if form == "entities" and kind.noun and (kind.kinds or kind.members or not asked.topic):
        answer = lists.entities(asked, kind)
        few = not answer or (answer.total < FEW and any(e not in asked.named for e in answer.works))
        # "Robots that work under water": papers may be on them and name none.
        restricted = asked.topic or (kind.members and asked.spans(*STATED))
        more = lists.papers(asked, kind.words) if few and restricted else None
        return joint((answer, more)) if more else answer
    return lists.papers(asked, kind.words)


def _of_one(asked: Asked, work: Work, form: str) -> Answer | None:
    """Return the answer to a question about one work."""
    if form in OF_WORK:
        return about_works.of_work(asked, work, form, Kind.of(asked, alone=False))
    if form in _WAYS:
        kind, improved = Kind.of(asked, alone=False), form == "improvements"
        noun = kind.noun if kind.kinds else ""
        answer = about_works.lineage(asked, work, *_WAYS[form], noun=noun, improved=improved)
        told = kind.topic or asked.spans(*_CONDITIONS) or asked.others[1:]  # "Smaller or faster".
        if told and _WAYS[form] == (DOWN,):
            # "Expressive or emotional synthesizers" may be two kinds.
            others = (span.text for span in asked.spans("kind")[1:])
            within = lists.descending(asked, work, form, " ".join((kind.topic, *others)).strip())
            answer = joint((within, answer))
        return answer
    of_form = {
        "similar": about_works.similar,
        "alternatives": about_works.alternatives,
        "versions": about_works.versions,
    }
    return of_form.get(form, about_works.profile)(asked, work)


def _of_two(asked: Asked, works: Sequence[Work], forms: Collection[str]) -> Iterator[Answer]:
    """Yield the answers to a question about two works, or more."""
    if "ancestors" in forms:
        yield about_works.common(asked, works, UP)
    if "descendants" in forms:
        yield about_works.common(asked, works, DOWN)
    if "compare" in forms:
        for work in works[2:]:
            asked.remark(f"Left out of the question: {work.name}.")
        yield about_works.two(asked, works[:2], side_by_side=True)
    else:  # "Is it derived from mT5 or from T5?"
        for other in works[1 : _MOST_FORMS + 1]:
            yield about_works.two(asked, [works[0], other])


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return questions of several kinds that have an answer in this graph."""
    found = dict[str, None]()
    for work in reader.works(list(reader.most_derived(1))).values():
        children = reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id][:1]
        names = [work.name, *(work.name for work in reader.works(children).values())]
        for question in TABLES["suggested"]["lineage"][: None if children else 3]:
            found[question.format(*names)] = None
    for kind, relation, *questions in TABLES["suggested"]["entities"]:
        named = Selection(kinds=(EntityKind(kind),), relations=(RelationType(relation),))
        first = named.changed(general=False, order=PageOrder.PAPERS, first=1)
        for work in reader.works(reader.ids(WorkType.ENTITY, first)).values():
            found |= dict.fromkeys(question.format(work.name) for question in questions)
    return tuple(found)
