"""Questions for lists: papers that meet conditions, entities that papers name, and the search."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log1p
from operator import itemgetter

from stemma.graph import Work, WorkFilter, WorkType
from stemma.graph.criteria import (
    Criterion,
    entities_where,
    filter_of,
    narrower_entities,
    papers_near,
    papers_where,
)
from stemma.graph.filters import EVERYTHING
from stemma.graph.matching import RankedPaper
from stemma.graph.selection import PageOrder, Selection
from stemma.schema import EntityKind, Paper, RelationType
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, Asked
from stemma.server.asking.conditions import ABOUT, ON_KIND, Conditions, conditions
from stemma.server.asking.naming import joined, quoted
from stemma.server.asking.question import STRUCTURE_WORDS, VERBS, kinds_of, nouns
from stemma.server.asking.search import NEAR_THE_BEST, Search, content, topics_of

_LEAD = r"(?:(?:which|what|all|the|any|some|is|are|was|were|how many|number of|in|of|other)\s)*"
_PAPERS = re.compile(
    rf"(?i)^{_LEAD}(?P<topic>(?:\S+ ){{0,4}}?)(?:{nouns('paper')})(?P<rest>(?: .*)?)$"
)
_WHO = re.compile(r"(?i)^(?:who|what|which|anyone|anything|everything)(?: else)? (?P<rest>.*)$")
_BE = re.compile(r"(?i)^(?:(?:is|are|was|were|came|published|there|here|exist|known) ?)+$")
_KINDS = ("hardware", "framework", "technique", "model", "dataset", "baseline")
_ENTITIES = re.compile(
    r"(?i)^(?P<lead>(?:(?:which|what|all|the|how many|are|top|most|commonly|widely|often|popular|"
    r"used|common|different|important)\s)*)(?P<topic>(?:\S+ ){0,4}?)"
    rf"(?P<noun>{nouns(*_KINDS)})(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")
MOST_DERIVED = 1000
_FEW, _WANTED = 5, 20
"""Papers that are listed, and that are asked what they name, even if they match less well."""
_BASELINES = re.compile(r"(?i)\b(?:compar\w*|against|outperform\w*)\b")


def papers(asked: Asked, text: str) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        rest = f"{match['rest']} in {match['topic']}".strip() if match["topic"] else match["rest"]
    elif (match := _WHO.match(text)) and _begins_with_verb(match["rest"]):
        rest = match["rest"]
    elif _begins_with_verb(text):
        rest = text
    else:
        return None
    rest = _BE.sub("", rest.strip())
    found = conditions(asked.names, rest, asked.question.selection)
    if found.unknown and (found.criteria or found.topic):
        asked.names.remarks[found.unknown] = None
    elif found.unknown:
        said = f"papers {rest}{asked.question.years}"
        return Answer(found.unknown, said, final="known to be cit" not in found.unknown)
    if found.topic:
        found.topic = [content(" ".join(found.topic))]
        chosen = filter_of(asked.reader, found.criteria, found.selection)
        works = _ranked(asked, topics_of(asked.names, found.topic[0]), chosen)
        best = asked.question.ordered(", the best match first")
        return asked.listed(works, f"{found}{asked.question.years}{best}")
    return _stated(asked, found)


def _begins_with_verb(text: str) -> bool:
    return any(pattern.match(f"{text} ") for name, pattern in VERBS if name != "about")


def _stated(asked: Asked, found: Conditions) -> Answer:
    """Return the papers that state what is asked for, or else those that name all of it."""
    selection = found.selection.changed(first=asked.end)
    matches = papers_where(asked.reader, found.criteria, selection)
    understood, text = f"{found}{asked.question.years}{asked.question.ordered()}", ""
    kept = [each for each in found.criteria if not each.excluded]
    if selection.years or len(kept) < len(found.criteria):
        plain = selection.changed(since=None, until=None, first=0)
        every = papers_where(asked.reader, kept, plain).total
        asked.leave_out(every, matches.total, len(kept) < len(found.criteria))
    if not matches.total and found.criteria:
        matches = papers_near(asked.reader, found.criteria, selection)
        works = asked.reader.works([each.entity for each in found.criteria]).values()
        names = joined(quoted(each) for each in works)
        text = f"No {understood}. Papers that name {names}: {matches.total:,}."
    answer = asked.listed([each.paper for each in matches.matches], understood, matches.total, text)
    shown = matches.matches[asked.skipped :]
    return replace(answer, statements=tuple(s for each in shown for s in each.statements))


def _ranked(asked: Asked, topics: Search, chosen: WorkFilter) -> Sequence[Work]:
    """Return the papers on topics in the order that is asked for, by default the best first."""
    order = asked.question.selection.order
    found = topics.papers(asked.reader, chosen, 0 if order else _FEW)
    if asked.question.introductory:
        return _to_read_first(asked, found)
    if order:  # What is but distantly about it must not come first.
        found = [each for each in found if each.score >= NEAR_THE_BEST * found[0].score]
    works = asked.reader.works([each.id for each in found]).values()
    papers = [each for each in works if isinstance(each, Paper)]
    if not order:
        return papers
    if undated := [each for each in papers if not each.published]:
        asked.names.remarks[f"Without a date, and last: {len(undated):,}."] = None
    dated = [(each.published.sort_key, each) for each in papers if each.published]
    dated.sort(key=itemgetter(0), reverse=order is PageOrder.NEWEST)
    return [*(each for _, each in dated), *undated]


def _to_read_first(asked: Asked, found: Sequence[RankedPaper]) -> list[Work]:
    """Return papers with surveys, and those that introduce what most others build on, first."""
    reader, scores = asked.reader, {each.id: each.score for each in found}
    introduced = reader.entities_named(list(scores), [RelationType.INTRODUCES])
    derived = reader.most_derived(MOST_DERIVED)

    def weight(work: Work) -> float:
        built = max((derived.get(each, 0) for each in introduced.get(work.id, ())), default=0)
        return scores[work.id] ** 2 * (2 + log1p(built) + bool(_SURVEY.search(work.name)))

    return sorted(reader.works(list(scores)).values(), key=weight, reverse=True)


def entities(asked: Asked, text: str) -> Answer | None:
    """Entities of a kind: all, those that papers about a topic name, those that a work names."""
    if not (match := _ENTITIES.match(text)):
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    acts = any(pattern.match(f"{rest} ") for _, pattern in VERBS)
    words = rest.split()
    is_dataset = re.fullmatch(f"(?i:{nouns('dataset')})", noun) and not rest
    is_list = lead or (re.search("(?i)s$|ware$|corpora$", noun) and (not topic or is_dataset))
    if not is_list or (words and words[0].casefold() not in STRUCTURE_WORDS and not acts):
        return None
    kind = next(each for each in _KINDS if re.fullmatch(f"(?i:{nouns(each)})", noun))
    if acts and (found := _introduced(asked, rest, noun)):
        return found
    above = None
    if kind == "hardware" and not re.fullmatch("(?i)hardware|devices?", noun):
        above = asked.names.work(f"{topic} {noun}") if topic else None
        topic = "" if above else topic
        above = above or asked.names.work(noun)
    while words and words[0].casefold() in STRUCTURE_WORDS:
        del words[0]
    while words and words[-1].casefold() in STRUCTURE_WORDS:
        del words[-1]
    if _BASELINES.search(rest) and kind not in ("hardware", "dataset"):
        kind = "baseline"
    if about := " ".join((topic, *words)).strip():
        return _of_topic(asked, about, kind, above, noun)
    is_used = re.search(r"(?i)\b(?:use|used|most|popular|common\w*)\b", f"{lead} {rest}")
    return _all(asked, _relations(kind) if is_used else (), above, noun)


def alternatives(asked: Asked, given: Mapping[str, str]) -> Answer:
    """Return what is compared with a work, or named in papers about it."""
    return _of_topic(asked, given["x"], "baseline", None, "alternatives")


def narrower(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """Return the kinds of a work."""
    if not (work := asked.work(given)):
        return None
    ids = sorted(narrower_entities(asked.reader, work.id))
    return asked.listed(list(asked.reader.works(ids).values()), f"kinds of {quoted(work)}")


def _all(
    asked: Asked, relations: tuple[RelationType, ...], above: Work | None, noun: str
) -> Answer:
    """Return all entities of a kind that papers name, those of most papers first."""
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


def _introduced(asked: Asked, rest: str, noun: str) -> Answer | None:
    """Return the entities that papers introduce which meet conditions: "run on H100"."""
    found = conditions(asked.names, rest, asked.question.selection, split=True)
    if not found.criteria:
        return None
    said = f"{noun} introduced by {found}{asked.question.years}"
    relations, kinds = (RelationType.INTRODUCES,), kinds_of(noun)
    if found.topic:
        chosen = filter_of(asked.reader, found.criteria, found.selection)
        ranked = topics_of(asked.names, " ".join(found.topic)).papers(asked.reader, chosen)
        these = _these([each.id for each in ranked], None)
        if (answer := _named(asked, these, relations, kinds, None, said)).works:
            return answer
        asked.names.remarks[f"None is known to be about {' '.join(found.topic)}."] = None
        found.topic.clear()
        said = f"{noun} introduced by {found}{asked.question.years}"
    answer = _named(asked, found.criteria, relations, kinds, None, said)
    return answer if answer.works else _stated(asked, found)


def _of_topic(asked: Asked, about: str, kind: str, above: Work | None, noun: str) -> Answer:
    """Return the entities that the papers of a work, or else those about a topic, name."""
    reader, selection = asked.reader, asked.question.selection
    kinds = kinds_of(noun)
    if work := asked.work({"x": about}):
        own = reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id]
        own = [work.id] if isinstance(work, Paper) else own
        said = f"{noun} of {quoted(work)}"
        answer = _named(asked, _these(own, work), _relations(kind), kinds, above, said)
        if answer.works:
            return answer
    chosen = WorkFilter(year_from=selection.since, year_to=selection.until)
    found = [each.id for each in topics_of(asked.names, about).papers(reader, chosen, _WANTED)]
    said = f"{noun} in the {len(found)} papers about {about}{asked.question.years}"
    return _named(asked, _these(found, work), _relations(kind), kinds, above, said)


def _these(papers: Sequence[str], but: Work | None) -> list[Criterion]:
    """Return the criteria that these papers (ids) meet; what they are about is not asked for."""
    others = (*papers[1:], *([but.id] if but else ()))
    return [Criterion(papers[0], others=others)] if papers else []


def _relations(kind: str) -> tuple[RelationType, ...]:
    if kind == "baseline":
        return (RelationType.COMPARES_WITH,)
    return ON_KIND.get(EntityKind(kind), ABOUT)


def _named(
    asked: Asked,
    criteria: Sequence[Criterion],
    relations: tuple[RelationType, ...],
    kinds: tuple[EntityKind, ...],
    above: Work | None,
    understood: str,
) -> Answer:
    """Return the entities to which papers that meet criteria have relations, most papers first."""
    if not criteria:
        return asked.listed((), understood)
    selection = Selection(
        relations=relations,
        kinds=kinds,
        broader=above.id if above else None,
        general=False if kinds == (EntityKind.MODEL,) else None,  # "model" is no model
        since=asked.question.selection.since,
        until=asked.question.selection.until,
        first=asked.end,
    )
    found = entities_where(asked.reader, criteria, selection)
    if not found.total and selection.general is False:
        found = entities_where(asked.reader, criteria, selection.changed(general=None))
    if above and not found.total:
        asked.names.remarks[f"None is known to be a {above.name}: these are the others."] = None
        return _named(asked, criteria, relations, kinds, None, understood)
    answer = asked.listed([each.entity for each in found.matches], understood, found.total)
    shown = found.matches[asked.skipped :]
    papers = {e.entity.id: len({each.subject for each in e.statements}) for e in shown}
    return replace(
        answer,
        statements=tuple(each for match in shown for each in match.statements),
        notes={id_: quantity(number, "paper") for id_, number in papers.items()},
    )


def search(asked: Asked, text: str, before: str = "") -> Answer:
    """Return what matches a question best: the entities that it names, then papers."""
    selection = asked.question.selection
    chosen = WorkFilter(year_from=selection.since, year_to=selection.until)
    topics, years = topics_of(asked.names, text), asked.question.years
    found = _ranked(asked, topics, chosen)
    if not found and years:
        before, years = f"No paper{years} is known to match; these are of all years.", ""
        found = _ranked(asked, topics, EVERYTHING)
        asked.names.remarks.clear()  # Nothing is left out by the years any more.
    named = [each for each in topics.entities if not each.general]
    best = asked.question.ordered(", the best match first")
    understood = f"papers about {content(text)}{years}{best}"
    said = f"{before} {understood[:1].upper()}{understood[1:]}: {len(found):,}.".strip()
    return asked.listed([*named, *found], understood, text=said)
