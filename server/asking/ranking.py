"""Papers on a topic, ranked, and those that meet conditions."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import log1p

from stemma.graph import Reader, Work, WorkType
from stemma.graph.matching import RankedPaper, Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import meeting_statements, narrower_entities, papers_filter
from stemma.graph.selection import EVERYTHING, PageOrder, Selection
from stemma.schema import Direction, Entity, Paper, PartialDate, RelationType, Statement
from stemma.server.asking.asked import WORD, Asked, names_in
from stemma.server.asking.conditions import Conditions
from stemma.server.asking.question import STOP_WORDS, spellings_of
from stemma.server.asking.similarity import TextVectors
from stemma.server.asking.thesaurus import terms_in

_MOST_FOUND, _OF_DATES, _MOST_READ, FIRST, _MOST_TOPICS = 100, 200, 500, 10, 40
_MOST_COUNTED = 100_000
"""Papers that a search ranks; that it does where their dates count; that a list reads; that are
given even if they match less well; and parts of a text."""
_LIKENESS, _BELOW_BEST, _HARDLY, _TOLD = 1.5, 0.85, 0.33, 0.8
"""What the likeness of a paper to a topic counts beside its words; how much less than the best a
match scores at most; the likeness of what is not about it; and the share of the best score from
which a survey is one of the topic."""
_CLOSE, _WORDS, _LACKING = 0.7, 0.3, 3
"""The likeness of what is close to a topic; what words add; of how many words one is lacking."""
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")


def meeting(
    asked: Asked, wanted: Conditions, few: int = FIRST
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return papers that meet conditions, with statements by which they do, and how many there are:
    those on a topic in the order of the question, by default the best match first; a `few`, even if
    they match less well, and those of years that are asked for."""
    reader, order = asked.reader, asked.question.selection.order
    is_cited = asked.question.introductory == "cited"
    stated = [each for each in wanted.criteria if not each.excluded]
    if stated != wanted.criteria:
        excepted = replace(wanted, criteria=stated)
        asked.without = {each.id for each in meeting(asked, excepted, few)[0]}
    if not wanted.topic:
        most = max(asked.first, _MOST_READ)
        chosen = papers_filter(reader, wanted.selection, wanted.criteria)
        if is_cited:
            every = reader.ids(WorkType.PAPER, chosen.changed(first=_MOST_COUNTED))
            return _most_cited(reader, every, most), [], len(every)
        page = reader.page(
            WorkType.PAPER, chosen.changed(order=order or PageOrder.PUBLISHED, first=most)
        )
        meet = meeting_statements(reader, [each.id for each in page.items], chosen)
        # Of what compares with a work, those come first that say they are better.
        said = [each for own in meet.values() for each in own]
        results = ((each.subject, each.comparison) for each in said if not order)
        better = {paper for paper, how in results if how and how.direction is Direction.BETTER}
        return sorted(page.items, key=lambda each: each.id not in better), said, page.total
    # Papers of other years count for what a good match is; of an order, a bad one is not the first.
    chosen = wanted.selection.changed(since=None, until=None)
    chosen = papers_filter(reader, chosen, wanted.criteria)
    most = _OF_DATES if order or wanted.selection.has_years else _MOST_FOUND
    few = 0 if order else most if wanted.selection.has_years else few
    words = ["survey"] if asked.question.introductory == "survey" else [] if order else wanted.words
    text = " ".join((wanted.topic, *words))
    ranked, asked.is_part = papers_about(reader, text, chosen, few, most)
    if asked.is_part and words:  # These may be far from what the topic alone is close to.
        alone, is_far = papers_about(reader, wanted.topic, chosen, few, most)
        ranked, asked.is_part = (ranked, True) if is_far else (alone, False)
    if order and not wanted.selection.has_years:  # Of many, those with a date may match less well.
        dated, is_far = papers_about(reader, wanted.topic, chosen.changed(since=1), few, most)
        ranked = [*{e.id: e for e in (*ranked, *([] if is_far else dated))}.values()]
    told = [each for each in WORD.findall(wanted.topic) if each.casefold() not in STOP_WORDS]
    if asked.lacking and len(asked.lacking) * _LACKING >= len(told):
        ranked, asked.is_part = ranked[:FIRST], True
    if len(ranked) >= most:
        asked.remark(f"A search finds {most} papers at most.")
    dates = reader.published([each.id for each in ranked])
    if order and not wanted.selection.has_years and len(dates) < len(ranked):
        asked.remark(f"Without a date, and last: {len(ranked) - len(dates):,}.")
    ranked = [e for e in ranked if wanted.selection.is_of_years(dates.get(e.id))]
    ids = [each.id for each in ranked]
    if is_cited:
        return _most_cited(reader, ids, len(ids)), [], len(ids)
    if asked.question.introductory:
        ids = _to_read_first(reader, ranked)
    elif order:
        ids = by_date(ids, dates, order)
    return list(reader.works(ids).values()), [], len(ids)


