"""The forms of questions: how each is known, and its answer from one view of the graph."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from stemma.graph import Criterion, LineageDirection, Work, WorkType, trace
from stemma.graph.comparing import compare
from stemma.graph.path import find_path
from stemma.graph.reader import kind_of
from stemma.graph.searching import entities_where
from stemma.graph.selection import DEEPEST_LINEAGE, MOST_RESULTS, LineageOrder, PageOrder, Selection
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, sentence_of
from stemma.server.asking.asked import NAME, Asked, joined, quoted
from stemma.server.asking.paper_questions import (
    Conditions,
    begins_with_verb,
    conditions,
    content,
    meeting,
    papers_about,
    topics_of,
)
from stemma.server.asking.question import (
    STOP_WORDS,
    TABLES,
    VERBS,
    filled,
    is_noun,
    kinds_of,
    nouns,
    number_of,
)

Form = Callable[[Asked, Sequence[Work]], Answer]
_MOST_AUTHORS, _NAMED, _NAMING_BOTH = 8, 3, 100
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
_LIST = re.compile(r"(?i)\b(?:papers|articles|studies|publications|preprints)\b")
_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|all|the|any|some|is|are|was|were|how many|number of|in|of|"
    r"other|top|most|commonly|widely|often|popular|used|common|different|authors)\s)*)"
    r"(?P<topic>(?:\S+ ){0,4}?)"
)
_PAPERS = re.compile(rf"(?i)^{_LEAD}(?:{nouns('paper')})(?P<rest>(?: .*)?)$")
_WHO = re.compile(r"(?i)^(?:who|what|which|anyone|anything|everything)(?: else)? ")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>kinds|types|sorts|{nouns(*EntityKind, 'baseline')})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_ABOUT = tuple(map(RelationType, VERBS["about"][1]))
_MODELS = (EntityKind.MODEL,)
_OF_KIND = {
    (EntityKind.HARDWARE,): (RelationType.RUNS_ON, RelationType.USES),
    (EntityKind.DATASET,): (RelationType.EVALUATED_ON, RelationType.USES),
    (): (RelationType.COMPARES_WITH,),
}
"""The relations of papers to what they use of a kind, whatever the verb; and to baselines."""
_MOST_DERIVED = 1000
_USUAL_STEPS = 3
_STEPS = re.compile(f"(?i){filled(TABLES['steps'])}")
"""How many steps of a lineage are asked for."""
_WANTED = 50
"""Papers that are asked what they name, even if they match less well than the best."""


def with_names(asked: Asked) -> Iterator[Answer]:
    """Yield the answers to a question that has a form of those about one or two works."""
    text = _STEPS.sub("", asked.included)
    works = [] if _LIST.search(text) else asked.works(text)
    for name, pattern in _PATTERNS.items():
        fits = pattern.search(text) and len(works) == (2 if name in ("path", "compare") else 1)
        if fits and not _has_topic(pattern.sub(" ", text)):
            yield _FORMS[name](asked, works)


def profile(asked: Asked) -> Answer | None:
    """Return everything about the only work that a question names, if it is about nothing else."""
    question, text = asked.question, asked.text
    works = asked.works(text)
    is_list = question.years or question.selection.order or question.introductory
    is_list = is_list or any(is_noun(each) and each.endswith("s") for each in text.split())
    return None if len(works) != 1 or is_list or _has_topic(text) else _profile(asked, works)


def _has_topic(text: str) -> bool:
    """Return whether a text has words that say something of a topic, beside names and nouns."""
    words = re.findall(r"[\w'-]+", Asked.besides(text).casefold())
    return any(each not in STOP_WORDS and not is_noun(each) for each in words)


def _lineage(asked: Asked, works: Sequence[Work], directions: Sequence[LineageDirection]) -> Answer:
    """The lineage of a work, in one direction or both."""
    name, chosen = quoted(works[0]), asked.question.selection
    noun = next((each.lower() for each in asked.included.split() if kinds_of(each)), "")
    given = _STEPS.search(asked.included)
    depth = min(number_of(given["steps"] or "one"), DEEPEST_LINEAGE) if given else _USUAL_STEPS
    selection = chosen.changed(
        kinds=kinds_of(noun),
        max_depth=max(depth, 1),
        first=asked.first,
        lineage_order=_ORDERS.get(chosen.order, LineageOrder.DEPTH),  # type: ignore[arg-type]
        order=None,
    )
    found = [trace(asked.reader, works[0].id, selection.changed(direction=e)) for e in directions]
    if len(found) > 1:
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
    elif _UP in directions:
        said = f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on"
    else:
        said = f"{f'{noun} that build or improve' if noun else 'what builds or improves'} on {name}"
    steps = "directly" if depth <= 1 else f"in up to {depth} steps"
    edges = [
        (edge, each.direction)
        for each in found
        for edge in each.edges
        if not asked.excluded & {edge.child, edge.parent}
    ]
    return asked.listed(
        [node.work for lineage in found for node in lineage.nodes],
        f"{said}{asked.question.years}, {steps}{asked.question.ordered()}{asked.exception}",
        sum(each.total for each in found),
        statements=[each for edge, _ in edges for each in edge.statements],
        notes={
            node.work.id: each.direction.value.removesuffix("s")
            for each in found[len(found) == 1 :]
            for node in each.nodes
        },
        said={
            (edge.child if way is _DOWN else edge.parent): sentence_of(each)
            for edge, way in edges
            for each in edge.statements[::-1]
        },
        about=(works[0],),
    )


def _path(asked: Asked, ends: Sequence[Work]) -> Answer:
    """How two works are related."""
    left, right = map(quoted, ends)
    match = _PATTERNS["path"].search(asked.text)
    asks_lineage = bool(match and match["builds"])
    found = find_path(asked.reader, ends[0].id, ends[1].id, comparisons=not asks_lineage)
    works = asked.reader.works(found.works) if found.edges else {each.id: each for each in ends}
    steps = [
        f"{quoted(works[edge.child])} {joined(each.words for each in edge.relations)} "
        f"{quoted(works[edge.parent])}"
        for edge in found.edges
    ]
    if asks_lineage and not (
        steps and all(e.child == way for e, way in zip(found.edges, found.works, strict=False))
    ):
        steps.insert(0, f"Nothing here says that {left} builds on {right}")
    text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
    statements = [each for edge in found.edges for each in edge.statements]
    understood = f"how {left} is related to {right}"
    return asked.listed(
        [*works.values()], understood, None, f"{text}.", statements=statements, about=tuple(ends)
    )


def _comparison(asked: Asked, ends: Sequence[Work]) -> Answer:
    """Two works side by side, with the papers that name both."""
    found = compare(asked.reader, ends[0].id, ends[1].id)
    left, right = (
        f"{quoted(each.work)}{f' ({each.published})' if each.published else ''}"
        for each in (found.left, found.right)
    )
    shared = [each.name for both in found.aspects.values() for each in both.shared]
    said = f"; both name {joined(shared[:_NAMED])}" if shared else ""
    result = ""
    for each in (each for each in found.statements[::-1] if each.comparison):
        better, worse = map(quoted, sorted(ends, key=lambda end: end.id == each.entity))
        result = f" {better} {each.relation.words} {worse}: {each.comparison}."
    understood = f"{quoted(ends[0])} and {quoted(ends[1])} side by side"
    criteria = tuple(Criterion((each.id,)) for each in ends)
    naming = Selection(criteria=criteria, order=PageOrder.PUBLISHED, first=_NAMING_BOTH)
    both = asked.reader.page(WorkType.PAPER, naming)
    papers = {each.id: each for each in (*found.compared_by, *both.items)}
    text = f"{left} and {right} side by side{said}.{result}"
    works = [*ends, *papers.values()]
    return asked.listed(
        works, understood, None, text, statements=found.statements, about=tuple(ends)
    )


def _profile(asked: Asked, works: Sequence[Work]) -> Answer:
    """A work, the papers that introduce it, and those that are most about it."""
    reader, work = asked.reader, works[0]
    naming = reader.papers_naming([work.id])[work.id]
    first = reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id]
    ranked = [each.id for each in papers_about(reader, f'"{work.name}"')]
    listed = reader.works(list(dict.fromkeys([work.id, *first, *ranked, *naming])))
    origin = listed[first[0]] if first else work
    by = joined(e.name for e in origin.authors[:_MOST_AUTHORS]) if isinstance(origin, Paper) else ""
    facts = (kind_of(work), str(reader.published([work.id]).get(work.id, "")))
    said = f"{quoted(work)} ({', '.join(filter(None, facts))})"
    if isinstance(work, Entity):
        said += f", also {joined(work.aliases[:_NAMED], 'or')}" if work.aliases else ""
        said += f", introduced in {quoted(origin)}" if first else ""
    said += f" by {by}" if by else ""
    said += f"; papers that name it: {len(naming):,}"
    children = reader.neighbours([work.id], _DOWN)[work.id]
    text = f"{said}; what builds on it directly: {len(children):,}."
    statements = reader.statements([work.id], first=MOST_STATEMENTS)[work.id]
    understood = f"everything about {quoted(work)}"
    return asked.listed(
        [*listed.values()], understood, None, text, statements=statements, about=(work,)
    )


def papers(asked: Asked) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    text = asked.text
    if asked.question.introductory and not content(text):
        return _all(asked, asked.question.selection, "papers and entities")
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        rest = f"{match['rest']} in {match['topic']}".strip() if match["topic"] else match["rest"]
    elif not begins_with_verb(rest := _WHO.sub("", text)):
        return None
    found = conditions(asked, rest.strip(), asked.question.selection)
    return (_authors if text.startswith("authors ") else _listed)(asked, found)


def search(asked: Asked) -> Answer | None:
    """Return what matches a question best: the entities that it names, then papers."""
    text = asked.typed(asked.text)
    if not (found := Conditions(asked.question.selection, topics=[text])).topic:
        return None
    _, entities = topics_of(asked.reader, text)
    return _listed(asked, found, [each for each in entities if not each.general])


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = ()) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    ordered = asked.question.ordered(", the best match first" if found.topic else "")
    works, statements, total = meeting(asked, found)
    understood = f"{found}{asked.question.years}{ordered}"
    named = named if works or not asked.question.years else ()
    return asked.listed(works, understood, total, named=named, statements=statements)


def _authors(asked: Asked, found: Conditions) -> Answer:
    """Return the papers that meet conditions with their authors, those of most papers first."""
    papers, _, total = meeting(asked, found)
    by_paper = asked.reader.authors([each.id for each in papers])
    count = Counter(person for ids in by_paper.values() for person in {*ids})
    most = sorted(count, key=lambda each: (-count[each], each))[:_MOST_AUTHORS]
    named = [f"{each.name} ({count[id_]})" for id_, each in asked.reader.people(most).items()]
    understood = f"authors of {found}{asked.question.years}"
    text = f"A{understood[1:]}: {', '.join(named) or 'not known here'}."
    # Papers whose authors are known are what is asked for.
    works = sorted(papers, key=lambda each: not by_paper.get(each.id))
    shown = {e.id: e.authors[:_NAMED] for e in works if isinstance(e, Paper)}
    notes = {id_: joined(each.name for each in authors) for id_, authors in shown.items()}
    return asked.listed(works, understood, total, text, notes=notes)


def entities(asked: Asked) -> Answer | None:
    """Entities of a kind: all, those that papers about a topic name, those that a work names."""
    match = _ENTITIES.match(asked.text)
    if match and not begins_with_verb(match["rest"].strip()):
        match = _ENTITIES.match(asked.included)
    if not match or re.search(rf"(?i)\b(?:{nouns('paper')})\b", match["topic"]):
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    acts, kinds, typed = begins_with_verb(rest), kinds_of(noun), asked.typed
    is_plural = noun.casefold().endswith(("s", "ware", "corpora"))
    is_list = lead or (is_plural and (not topic or (kinds == (EntityKind.DATASET,) and not rest)))
    if not is_list or not (acts or not rest or rest.split()[0].casefold() in STOP_WORDS):
        return None
    relations, above = _OF_KIND.get(kinds, _ABOUT), None
    if kinds == (EntityKind.HARDWARE,) and not re.match("(?i)hardware|device", noun):
        above = next(iter(asked.works(topic or noun)), None)
        topic = "" if above else topic
    chosen = asked.question.selection.changed(
        kinds=kinds,
        relations=relations,
        broader=above.id if above else None,
        general=False if kinds == _MODELS else None,  # "model" is no model
        order=None,
    )
    about = content(f"{topic} {rest}")
    if not about:
        return _all(asked, chosen, noun)
    found = Conditions(asked.question.selection)
    works = asked.works(about) if re.fullmatch(NAME, about) and not acts else []
    if works and re.match("(?i)kinds|types|sorts", noun):
        return _all(asked, chosen.changed(broader=works[0].id), f"{noun} of {quoted(works[0])}")
    papers = [each.id for each in works if isinstance(each, Paper)]
    if works and not papers:
        introducing = asked.reader.papers_naming([works[0].id], [RelationType.INTRODUCES])
        papers = introducing[works[0].id]
    if papers:
        said = f"{noun} of {quoted(works[0])}"
    else:
        if acts and (stated := conditions(asked, rest, found.selection, split=True)).criteria:
            found = stated
            # Of the kind of what they compare with, where none is asked for.
            other = [] if kinds else asked.works(rest)
            kinds = kinds or tuple(e.kind for e in other if isinstance(e, Entity))
            chosen = chosen.changed(relations=(RelationType.INTRODUCES,), kinds=kinds)
        else:
            acts = False
            found.topics.append(typed(content(rest)))
        found.topics[:0] = [typed(f"{topic} {noun if kinds == _MODELS else ''}")] if topic else []
        said = f"{noun} {'introduced by' if acts else 'in'} {found}"
        papers = [each.id for each in meeting(asked, found, _WANTED)[0]]
    if not papers:
        return None
    these = Criterion(tuple(papers))
    named = entities_where(asked.reader, [these], chosen.changed(first=MOST_RESULTS)).items
    but = {each.id for each in works} | {each.entities[0] for each in found.criteria}
    places = {id_: place for place, id_ in enumerate(papers)}
    matches = [each for each in named if each.entity.id not in but]
    count = {e.entity.id: len({each.subject for each in e.statements}) for e in matches}
    # Of as many papers, what the best match names is first.
    matches.sort(key=lambda e: (-count[e.entity.id], min(places[s.subject] for s in e.statements)))
    return asked.listed(
        [each.entity for each in matches],
        f"{said}{asked.question.years}{asked.exception * (not acts)}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in count.items()},
    )


def _all(asked: Asked, chosen: Selection, noun: str) -> Answer:
    """Return all entities of a kind that papers name, those of most papers first; or if they are to
    be read first, works that most others build on."""
    reader, years = asked.reader, asked.question.years
    if asked.question.introductory:
        children = reader.most_derived(_MOST_DERIVED)
        dates = reader.published(list(children))
        works = [
            work
            for work in reader.works(list(children)).values()
            if not chosen.kinds or (isinstance(work, Entity) and work.kind in chosen.kinds)
            if chosen.is_of_years(dates.get(work.id))
        ]
        notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
        return asked.listed(works, f"{noun} that most others build on directly{years}", notes=notes)
    order = asked.question.selection.order or PageOrder.PAPERS
    these = Selection(**chosen.given(("kinds", "broader", "since", "until")))
    page = reader.page(WorkType.ENTITY, these.changed(order=order, first=asked.first))
    naming = reader.papers_naming([each.id for each in page.items])
    notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
    ordered = asked.question.ordered(", those of most papers first")
    understood = f"{noun}{years}{ordered}{asked.exception}"
    return asked.listed(page.items, understood, page.total, notes=notes)


_FORMS: dict[str, Form] = {
    "path": _path,
    "compare": _comparison,
    "lineage": partial(_lineage, directions=(_UP, _DOWN)),
    "descendants": partial(_lineage, directions=(_DOWN,)),
    "ancestors": partial(_lineage, directions=(_UP,)),
    "profile": _profile,
}
_PATTERNS = {
    name: re.compile(rf"(?i)(?:^|\b|(?={NAME}))(?:{filled(each)})(?![\w-])")
    for name, each in TABLES["forms"].items()
}
