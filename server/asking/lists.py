"""Answers that are lists: papers, entities and people that meet the conditions of a question."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from stemma.graph import Criterion, Selection, Work, WorkType
from stemma.graph.lineage import traverse
from stemma.graph.searching import EntityMatch, entities_where, papers_filter, passes
from stemma.graph.selection import DEEPEST_LINEAGE, MOST_RESULTS, PageOrder
from stemma.schema import LINEAGE_RELATIONS, Entity, EntityKind, RelationType
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, content_words, joint, sentence_of
from stemma.server.asking.asked import Asked, is_general, joined, names_in
from stemma.server.asking.conditions import Conditions, conditions, excluding
from stemma.server.asking.kind import Kind
from stemma.server.asking.parser import STATED
from stemma.server.asking.question import VERBS
from stemma.server.asking.ranking import FEW, FIRST, by_date, meeting

_MOST_AUTHORS, _MOST_DERIVED = 8, 1000
OF_KIND: Mapping[tuple[EntityKind, ...], tuple[str, ...]] = {
    (EntityKind.HARDWARE,): ("RUNS_ON", "USES"),
    (EntityKind.DATASET,): ("EVALUATED_ON", "USES", "INTRODUCES"),
}
"""The relations of papers to what they use of a kind, whatever the verb."""
_YEARLY = re.compile(r"(?i)\b(?:per|by|each|every) year\b")
_NEW = re.compile(r"(?i)\b(?:introduc|propos|present|invent|releas|publish|new\b|came out)")
_COMPARED = re.compile(r"(?i)\b(?:compare|comparing|baseline)")
_MAIN = RelationType.INTRODUCES, RelationType.EVALUATED_ON
_INTRODUCED, _UNSAID, _FAR, _WANTED, _ELSEWHERE = 5, 0.1, 5, 20, 2
"""How much more a paper is about what it introduces, or evaluates on; what a sentence counts that
says nothing of the topic, to which 1 is added if it says all; the place at which a paper is half as
much about the topic as the first; how many are asked what they name, even if they match less well;
and what is added to all papers that name something, of which it counts how many are on the topic.
"""


def papers(asked: Asked, kind: str = "") -> Answer | None:
    """Papers that meet the conditions of a question; of things of a kind, also those that say it in
    these words."""
    found = conditions(asked)
    found.topic = f"{kind} {found.topic}".strip()
    asks = asked.question
    is_all = asks.introductory or asks.years or asks.selection.order or "count" in asks.parsed.forms
    if not (found.topic or found.phrases):
        return _listed(asked, found) if is_all else None
    if found.topic and not found.phrases:
        return search(asked, found.topic)
    # A technique that papers use is not always stated; what they run on or who wrote them is.
    is_sure = {span.role for span in asked.spans(*STATED)} != {"uses"}
    answer = _listed(asked, found, few=FEW if is_sure else 0)
    is_near = not asked.is_part
    if not found.topic or (is_near and answer.total >= (FEW if is_sure else FIRST)):
        return answer
    # Of what hardly a paper meets, what is a condition may be said in other words, or the topic.
    words = asked.spans("topic", *STATED) if asked.topic and asked.spans(*STATED) else ()
    other = search(asked, asked.phrase(words))
    if not (other and other.total):
        other = _listed(asked, replace(found, topic=""))
    elif not (is_near or asked.is_part):
        return other
    whole = joint((answer, other) if is_near else (other, answer))
    return replace(whole, text=f"{answer.text} {other.text}")


def descending(asked: Asked, work: Work, form: str, topic: str) -> Answer:
    """Papers that build or improve on a work (or on what does, where improvements are not asked
    for), are about a topic and meet the conditions of a question."""
    found = conditions(asked)
    found.topic = f"{topic} {found.topic}".strip() or " ".join(asked.others)
    found.add(asked.reader, work, "improves_on" if form == "improvements" else "builds_on")
    if form != "improvements":
        selection = Selection(max_depth=DEEPEST_LINEAGE, include_general=False)
        family = (
            *found.criteria.pop().entities,
            *traverse(asked.reader, work.id, selection).depths,
        )
        found.criteria.append(Criterion(family, (*LINEAGE_RELATIONS, RelationType.INTRODUCES)))
        found.criteria.append(Criterion((work.id,), (RelationType.INTRODUCES,), excluded=True))
    answer = _listed(asked, found)
    near = f"Nearest to {found.topic}, of what builds on it: {answer.total:,}."
    return replace(answer, text=near) if asked.is_part and found.topic else answer


def search(asked: Asked, text: str) -> Answer | None:
    """Return what matches a text best: the entities that it names, then papers."""
    if not text.strip():
        return None
    found = excluding(asked, Conditions(asked.question.selection, text, asked.others))
    names = [mention.work for mention in names_in(asked.reader, text, sure=True)]
    entities = {e.id: e for e in names if isinstance(e, Entity) and not e.general}
    return _listed(asked, found, [*entities.values()])


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = (), few: int = FEW) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    best = ", the best match first" if found.topic else ""
    ordered = asked.question.ordered(best)
    works, statements, total = meeting(asked, replace(found, question=asked.whole), few)
    named = named if works or not asked.question.years else ()
    is_part = asked.is_part and found.topic and works
    others = f", of those that {joined(found.phrases)}" if found.phrases else ""
    topic = "this" if found.topic == asked.question.text else found.topic
    part = f"Perhaps no paper here is about {topic}{others}; nearest: {total}."
    text = part if is_part else ""
    if _YEARLY.search(asked.question.text):
        dates = asked.reader.published([work.id for work in works]).values()
        chosen = papers_filter(asked.reader, found.selection, found.criteria)
        years = Counter(date.year for date in dates) if found.topic else None
        by_year = years or asked.reader.papers_by_year(chosen)
        dated = {str(year): number for year, number in by_year.items() if year}
        said = ", ".join(f"{year}: {dated[year]:,}" for year in sorted(dated))
        asked.remark(f"Of {said}; without a year: {total - sum(dated.values()):,}.")
    understood = f"{found}{asked.unless}{asked.question.years}{ordered}"
    cited = [work.id for work in works] if asked.question.introductory == "cited" else []
    citing = asked.reader.cited_by(cited)
    notes = {id_: f"cited by {quantity(len(own), 'paper')}" for id_, own in citing.items()}
    if cited and not any(citing.values()):
        asked.remark("None of them is cited here.")
        if not (found.topic or found.phrases) and (built := most_built_upon(asked, Kind())):
            return built
        understood, notes = f"{found}{asked.unless}{asked.question.years}{best}", {}
    return asked.listed(works, understood, total, text, named, statements, notes=notes)


def people(asked: Asked) -> Answer | None:
    """The papers that meet the conditions of a question with their authors, those of most papers
    first."""
    found = conditions(asked)
    papers, _, total = meeting(asked, found)
    by_paper = asked.reader.authors([paper.id for paper in papers])
    count = Counter(person for ids in by_paper.values() for person in {*ids})
    most = sorted(count, key=lambda each: (-count[each], each))[:_MOST_AUTHORS]
    named = [f"{person.name} ({count[id_]})" for id_, person in asked.reader.people(most).items()]
    if not named and asked.question.parsed.forms[0] != "people":
        return None
    understood = f"authors of {found}{asked.question.years}"
    text = f"A{understood[1:]}: {', '.join(named) or 'not known here'}."
    # Papers whose authors are known are what is asked for.
    works = sorted(papers, key=lambda each: not by_paper.get(each.id))
    return asked.listed(works, understood, total, text)


def entities(asked: Asked, kind: Kind) -> Answer | None:
    """Entities of a kind or class: all, or those that papers on a topic or of some conditions
    name; of several that the question names, these: "which GPU, A100 or H100"."""
    choices = {e.id: e for e in asked.named if e.id in kind.members}
    found = conditions(asked)
    if len(choices) > 1 and not asked.excluded:
        kind = replace(kind, members=choices)
        found.criteria = [e for e in found.criteria if choices.keys().isdisjoint(e.entities)]
        meant = ((text, asked.work(span.text)) for span, text in asked.topics.items())
        found.topic = " ".join(text for text, work in meant if not work or work.id not in choices)
    members, kinds = kind.members, kind.kinds
    uses, is_new = "most" in asked.question.parsed.forms, _NEW.search(asked.question.text)
    # Systems since 2024 are new ones; of hardware and data it is asked who used them.
    introduced = is_new or (asked.question.years and not uses and kinds not in OF_KIND)
    topic = " ".join(filter(None, (found.topic, kind.topic)))
    is_open = all(criterion.excluded for criterion in found.criteria)
    if is_open and not (topic or found.selection.authors):
        return _all(asked, kind, uses and not introduced) if kind.noun else None
    chosen = chosen_of(asked, () if members else kinds, bool(introduced))
    if found.criteria and not found.topic:
        # Of the kind of what they compare with, where none is asked for.
        said = f"{kind.noun} {'in' if members else 'introduced by'} {found}"
        chosen = chosen if members else chosen.changed(relations=(RelationType.INTRODUCES,))
    else:
        # Of papers that use such things at all.
        those = found.selection.changed(relations=chosen.relations[: kinds in OF_KIND])
        found = replace(found, selection=those, topic=topic)
        said = f"{kind.noun} {'introduced ' if introduced else ''}in {found}"
    if members:
        found.criteria.append(Criterion(tuple(members)))
    by_count = bool(members or kinds == (EntityKind.HARDWARE,) or uses)
    return matched(asked, named_in(asked, found, chosen, by_count, members), said)


def chosen_of(asked: Asked, kinds: tuple[EntityKind, ...], introduced: bool = False) -> Selection:
    """Return a selection of entities by what papers state of them."""
    relations = _compared(asked) or OF_KIND.get(kinds, VERBS["about"][1])
    return asked.question.selection.changed(
        kinds=kinds,
        relations=tuple(map(RelationType, ("INTRODUCES",) if introduced else relations)),
        # "Model" is no model.
        general=False if kinds == (EntityKind.MODEL,) else None,
        order=None,
    )


def _compared(asked: Asked) -> tuple[RelationType, ...]:
    return (RelationType.COMPARES_WITH,) if _COMPARED.search(asked.question.text) else ()


def named_in(
    asked: Asked,
    found: Conditions,
    chosen: Selection,
    by_count: bool = False,
    members: Mapping[str, Work] | None = None,
) -> list[EntityMatch]:
    """Return the entities that papers name, of the `members` of a class if there is one, those
    first that most do, or that they say most about on the topic: the best papers come first."""
    reader, words = asked.reader, content_words(found.topic)
    papers, _, _ = meeting(asked, found, _WANTED)
    weights = {each.id: 1 / (_FAR + place) for place, each in enumerate(papers)}

    def weight(match: EntityMatch) -> tuple[bool, int, float]:
        by_paper = {
            statement.subject: (_INTRODUCED if statement.relation in _MAIN else 1)
            * (_UNSAID + len(words & content_words(sentence_of(statement))) / max(len(words), 1))
            * weights[statement.subject]
            for statement in match.statements[::-1]
        }
        share = len(by_paper) / (len(naming[match.entity.id]) + _ELSEWHERE) if words else 1
        # "KV cache" and "GPU" are seldom what is asked for.
        is_own = not match.entity.general
        return is_own, by_count * len(by_paper), sum(by_paper.values()) * share

    selection, those = chosen.changed(first=MOST_RESULTS), [Criterion(tuple(weights))]
    named = entities_where(reader, those, selection).items if papers else ()
    kept = [each for each in named if not members or each.entity.id in members]
    naming = reader.papers_naming([each.entity.id for each in kept])
    topic = [mention.work for mention in names_in(reader, found.topic)]
    others = [each for each in kept if members or each.entity not in topic]
    return sorted(others or kept, key=weight, reverse=True)


def matched(
    asked: Asked, matches: Sequence[EntityMatch], said: str, named: Sequence[Work] = ()
) -> Answer:
    """Return the answer with entities that papers name, each with the number of these, after the
    works that the question `named`."""
    numbers = {e.entity.id: len({statement.subject for statement in e.statements}) for e in matches}
    return asked.listed(
        in_order(asked, [match.entity for match in matches]),
        f"{said}{asked.question.years}{asked.question.ordered()}{asked.exception}",
        named=named,
        statements=[statement for match in matches[: asked.end] for statement in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in numbers.items()},
    )


def in_order(asked: Asked, works: Iterable[Work], order: PageOrder | None = None) -> list[Work]:
    """Return works in an order, by default that which is asked for; if none is, as they are."""
    by_id, order = {work.id: work for work in works}, order or asked.question.selection.order
    ids = by_date(by_id, asked.reader.published(by_id), order) if order else by_id
    return [by_id[each] for each in ids]


def most_built_upon(asked: Asked, kind: Kind) -> Answer | None:
    """The works that most others build on, of a kind or class, of papers on a topic if there is
    one."""
    children = asked.reader.most_derived(_MOST_DERIVED)
    works = [*asked.reader.works(children).values()]
    topic = " ".join(filter(None, (kind.topic, asked.topic)))
    if topic:
        about = Conditions(asked.question.selection, topic)
        ids = {e.entity.id for e in named_in(asked, about, chosen_of(asked, kind.kinds))}
        ids.update(paper.id for paper in meeting(asked, about, _WANTED)[0])
        works = [work for work in works if work.id in ids]
    works = [work for work in works if not kind.members or work.id in kind.members]
    chosen = asked.question.selection.changed(kinds=() if kind.members else kind.kinds)
    dates = asked.reader.published([work.id for work in works])
    works = [work for work in works if not chosen.kinds or passes(work, chosen)]
    works = [each for each in in_order(asked, works) if chosen.is_of_years(dates.get(each.id))]
    notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
    about_topic = f" in papers about {topic}" if topic else ""
    said = f"{kind.noun or 'papers and entities'}{about_topic} that most others build on directly"
    return asked.listed(works, f"{said}{asked.question.years}{asked.exception}", notes=notes)


def _all(asked: Asked, kind: Kind, by_use: bool = False) -> Answer:
    """Return all entities of a kind or class, those of most papers first (if `by_use`, of the years
    that are asked for)."""
    reader, question, members, total = asked.reader, asked.question, kind.members, None
    compared = _compared(asked)
    chosen = chosen_of(asked, () if members else kind.kinds).changed(relations=())
    if question.years and by_use:
        matches = entities_where(reader, (), chosen.changed(first=MOST_RESULTS)).items
        matches = tuple(e for e in matches if not members or e.entity.id in members)
        return matched(asked, matches, f"{kind.noun} in papers")
    works = [*members.values()]
    if not works:
        order = question.selection.order or PageOrder.PAPERS
        these = Selection(**chosen.given(("kinds", "since", "until")))
        these = these.changed(relations=compared, general=False if compared else None)
        page = reader.page(WorkType.ENTITY, these.changed(order=order, first=asked.first))
        works, total = [*page.items], page.total
    naming = reader.papers_naming([work.id for work in works], compared)
    if compared or members:  # "GPU" is seldom what is asked for.
        works.sort(key=lambda each: (is_general(each), -len(naming[each.id])))
    notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
    if total is None:
        dates = reader.published([work.id for work in works])
        works = [e for e in in_order(asked, works) if chosen.is_of_years(dates.get(e.id))]
    ordered = question.ordered(", those of most papers first")
    understood = f"{kind.noun}{question.years}{ordered}{asked.exception}"
    return asked.listed(works, understood, total, notes=notes)
