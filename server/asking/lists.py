"""Questions for lists: of papers, of their authors, and of entities that they name; the search."""

import re
from collections import Counter
from collections.abc import Sequence

from stemma.graph import Work, WorkFilter, WorkType
from stemma.graph.criteria import Criterion, entities_where, filter_of, papers_where
from stemma.graph.selection import MOST_RESULTS, PageOrder, Selection
from stemma.schema import Entity, EntityKind, Paper, RelationType, Statement
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, Asked
from stemma.server.asking.naming import NAME, joined, quoted
from stemma.server.asking.papers import (
    Conditions,
    begins_with_verb,
    conditions,
    content,
    papers_about,
    to_read_first,
    topics_of,
)
from stemma.server.asking.question import STOP_WORDS, VERBS, kinds_of, nouns

_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|all|the|any|some|is|are|was|were|how many|number of|in|of|"
    r"other|top|most|commonly|widely|often|popular|used|common|different|authors)\s)*)"
    r"(?P<topic>(?:\S+ ){0,4}?)"
)
_PAPERS = re.compile(rf"(?i)^{_LEAD}(?:{nouns('paper')})(?P<rest>(?: .*)?)$")
_WHO = re.compile(
    r"(?i)^(?:(?:who|what|which|anyone|anything|everything)(?: else)? )?(?P<rest>.*)$"
)
_BE = re.compile(r"(?i)^(?:(?:is|are|was|were|came|published|there|here|exist|known) ?)+$")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>kinds|types|sorts|{nouns(*EntityKind, 'baseline')})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_COMPARED = re.compile(r"(?i)\b(?:compar\w*|against|outperform\w*)\b")
_ABOUT = tuple(map(RelationType, VERBS["about"][1]))
_OF_KIND = {
    (EntityKind.HARDWARE,): (RelationType.RUNS_ON, RelationType.USES),
    (EntityKind.DATASET,): (RelationType.EVALUATED_ON, RelationType.USES),
    (): (RelationType.COMPARES_WITH,),
}
"""The relations of papers to what they use of a kind, whatever the verb; and to baselines."""
_MOST_DERIVED = 1000
_MOST_AUTHORS, _NAMED = 8, 3
_MOST_READ = 500
"""Papers that are asked what they name, or who their authors are."""


def papers(asked: Asked) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    text = asked.names.text
    if asked.question.introductory and not content(text):
        return _all(asked, asked.question.selection, "papers and entities")
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        rest = f"{match['rest']} in {match['topic']}".strip() if match["topic"] else match["rest"]
    elif (match := _WHO.match(text)) and begins_with_verb(match["rest"]):
        rest = match["rest"]
    else:
        return None
    rest = _BE.sub("", rest.strip())
    found = conditions(asked.names, rest, asked.question.selection)
    if text.startswith("authors "):
        return _authors(asked, found)
    return _listed(asked, found)


def search(asked: Asked) -> Answer | None:
    """Return what matches a question best: the entities that it names, then papers."""
    text = asked.names.typed(asked.names.text)
    if not (found := Conditions(asked.question.selection, topics=[text])).topic:
        return None
    _, entities = topics_of(asked.reader, text)
    return _listed(asked, found, [each for each in entities if not each.general])


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = ()) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    ordered = asked.question.ordered(", the best match first" if found.topic else "")
    works, statements, total = _meeting(asked, found, asked.end)
    understood = f"{found}{asked.question.years}{ordered}"
    return asked.listed(works, understood, total, named=named, statements=statements)


def _authors(asked: Asked, found: Conditions) -> Answer:
    """Return the papers that meet conditions with their authors, those of most papers first."""
    papers, _, total = _meeting(asked, found, _MOST_READ)
    by_paper = asked.reader.authors([each.id for each in papers])
    count = Counter(person for ids in by_paper.values() for person in dict.fromkeys(ids))
    most = sorted(count, key=lambda each: (-count[each], each))[:_MOST_AUTHORS]
    named = [f"{each.name} ({count[id_]})" for id_, each in asked.reader.people(most).items()]
    understood = f"authors of {found}{asked.question.years}"
    text = f"A{understood[1:]}: {', '.join(named) or 'not known here'}."
    # Papers whose authors are known are what is asked for.
    works = sorted(papers, key=lambda each: not by_paper.get(each.id))
    shown = {e.id: e.authors[:_NAMED] for e in works if isinstance(e, Paper)}
    notes = {id_: joined(each.name for each in authors) for id_, authors in shown.items()}
    return asked.listed(works, understood, total, text, notes=notes)


