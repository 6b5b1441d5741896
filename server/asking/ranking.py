"""Papers on a topic, ranked, and those that meet conditions."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from math import log1p

import numpy as np

from stemma.extract.sentence_encoder import SentenceEncoder, likeness, vector_of
from stemma.graph import Reader, Work, WorkType
from stemma.graph.matching import RankedPaper, Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import meeting_statements, narrower_entities, papers_filter
from stemma.graph.selection import EVERYTHING, PageOrder, Selection
from stemma.schema import Direction, Entity, PartialDate, RelationType, Statement
from stemma.server.asking.asked import WORD, Asked, names_in
from stemma.server.asking.conditions import Conditions
from stemma.server.asking.question import OF_ASKING, STOP_WORDS, spellings_of
from stemma.server.asking.thesaurus import terms_in

_MOST_FOUND, _OF_DATES, _MOST_READ, FIRST, _MOST_TOPICS, _MOST_SAID = 100, 200, 500, 10, 40, 1000
"""Papers that a search finds; that it does where their dates count; that a list reads; that are
shown at first; parts of a text; and papers whose words are compared."""
FEW = 5
"""Papers given even if they match less well; of fewer, what else may be meant is searched for."""
_MOST_COUNTED, _NAMES = 100_000, 3
_WORDS, _LEAST, _SHARE, _ORDERED, _TOLD = 0.25, 0.15, 0.5, 0.65, 0.8
"""What the words of a topic count beside what it means; how much more a match scores than what is
far, at least, and the share of the best in that; the share of a match that is ordered by its date,
and of a survey which is one of the topic."""
_FAR, _CLOSE, _SAID, _LACKING = 0.35, 0.53, 0.75, 3
"""How like most papers are to a topic that they are not about, and how like is what is close to it;
how much of its words is enough without that; and of how many words one is lacking."""
_vector_of = lru_cache(maxsize=10_000)(vector_of)
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")


def meeting(
    asked: Asked, wanted: Conditions, few: int = FEW
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return papers that meet conditions, with statements by which they do, and how many there are:
    those on a topic in the order of the question, by default the best match first; a `few`, even if
    they match less well, and those of years that are asked for."""
    reader, order = asked.reader, asked.question.selection.order
    is_cited = asked.question.introductory == "cited"
    stated = [criterion for criterion in wanted.criteria if not criterion.excluded]
    if stated != wanted.criteria:
        excepted = replace(wanted, criteria=stated)
        asked.without = {each.id for each in meeting(asked, excepted, few)[0]}
    if not wanted.topic:
        most = max(asked.first, _MOST_READ)
        chosen = papers_filter(reader, wanted.selection, wanted.criteria)
        if is_cited:
            every = reader.ids(WorkType.PAPER, chosen.changed(first=_MOST_COUNTED))
            return _most_cited(reader, every, most), [], len(every)
        ordered = chosen.changed(order=order or PageOrder.PUBLISHED, first=most)
        page = reader.page(WorkType.PAPER, ordered)
        meet = meeting_statements(reader, [item.id for item in page.items], chosen)
        # Those come first that say they are better than a work, or introduce it, not a kind of it.
        said = [statement for statements in meet.values() for statement in statements]
        named = {criterion.entities[0] for criterion in stated if criterion.entities}
        best = {s.subject for s in said if not order and _is_best(s, named)}
        return sorted(page.items, key=lambda paper: paper.id not in best), said, page.total
    # Papers of other years count for what a good match is; of an order, a bad one is not the first.
    chosen = wanted.selection.changed(since=None, until=None)
    chosen = papers_filter(reader, chosen, wanted.criteria)
    most = _OF_DATES if order or wanted.selection.has_years else _MOST_FOUND
    few = 0 if order else most if wanted.selection.has_years else few
    words = ["survey"] if asked.question.introductory == "survey" else [] if order else wanted.words
    text, whole = " ".join((wanted.topic, *words)), ""
    if wanted.question and not (wanted.phrases or asked.question.introductory or order):
        whole = wanted.question
        written = (match[0] for match in WORD.finditer(whole))
        text = " ".join(each for each in written if each.casefold() not in OF_ASKING)
    share = _ORDERED if order else _SHARE
    ranked, asked.is_part = papers_about(reader, text, chosen, few, most, whole, share)
    if order and not wanted.selection.has_years:  # Of many, those with a date may match less well.
        dated, is_far = papers_about(reader, text, chosen.changed(since=1), few, most, "", share)
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


