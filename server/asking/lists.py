"""Questions for lists: papers that meet conditions, entities that papers name, and the search."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import log1p
from operator import itemgetter

from stemma.graph import Work, WorkFilter, WorkType
from stemma.graph.criteria import (
    Criterion,
    entities_where,
    filter_of,
    papers_near,
    papers_where,
)
from stemma.graph.ranking import RankedPaper
from stemma.graph.selection import MOST_RESULTS, PageOrder, Selection
from stemma.schema import Entity, EntityKind, Paper, RelationType, Statement
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, Asked
from stemma.server.asking.conditions import (
    ABOUT,
    ON_KIND,
    Conditions,
    begins_with_verb,
    conditions,
)
from stemma.server.asking.naming import NAME, joined, quoted
from stemma.server.asking.question import STOP_WORDS, kinds_of, nouns
from stemma.server.asking.search import NEAR_THE_BEST, content, topics_of

_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|all|the|any|some|is|are|was|were|how many|number of|in|of|"
    r"other|top|most|commonly|widely|often|popular|used|common|different)\s)*)"
)
_PAPERS = re.compile(
    rf"(?i)^{_LEAD}(?P<topic>(?:\S+ ){{0,4}}?)(?:{nouns('paper')})(?P<rest>(?: .*)?)$"
)
_WHO = re.compile(
    r"(?i)^(?:(?:who|what|which|anyone|anything|everything)(?: else)? )?(?P<rest>.*)$"
)
_BE = re.compile(r"(?i)^(?:(?:is|are|was|were|came|published|there|here|exist|known) ?)+$")
_KINDS = ("hardware", "framework", "technique", "model", "dataset", "baseline")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<topic>(?:\S+ ){{0,4}}?)(?P<noun>{nouns(*_KINDS)})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")
_COMPARED = re.compile(r"(?i)\b(?:compar\w*|against|outperform\w*)\b")
_MOST_DERIVED = 1000
_FEW, _WANTED, _MOST_READ = 5, 20, 500
"""Papers that are listed, and that are asked what they name, even if they match less well; and the
most that are asked."""


def papers(asked: Asked) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    text = asked.names.text
    if asked.question.introductory and not content(text):
        return _built_upon(asked, "papers and entities")
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        rest = f"{match['rest']} in {match['topic']}".strip() if match["topic"] else match["rest"]
    elif (match := _WHO.match(text)) and begins_with_verb(match["rest"]):
        rest = match["rest"]
    else:
        return None
    found = conditions(asked.names, _BE.sub("", rest.strip()), asked.question.selection)
    return _listed(asked, found)


def search(asked: Asked) -> Answer | None:
    """Return what matches a question best: the entities that it names, then papers."""
    text = content(asked.names.typed(asked.names.text)) or asked.question.text.strip('"')
    found = Conditions(asked.question.selection, topics=[text])
    if not text:
        return None
    named = [each for each in topics_of(asked.reader, text).entities if not each.general]
    return _listed(asked, found, named)


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = ()) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    ordered = asked.question.ordered(", the best match first" if found.topic else "")
    understood, text = f"{found}{asked.question.years}{ordered}", ""
    works, statements, total = _meeting(asked, found, asked.end)
    if not works and found.criteria and not found.topic:
        selection = found.selection.changed(first=asked.end)
        near = papers_near(asked.reader, found.criteria, selection)
        works, total = [each.paper for each in near.matches], near.total
        statements = [each for match in near.matches for each in match.statements]
        criteria = asked.reader.works([each.entity for each in found.criteria]).values()
        names = joined(quoted(each) for each in criteria)
        text = f"No {understood}. Papers that name {names}: {total:,}."
    answer = asked.listed(works, understood, total, text, named)
    return replace(answer, statements=tuple(statements))


def _meeting(
    asked: Asked, found: Conditions, first: int
) -> tuple[list[Work], list[Statement], int]:
    """Return the first papers that meet conditions, with statements by which they do, and how many
    there are: those on a topic in the order that is asked for, by default the best match first."""
    if not found.topic:
        matches = papers_where(asked.reader, found.criteria, found.selection.changed(first=first))
        stated = [each for match in matches.matches for each in match.statements]
        return [each.paper for each in matches.matches], stated, matches.total
    order = asked.question.selection.order
    chosen = filter_of(asked.reader, found.criteria, found.selection)
    wanted = 0 if order else _FEW
    ranked = topics_of(asked.reader, found.topic).papers(asked.reader, chosen, wanted)
    if asked.question.introductory:
        works = _to_read_first(asked, ranked)
        return works, [], len(works)
    if order:  # What is but distantly about it must not come first.
        ranked = [each for each in ranked if each.score >= NEAR_THE_BEST * ranked[0].score]
    papers = [*asked.reader.works([each.id for each in ranked]).values()]
    if order:
        dates = asked.reader.published([each.id for each in papers])
        if undated := [each for each in papers if each.id not in dates]:
            asked.names.remarks[f"Without a date, and last: {len(undated):,}."] = None
        dated = [(dates[each.id].sort_key, each) for each in papers if each.id in dates]
        dated.sort(key=itemgetter(0), reverse=order is PageOrder.NEWEST)
        papers = [*(each for _, each in dated), *undated]
    return papers, [], len(papers)


def _to_read_first(asked: Asked, found: Sequence[RankedPaper]) -> list[Work]:
    """Return papers with surveys, and those that introduce what most others build on, first."""
    reader, scores = asked.reader, {each.id: each.score for each in found}
    introduced = reader.entities_named(list(scores), [RelationType.INTRODUCES])
    derived = reader.most_derived(_MOST_DERIVED)

    def weight(work: Work) -> float:
        built = max((derived.get(each, 0) for each in introduced.get(work.id, ())), default=0)
        return scores[work.id] ** 2 * (2 + log1p(built) + bool(_SURVEY.search(work.name)))

    return sorted(reader.works(list(scores)).values(), key=weight, reverse=True)


def _built_upon(asked: Asked, noun: str) -> Answer:
    """Return the works that most others build on directly."""
    children = asked.reader.most_derived(_MOST_DERIVED)
    dates, years = asked.reader.published(list(children)), asked.question.selection.years
    works = [
        work
        for work in asked.reader.works(list(children)).values()
        if (isinstance(work, Entity) and work.kind in kinds_of(noun)) or not kinds_of(noun)
        if years.hold(dates[work.id].year if work.id in dates else None)
    ]
    answer = asked.listed(works, f"{noun} that most others build on directly{asked.question.years}")
    return replace(answer, notes={id_: f"{n:,} build on it" for id_, n in children.items()})


def entities(asked: Asked) -> Answer | None:
    """Entities of a kind: all, those that papers about a topic name, those that a work names."""
    match = _ENTITIES.match(asked.names.text)
    if not match or re.search(rf"(?i)\b(?:{nouns('paper')})\b", match["topic"]):
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    acts = begins_with_verb(rest)
    is_list = lead or (noun.casefold().endswith(("s", "ware", "corpora")) and not topic)
    if not is_list or not (acts or not rest or rest.split()[0].casefold() in STOP_WORDS):
        return None
    kind = next(each for each in _KINDS if re.fullmatch(f"(?i:{nouns(each)})", noun))
    above = None
    if kind == "hardware" and not re.fullmatch("(?i)hardware|devices?", noun):
        above = next(iter(asked.names.works(topic or noun)), None)
        topic = "" if above else topic
    if _COMPARED.search(rest) and kind not in ("hardware", "dataset") and not acts:
        kind = "baseline"
    about = content(f"{topic} {rest}")
    if not about:
        is_used = re.search(r"(?i)\b(?:use|used|most|popular|common\w*)\b", f"{lead} {rest}")
        return _all(asked, _relations(kind) if is_used else (), above, noun)
    works = asked.names.works(about) if re.fullmatch(NAME, about) else []
    if works and (answer := _of_work(asked, works[0], kind, above, noun)).works:
        return answer
    selection, topics = asked.question.selection, [f"{topic} {noun}"] if topic else []
    found = Conditions(selection, topics=[asked.names.typed(e) for e in (*topics, content(rest))])
    relations, said = _relations(kind), f"{noun} in papers about {found.topic}"
    if acts:
        found = conditions(asked.names, rest, selection)
        found.topics[:0] = map(asked.names.typed, topics)
        relations, said = (RelationType.INTRODUCES,), f"{noun} introduced by {found}"
    papers = [each.id for each in _meeting(asked, found, _MOST_READ)[0]]
    but = [each.id for each in works] + [each.entity for each in found.criteria]
    said += asked.question.years
    return _named(asked, papers, but, relations, above, kinds_of(noun), said)


def _all(
    asked: Asked, relations: tuple[RelationType, ...], above: Work | None, noun: str
) -> Answer:
    """Return all entities of a kind that papers name, those of most papers first."""
    if asked.question.introductory:
        return _built_upon(asked, noun)
    selection = asked.question.selection
    chosen = WorkFilter(
        kinds=kinds_of(noun),
        relations=relations,
        broader=above.id if above else None,
        year_from=selection.since,
        year_to=selection.until,
    )
    order = selection.order or PageOrder.PAPERS
    page = asked.reader.page(WorkType.ENTITY, chosen, order, first=asked.end)
    said = asked.question.ordered(", those of most papers first")
    answer = asked.listed(page.works, f"{noun}{asked.question.years}{said}", page.total)
    naming = asked.reader.papers_naming([each.id for each in answer.works])
    return replace(answer, notes={id_: quantity(len(own), "paper") for id_, own in naming.items()})


def _of_work(asked: Asked, work: Work, kind: str, above: Work | None, noun: str) -> Answer:
    """Return the entities that the papers of a work name; as alternatives, also what papers
    introduce that compare with it."""

    def naming(relation: RelationType) -> list[str]:
        return asked.reader.papers_naming([work.id], [relation])[work.id]

    papers = [work.id] if isinstance(work, Paper) else naming(RelationType.INTRODUCES)
    relations, kinds = _relations(kind), kinds_of(noun)
    if noun.casefold().startswith("alternative"):
        papers += naming(RelationType.COMPARES_WITH)
        relations = (*relations, RelationType.INTRODUCES)
        kinds = () if isinstance(work, Paper) else (work.kind,)
    said = f"{noun} of {quoted(work)}"
    return _named(asked, papers, [work.id], relations, above, kinds, said)


def _relations(kind: str) -> tuple[RelationType, ...]:
    if kind == "baseline":
        return (RelationType.COMPARES_WITH,)
    return ON_KIND.get(EntityKind(kind), ABOUT)


def _named(
    asked: Asked,
    papers: Sequence[str],
    but: Sequence[str],
    relations: tuple[RelationType, ...],
    above: Work | None,
    kinds: tuple[EntityKind, ...],
    understood: str,
) -> Answer:
    """Return the entities to which papers (ids) have relations, those of most papers first, but for
    those (ids) that were asked about."""
    if not papers:
        return asked.listed((), understood)
    selection = Selection(
        relations=relations,
        kinds=kinds,
        broader=above.id if above else None,
        general=False if kinds == (EntityKind.MODEL,) else None,  # "model" is no model
        since=asked.question.selection.since,
        until=asked.question.selection.until,
        first=MOST_RESULTS,
    )
    criteria = [Criterion(papers[0], others=tuple(papers[1:]))]
    found = entities_where(asked.reader, criteria, selection).matches
    if not found and selection.general is False:
        found = entities_where(asked.reader, criteria, selection.changed(general=None)).matches
    if above and not found:
        asked.names.remarks[f"None is known to be a {above.name}: these are the others."] = None
        return _named(asked, papers, but, relations, None, kinds, understood)
    found = tuple(each for each in found if each.entity.id not in but)
    answer = asked.listed([each.entity for each in found], understood)
    shown = found[asked.skipped : asked.end]
    named = {e.entity.id: len({each.subject for each in e.statements}) for e in shown}
    return replace(
        answer,
        statements=tuple(each for match in shown for each in match.statements),
        notes={id_: quantity(number, "paper") for id_, number in named.items()},
    )
