"""The forms of questions about one or two works, each answered from one view of the graph."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from stemma.graph import Criterion, LineageDirection, Work, WorkType, trace
from stemma.graph.comparing import compare
from stemma.graph.path import find_path
from stemma.graph.reader import kind_of
from stemma.graph.selection import DEEPEST_LINEAGE, LineageOrder, PageOrder, Selection
from stemma.schema import Entity, Paper, RelationType
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, sentence_of
from stemma.server.asking.asked import NAME, Asked
from stemma.server.asking.names import joined, quoted
from stemma.server.asking.question import (
    STOP_WORDS,
    TABLES,
    VERBS,
    filled,
    is_noun,
    kinds_of,
    number_of,
)
from stemma.server.asking.searching import papers_about

Form = Callable[[Asked, Sequence[Work]], Answer]
_MOST_AUTHORS, _NAMED, _NAMING_BOTH = 8, 3, 100
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
_LIST = re.compile(r"(?i)\b(?:papers|articles|studies|publications|preprints)\b")
_USUAL_STEPS = 3
_STEPS = re.compile(f"(?i){filled(TABLES['steps'])}")
"""How many steps of a lineage are asked for."""


def with_names(asked: Asked) -> Iterator[Answer]:
    """Yield the answers to a question that has a form of those about one or two works."""
    text = _STEPS.sub("", asked.text)
    works, named = asked.works(text), len(re.findall(NAME, text))
    for name, pattern in () if _LIST.search(text) else _PATTERNS.items():
        number = 2 if name in ("path", "compare") else 1
        if not works or not pattern.search(text) or _has_topic(pattern.sub(" ", text)):
            continue
        if len(works) == number or len(works) > number > 1:
            if others := works[number:]:
                asked.remarks[f"Left out: {joined(map(quoted, others))}."] = None
            yield _FORMS[name](asked, works[:number])
        elif len(works) < number <= named:  # Of the other, nothing is stated here.
            yield _profile(asked, works)


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
    noun = next((each.lower() for each in asked.text.split() if kinds_of(each)), "")
    given = _STEPS.search(asked.text)
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
    """How two works are related: whether one does to the other what is asked, and the steps."""
    reader, (left, right) = asked.reader, ends
    match = _PATTERNS["path"].search(asked.text)
    act = (match and match["act"]) or ""
    verb = next((name for name, (*_, each) in VERBS.items() if act and each.match(f"{act} x")), "")
    relations = [RelationType(each) for each in VERBS[verb][1]] if verb else []
    found = find_path(reader, left.id, right.id, comparisons=not relations)
    works = reader.works(found.works) if found.edges else {each.id: each for each in ends}
    steps = [
        f"{quoted(works[edge.child])} {joined(each.words for each in edge.relations)} "
        f"{quoted(works[edge.parent])}"
        for edge in found.edges
    ]
    direct = compare(reader, left.id, right.id).statements if relations else ()
    stated = [each for each in direct if each.entity == right.id and each.relation in relations]
    leads = steps and all(e.child == way for e, way in zip(found.edges, found.works, strict=False))
    if stated:
        steps = [f"Yes: {quoted(left)} {stated[0].relation.words} {quoted(right)}"]
    elif relations and not (leads and relations[0] is RelationType.BUILDS_ON):
        words = relations[0].words
        steps.insert(0, f"Nothing here says that {quoted(left)} {words} {quoted(right)}")
    said = f"{quoted(left)} to {quoted(right)}"
    text = "; ".join(steps) or f"Neither lineage nor comparisons connect {said} here"
    statements = [*stated, *(each for edge in found.edges for each in edge.statements)]
    understood = f"how {quoted(left)} is related to {quoted(right)}"
    both = _naming_both(asked, ends) if relations and not leads else []
    return asked.listed(
        [*works.values(), *both],
        understood,
        None,
        f"{text}.",
        statements=statements,
        about=tuple(ends),
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
    papers = {each.id: each for each in (*found.compared_by, *_naming_both(asked, ends))}
    text = f"{left} and {right} side by side{said}.{result}"
    works = [*ends, *papers.values()]
    return asked.listed(
        works, understood, None, text, statements=found.statements, about=tuple(ends)
    )


def _naming_both(asked: Asked, ends: Sequence[Work]) -> Sequence[Work]:
    """Return papers that name two works."""
    criteria = tuple(Criterion((each.id,)) for each in ends)
    naming = Selection(criteria=criteria, order=PageOrder.PUBLISHED, first=_NAMING_BOTH)
    return asked.reader.page(WorkType.PAPER, naming).items


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
        said += f", introduced in {quoted(origin)}" if first else ", introduced by no paper here"
    said += f" by {by}" if by else ""
    said += f"; papers that name it: {len(naming):,}"
    children = reader.neighbours([work.id], _DOWN)[work.id]
    text = f"{said}; what builds on it directly: {len(children):,}."
    statements = reader.statements([work.id], first=MOST_STATEMENTS)[work.id]
    understood = f"everything about {quoted(work)}"
    return asked.listed(
        [*listed.values()], understood, None, text, statements=statements, about=(work,)
    )


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