def by_date(ids: Collection[str], dates: Mapping[str, PartialDate], order: PageOrder) -> list[str]:
    """Return the ids of works by their dates, those without one last."""
    dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
    dated = dated[:: -1 if order is PageOrder.NEWEST else 1]
    return [*(id_ for _, id_ in dated), *(each for each in ids if each not in dates)]


def papers_about(
    reader: Reader,
    text: str,
    chosen: Selection = EVERYTHING,
    few: int = FIRST,
    most: int = _MOST_FOUND,
) -> tuple[list[RankedPaper], bool]:
    """Return the papers about a text, of those that pass, the best match first, and whether none is
    close to it: then few.

    They, `most` at most, are found by their words, and ranked by these and by their meaning; the
    first `few` may match less well than the others.
    """
    vectors = TextVectors.shipped()
    text = vectors.joined(text)
    terms = terms_in(text)
    topics = _topics_of(reader, text, terms)
    text = " ".join((text, *chain(*terms)))
    found = reader.ranked(topics, chosen.changed(first=most)) if topics else []
    if not found:
        return [], True
    papers = reader.works([each.id for each in found])
    read = [each for each in papers.values() if isinstance(each, Paper)]
    likeness = dict(zip(papers, vectors.likeness(text, read), strict=True))
    best = max(each.score for each in found)
    is_part = max(likeness.values()) + _WORDS * best < _CLOSE
    found = [replace(e, score=e.score / best + _LIKENESS * likeness[e.id]) for e in found]
    found.sort(key=lambda each: -each.score)
    least = found[0].score - _BELOW_BEST
    good = [
        each
        for number, each in enumerate(found)
        if number < few or (each.score >= least and likeness[each.id] >= _HARDLY)
    ]
    return good[: FIRST if is_part else None], is_part


def _topics_of(reader: Reader, text: str, terms: Iterable[tuple[str, ...]]) -> list[Topic]:
    """Return the topics of a text: the works and concepts that it names, the terms that papers have
    for its plain words, and its words."""
    topics: dict[tuple[str, ...], Topic] = {}
    for part in names_in(reader, text, sure=True):
        ids = list[str]()
        if isinstance(part.work, Entity):
            ids = [part.work.id, *sorted(narrower_entities(reader, part.work.id))]
        # A short name, such as IT, may be another word.
        meant = part.work or part.concept
        names = spellings(meant) if meant else []
        phrases = [*spellings_of(part.text), *(e for e in names if e.casefold() not in STOP_WORDS)]
        key = tuple(dict.fromkeys(phrases))
        topics[key] = Topic(key, tuple(ids))
    topics |= {each: Topic(each) for each in terms}
    for found in WORD.finditer(text):
        word = found[0].strip(".'/-\"")
        if word.casefold() not in STOP_WORDS:
            topics.setdefault(spellings_of(word), Topic(spellings_of(word)))
    return [*topics.values()][:_MOST_TOPICS]


def _most_cited(reader: Reader, ids: Collection[str], most: int) -> list[Work]:
    """Return those of some papers (ids) that most others here cite."""
    citing = reader.cited_by(ids)
    ids = sorted(ids, key=lambda each: -len(citing.get(each, ())))
    return [*reader.works(ids[:most]).values()]


def _to_read_first(reader: Reader, found: Sequence[RankedPaper]) -> list[str]:
    """Return papers (ids) with surveys, and those named after what most papers name, first."""
    works = reader.works([each.id for each in found])
    introduced = reader.entities_named(works, [RelationType.INTRODUCES])
    called = reader.works({each for ids in introduced.values() for each in ids})
    naming, best = reader.papers_naming(called), max((each.score for each in found), default=0)

    def weight(paper: RankedPaper) -> float:
        title = works[paper.id].name
        own = [each for each in introduced.get(paper.id, ()) if called[each].name in title]
        named = max((len(naming[each]) for each in own), default=1)
        is_survey = _SURVEY.search(title) and paper.score > _TOLD * best
        return paper.score * (1 + log1p(named - 1) + 3 * bool(is_survey))

    return [each.id for each in sorted(found, key=weight, reverse=True)]
