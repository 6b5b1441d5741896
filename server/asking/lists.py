"""Questions for lists: papers that meet conditions, entities that papers name, and the search."""

import re
from collections.abc import Collection, Sequence
from math import log1p

from stemma.graph import Work, WorkFilter, WorkType
from stemma.graph.criteria import Criterion, entities_where, filter_of, papers_where
from stemma.graph.ranking import RankedPaper
from stemma.graph.selection import MOST_RESULTS, PageOrder, Selection
from stemma.schema import Entity, EntityKind, Paper, RelationType, Statement
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, Asked
from stemma.server.asking.conditions import Conditions, begins_with_verb, conditions
from stemma.server.asking.naming import NAME, quoted
from stemma.server.asking.question import STOP_WORDS, VERBS, kinds_of, nouns
from stemma.server.asking.search import NEAR_THE_BEST, content, topics_of

_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|all|the|any|some|is|are|was|were|how many|number of|in|of|"
    r"other|top|most|commonly|widely|often|popular|used|common|different)\s)*)"
    r"(?P<topic>(?:\S+ ){0,4}?)"
)
_PAPERS = re.compile(rf"(?i)^{_LEAD}(?:{nouns('paper')})(?P<rest>(?: .*)?)$")
_WHO = re.compile(
    r"(?i)^(?:(?:who|what|which|anyone|anything|everything)(?: else)? )?(?P<rest>.*)$"
)
_BE = re.compile(r"(?i)^(?:(?:is|are|was|were|came|published|there|here|exist|known) ?)+$")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>{nouns(*EntityKind, 'baseline')})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")
_COMPARED = re.compile(r"(?i)\b(?:compar\w*|against|outperform\w*)\b")
_ABOUT = tuple(map(RelationType, VERBS["about"][1]))
_OF_KIND = {
    (EntityKind.HARDWARE,): (RelationType.RUNS_ON, RelationType.USES),
    (EntityKind.DATASET,): (RelationType.EVALUATED_ON, RelationType.USES),
    (): (RelationType.COMPARES_WITH,),
}
"""The relations of papers to what they use of a kind, whatever the verb; and to baselines."""
_MOST_DERIVED = 1000
_FEW, _MOST_READ = 5, 500
"""Papers that are listed, even if they match less well; the most that are asked what they name."""


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
    rest = _BE.sub("", rest.strip())
    return _listed(asked, conditions(asked.names, rest, asked.question.selection))


def search(asked: Asked) -> Answer | None:
    """Return what matches a question best: the entities that it names, then papers."""
    text = asked.names.typed(asked.names.text)
    if not (found := Conditions(asked.question.selection, topics=[text])).topic:
        return None
    named = [each for each in topics_of(asked.reader, text).entities if not each.general]
    return _listed(asked, found, named)


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = ()) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    ordered = asked.question.ordered(", the best match first" if found.topic else "")
    works, statements, total = _meeting(asked, found, asked.end)
    understood = f"{found}{asked.question.years}{ordered}"
    return asked.listed(works, understood, total, named=named, statements=statements)