def _is_best(statement: Statement, named: Collection[str]) -> bool:
    """Return whether a paper introduces one of the `named` entities (ids) or is better than one."""
    if statement.relation is RelationType.INTRODUCES:
        return statement.entity in named
    return bool(statement.comparison and statement.comparison.direction is Direction.BETTER)


def by_date(ids: Collection[str], dates: Mapping[str, PartialDate], order: PageOrder) -> list[str]:
    """Return the ids of works by their dates, those without one last."""
    dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
    dated = dated[:: -1 if order is PageOrder.NEWEST else 1]
    return [*(id_ for _, id_ in dated), *(each for each in ids if each not in dates)]


def papers_about(
    reader: Reader,
    text: str,
    chosen: Selection = EVERYTHING,
    few: int = FEW,
    most: int = _MOST_FOUND,
    question: str = "",
    share: float = _SHARE,
) -> tuple[list[RankedPaper], bool]:
    """Return the papers about a text, of those that pass, the best match first, and whether none is
    close to it: then few.

    They, `most` at most, have its words, or mean what it means, or the whole `question`. All but
    the first `few` match by at least a `share` of what the best one does.
    """
    terms = terms_in(text)
    topics = _topics_of(reader, text, terms)
    # "LLM" and "large language model" mean less alike to the encoder than they are.
    names = (topic.phrases[:_NAMES] for topic in topics if topic.entities)
    question, encode = question or text, SentenceEncoder.shipped().vector
    meant = 2 * encode(question) + encode(" ".join((question, *chain(*terms, *names))))
    said = reader.ranked(topics, chosen.changed(first=_MOST_SAID)) if topics else []
    words = {ranked.id: ranked.score for ranked in said}
    near = nearest(reader, meant, chosen, [*words][:most], most)
    if not near:
        return [], True
    is_part = max(near.values()) < _CLOSE and max(words.values(), default=0) < _SAID
    if is_part and not words:
        return [], True
    scores = {id_: max(like, _FAR) + _WORDS * words.get(id_, 0) for id_, like in near.items()}
    rankeds = [RankedPaper(id_, score) for id_, score in scores.items()]
    rankeds.sort(key=lambda ranked: (-ranked.score, ranked.id))
    least = _FAR + max(_LEAST, share * (rankeds[0].score - _FAR))
    good = [e for n, e in enumerate(rankeds[:most]) if n < few or e.score >= least]
    return good[: FIRST if is_part else None], is_part


def nearest(
    reader: Reader, meant: np.ndarray, chosen: Selection, others: Sequence[str], most: int
) -> dict[str, float]:
    """Return how like papers (ids) are to what is meant, a vector, from -1 to 1: those most alike
    that pass, and `others`, which are read where the store has no vectors."""
    vectors = reader.vectors(chosen)
    wanted, ids = meant / np.linalg.norm(meant), [*vectors]
    like = likeness(wanted, vectors.values())
    near = np.argsort(-like, kind="stable")[:most].tolist()
    found = {ids[each]: float(like[each]) for each in near}
    missing = [each for each in others if each not in found]
    known = {id_: vectors[id_] for id_ in missing if id_ in vectors}
    for id_, work in reader.works([each for each in missing if each not in known]).items():
        known[id_] = _vector_of(work.name, getattr(work, "abstract", ""))
    return found | dict(zip(known, map(float, likeness(wanted, known.values())), strict=True))


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
    topics |= {term: Topic(term) for term in terms}
    for match in WORD.finditer(text):
        word = match[0].strip(".'/-\"")
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
    works = reader.works([ranked.id for ranked in found])
    introduced = reader.entities_named(works, [RelationType.INTRODUCES])
    called = reader.works({each for ids in introduced.values() for each in ids})
    naming, best = reader.papers_naming(called), max((ranked.score for ranked in found), default=0)

    def weight(paper: RankedPaper) -> float:
        title = works[paper.id].name
        own = [each for each in introduced.get(paper.id, ()) if called[each].name in title]
        named = max((len(naming[each]) for each in own), default=1)
        is_survey = _SURVEY.search(title) and paper.score - _FAR > _TOLD * (best - _FAR)
        return paper.score * (1 + log1p(named - 1) + 3 * bool(is_survey))

    return [ranked.id for ranked in sorted(found, key=weight, reverse=True)]