def _meeting(
    asked: Asked, found: Conditions, first: int
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return the first papers that meet conditions, with statements by which they do, and how many
    there are: those on a topic in the order that is asked for, by default the best match first."""
    reader, order, years = asked.reader, asked.question.selection.order, found.selection.years
    if not found.topic:
        matches = papers_where(reader, found.criteria, found.selection.changed(first=first))
        stated = [each for match in matches.matches for each in match.statements]
        return [each.paper for each in matches.matches], stated, matches.total
    # Papers of other years count for what a good match is; of an order, a bad one is not the first.
    of_all_years = found.selection.changed(since=None, until=None)
    chosen = filter_of(reader, found.criteria, of_all_years)
    ranked = papers_about(reader, found.topic, chosen, *([0] if order else []))
    dates = reader.published([each.id for each in ranked])
    ranked = [e for e in ranked if years.hold(dates[e.id].year if e.id in dates else None)]
    ids = [each.id for each in ranked]
    if asked.question.introductory:
        ids = to_read_first(reader, ranked)
    elif order:
        if undated := [each for each in ids if each not in dates]:
            asked.names.remarks[f"Without a date, and last: {len(undated):,}."] = None
        dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
        ids = [id_ for _, id_ in dated[:: -1 if order is PageOrder.NEWEST else 1]] + undated
    return list(reader.works(ids).values()), [], len(ids)


def entities(asked: Asked) -> Answer | None:
    """Entities of a kind: all, those that papers about a topic name, those that a work names."""
    match = _ENTITIES.match(asked.names.text)
    if not match or re.search(rf"(?i)\b(?:{nouns('paper')})\b", match["topic"]):
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    acts, kinds, typed = begins_with_verb(rest), kinds_of(noun), asked.names.typed
    is_list = lead or (noun.casefold().endswith(("s", "ware", "corpora")) and not topic)
    if not is_list or not (acts or not rest or rest.split()[0].casefold() in STOP_WORDS):
        return None
    relations, above = _OF_KIND.get(kinds, _ABOUT), None
    if kinds == (EntityKind.HARDWARE,) and not re.match("(?i)hardware|device", noun):
        above = next(iter(asked.names.works(topic or noun)), None)
        topic = "" if above else topic
    elif relations == _ABOUT and _COMPARED.search(rest) and not acts:
        relations = _OF_KIND[()]
    chosen = asked.question.selection.changed(
        kinds=kinds,
        relations=relations,
        broader=above.id if above else None,
        general=False if kinds == (EntityKind.MODEL,) else None,  # "model" is no model
        order=None,
    )
    about = content(f"{topic} {rest}")
    if not about:
        return _all(asked, chosen, noun)
    found = Conditions(asked.question.selection)
    works = asked.names.works(about) if re.fullmatch(NAME, about) and not acts else []
    if works and re.match("(?i)kinds|types|sorts", noun):
        return _all(asked, chosen.changed(broader=works[0].id), f"{noun} of {quoted(works[0])}")
    papers = [each.id for each in works if isinstance(each, Paper)]
    if works and not papers:
        introducing = asked.reader.papers_naming([works[0].id], [RelationType.INTRODUCES])
        papers = introducing[works[0].id]
    if papers:
        said = f"{noun} of {quoted(works[0])}"
    else:
        if acts:
            found = conditions(asked.names, rest, found.selection)
            # Of the kind of what they compare with, where none is asked for.
            other = [] if kinds else asked.names.works(rest)
            kinds = kinds or tuple(e.kind for e in other if isinstance(e, Entity))
            chosen = chosen.changed(relations=(RelationType.INTRODUCES,), kinds=kinds)
        else:
            found.topics.append(typed(content(rest)))
        found.topics[:0] = [typed(f"{topic} {noun}")] if topic else []
        said = f"{noun} {'introduced by' if acts else 'in'} {found}"
        papers = [each.id for each in _meeting(asked, found, _MOST_READ)[0]]
    criteria = [Criterion(papers[0], others=tuple(papers[1:]))] if papers else []
    of_papers = entities_where(asked.reader, criteria, chosen.changed(first=MOST_RESULTS))
    but = {each.id for each in works} | {each.entity for each in found.criteria}
    matches = [each for each in of_papers.matches if papers and each.entity.id not in but]
    named = {e.entity.id: len({each.subject for each in e.statements}) for e in matches}
    return asked.listed(
        [each.entity for each in matches],
        f"{said}{asked.question.years}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in named.items()},
    )


def _all(asked: Asked, chosen: Selection, noun: str) -> Answer:
    """Return all entities of a kind that papers name, those of most papers first; or if they are to
    be read first, works that most others build on."""
    reader, years = asked.reader, asked.question.years
    these = WorkFilter(
        kinds=chosen.kinds,
        broader=chosen.broader,
        year_from=chosen.since,
        year_to=chosen.until,
    )
    if asked.question.introductory:
        children = reader.most_derived(_MOST_DERIVED)
        dates = reader.published(list(children))
        works = [
            work
            for work in reader.works(list(children)).values()
            if not chosen.kinds or (isinstance(work, Entity) and work.kind in chosen.kinds)
            if chosen.years.hold(dates[work.id].year if work.id in dates else None)
        ]
        notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
        return asked.listed(works, f"{noun} that most others build on directly{years}", notes=notes)
    order = asked.question.selection.order or PageOrder.PAPERS
    page = reader.page(WorkType.ENTITY, these, order, first=asked.end)
    naming = reader.papers_naming([each.id for each in page.works])
    notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
    understood = f"{noun}{years}{asked.question.ordered(', those of most papers first')}"
    return asked.listed(page.works, understood, page.total, notes=notes)