def _meeting(
    asked: Asked, found: Conditions, first: int
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return the first papers that meet conditions, with statements by which they do, and how many
    there are: those on a topic in the order that is asked for, by default the best match first."""
    reader, order = asked.reader, asked.question.selection.order
    if not found.topic:
        matches = papers_where(reader, found.criteria, found.selection.changed(first=first))
        stated = [each for match in matches.matches for each in match.statements]
        return [each.paper for each in matches.matches], stated, matches.total
    chosen = filter_of(reader, found.criteria, found.selection)
    ranked = topics_of(reader, found.topic).papers(reader, chosen, 0 if order else _FEW)
    if order:  # What is but distantly about it must not come first.
        ranked = [each for each in ranked if each.score >= NEAR_THE_BEST * ranked[0].score]
    ids = [each.id for each in ranked]
    if asked.question.introductory:
        ids = _to_read_first(asked, ranked)
    elif order:
        dates = reader.published(ids)
        undated = [each for each in ids if each not in dates]
        if undated:
            asked.names.remarks[f"Without a date, and last: {len(undated):,}."] = None
        dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
        ids = [id_ for _, id_ in dated[:: -1 if order is PageOrder.NEWEST else 1]] + undated
    return list(reader.works(ids).values()), [], len(ids)


def _to_read_first(asked: Asked, found: Sequence[RankedPaper]) -> list[str]:
    """Return papers (ids) with surveys, and those that introduce what most papers name, first."""
    works = asked.reader.works([each.id for each in found])
    introduced = asked.reader.entities_named(works, [RelationType.INTRODUCES])
    naming = asked.reader.papers_naming({each for ids in introduced.values() for each in ids})

    def weight(paper: RankedPaper) -> float:
        named = max((len(naming.get(each, ())) for each in introduced.get(paper.id, ())), default=1)
        return paper.score * (
            1 + log1p(named - 1) + 1.5 * bool(_SURVEY.search(works[paper.id].name))
        )

    return [each.id for each in sorted(found, key=weight, reverse=True)]


def _built_upon(asked: Asked, noun: str) -> Answer:
    """Return the works that most others build on directly."""
    children = asked.reader.most_derived(_MOST_DERIVED)
    dates, kinds = asked.reader.published(list(children)), kinds_of(noun)
    works = [
        work
        for work in asked.reader.works(list(children)).values()
        if not kinds or (isinstance(work, Entity) and work.kind in kinds)
        if asked.question.selection.years.hold(dates[work.id].year if work.id in dates else None)
    ]
    understood = f"{noun} that most others build on directly{asked.question.years}"
    notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
    return asked.listed(works, understood, notes=notes)


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
    works = asked.names.works(about) if re.fullmatch(NAME, about) else []
    if works and (answer := _of_work(asked, works[0], chosen, noun)).works:
        return answer
    topics = [typed(f"{topic} {noun}")] if topic else []
    if acts:
        found = conditions(asked.names, rest, asked.question.selection)
        found.topics[:0] = topics
        chosen = chosen.changed(relations=(RelationType.INTRODUCES,))
        said = f"{noun} introduced by {found}"
    else:
        found = Conditions(asked.question.selection, topics=[*topics, typed(content(rest))])
        said = f"{noun} in papers about {found.topic}"
    papers = [each.id for each in _meeting(asked, found, _MOST_READ)[0]]
    but = {each.id for each in works} | {each.entity for each in found.criteria}
    return _named(asked, papers, but, chosen, f"{said}{asked.question.years}")


def _all(asked: Asked, chosen: Selection, noun: str) -> Answer:
    """Return all entities of a kind that papers name, those of most papers first."""
    if asked.question.introductory:
        return _built_upon(asked, noun)
    these = WorkFilter(
        kinds=chosen.kinds,
        broader=chosen.broader,
        year_from=chosen.since,
        year_to=chosen.until,
    )
    order = asked.question.selection.order or PageOrder.PAPERS
    page = asked.reader.page(WorkType.ENTITY, these, order, first=asked.end)
    naming = asked.reader.papers_naming([each.id for each in page.works])
    notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
    said = asked.question.ordered(", those of most papers first")
    understood = f"{noun}{asked.question.years}{said}"
    return asked.listed(page.works, understood, page.total, notes=notes)


def _of_work(asked: Asked, work: Work, chosen: Selection, noun: str) -> Answer:
    """Return the entities that the papers of a work name; as alternatives, also what papers
    introduce that compare with it."""

    def naming(relation: RelationType) -> list[str]:
        return asked.reader.papers_naming([work.id], [relation])[work.id]

    papers = [work.id] if isinstance(work, Paper) else naming(RelationType.INTRODUCES)
    if isinstance(work, Entity) and noun.casefold().startswith("alternative"):
        papers = papers + naming(RelationType.COMPARES_WITH)
        relations = (RelationType.COMPARES_WITH, RelationType.INTRODUCES)
        chosen = chosen.changed(kinds=(work.kind,), relations=relations)
    return _named(asked, papers, {work.id}, chosen, f"{noun} of {quoted(work)}")


def _named(
    asked: Asked, papers: Sequence[str], but: Collection[str], chosen: Selection, understood: str
) -> Answer:
    """Return the chosen entities that papers (ids) name, those of most papers first, but for those
    (ids) that were asked about."""
    if not papers:
        return asked.listed((), understood)
    criteria = [Criterion(papers[0], others=tuple(papers[1:]))]
    matches = entities_where(asked.reader, criteria, chosen.changed(first=MOST_RESULTS)).matches
    found = [each for each in matches if each.entity.id not in but]
    named = {e.entity.id: len({each.subject for each in e.statements}) for e in found}
    return asked.listed(
        [each.entity for each in found],
        understood,
        statements=[each for match in found[: asked.end] for each in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in named.items()},
    )
