"""The answer to each form of question about works that it names, from one view of the graph."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from stemma.graph import LineageDirection, Work, trace
from stemma.graph.comparing import compare
from stemma.graph.criteria import Criterion, narrower_entities, papers_near
from stemma.graph.path import find_path
from stemma.graph.selection import LineageOrder, PageOrder
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, Asked
from stemma.server.asking.naming import NAME, Names, joined, quoted
from stemma.server.asking.question import STOP_WORDS, TABLES, filled, is_noun, kinds_of
from stemma.server.asking.search import topics_of

Form = Callable[[Asked, Sequence[Work], re.Match[str]], Answer]
_MOST_AUTHORS = 8
_NAMED = 3
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
_PAPERS = re.compile(r"(?i)\b(?:papers|articles|studies|publications|preprints)\b")
_PEOPLE = re.compile(
    r"(?i)^(?:who\b.*? (?:works?|working|research\w*|publish\w*|stud(?:y|ies|ying)|experts?)"
    r"|(?:(?:who|which|what|are|the|top|leading|main|key|most|active) )*(?:people|authors|"
    r"researchers|experts|groups|labs|scientists|institutions|companies|universities))\b"
    r"(?: \S+){0,4}? (?:on|about|in|behind|of) (?P<topic>.+)$"
)


def forms(asked: Asked) -> Iterator[Answer]:
    """Yield the answers of all forms that fit a question."""
    text = asked.names.text
    works = [] if _PAPERS.search(text) else asked.names.works(text)
    for name, pattern in _PATTERNS.items():
        match = pattern.search(text)
        fits = match and len(works) == (2 if name in _OF_TWO else 1)
        if fits and not _topic(pattern.sub(" ", text), name in _LINEAGES):
            yield _FORMS[name](asked, works, match)


def profile(asked: Asked) -> Answer | None:
    """Return everything about the only work that a question names, if it is about nothing else."""
    text = asked.names.text
    works = asked.names.works(text)
    question = asked.question
    is_list = question.years or question.selection.order or question.introductory
    is_all = len(works) == 1 and not (is_list or _PAPERS.search(text) or _topic(text))
    return about_work(asked, works[0]) if is_all else None


def _topic(text: str, kinds: bool = False) -> list[str]:
    """Return the words of a text that say something of a topic: no names, and no nouns in the
    singular; if `kinds` may be asked for, no nouns for these."""
    words = re.findall(r"[\w'-]+", Names.besides(text).casefold())
    return [
        each
        for each in words
        if each not in STOP_WORDS
        and not (is_noun(each) and not each.endswith("s"))
        and not (kinds and kinds_of(each))
    ]


def _lineage(*directions: LineageDirection) -> Form:
    """Return the form that asks for the lineage of a work, in one direction or both."""

    def answer(asked: Asked, works: Sequence[Work], _: re.Match[str]) -> Answer:
        (work,) = works
        name, chosen = quoted(work), asked.question.selection
        noun = next((e.lower() for e in asked.names.text.split() if kinds_of(e)), "")
        selection = chosen.changed(
            kinds=kinds_of(noun),
            first=asked.end,
            lineage_order=_ORDERS.get(chosen.order, LineageOrder.DEPTH),  # type: ignore[arg-type]
            order=None,
        )
        found = [
            trace(asked.reader, work.id, selection.changed(direction=each)) for each in directions
        ]
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
        if len(directions) == 1:
            said = f"{f'{noun} that' if noun else 'what'} {name} builds or improves on"
            builds = f"{noun} that build or improve" if noun else "what builds or improves"
            said = f"{builds} on {name}" if directions == (_DOWN,) else said
        steps = "directly" if chosen.max_depth == 1 else f"in up to {chosen.max_depth} steps"
        as_of = f", as of {chosen.as_of}" if chosen.as_of else ""
        nodes = {node.work.id: (node, each.direction) for each in found for node in each.nodes}
        edges = [(edge, each.direction) for each in found for edge in each.edges]
        both = {_UP: "ancestor", _DOWN: "descendant"} if len(found) > 1 else {}
        understood = f"{said}{asked.question.years}, {steps}{as_of}{asked.question.ordered()}"
        total = sum(each.total for each in found)
        return replace(
            asked.listed([node.work for node, _ in nodes.values()], understood, total),
            statements=tuple(s for edge, _ in edges for s in edge.statements),
            said={
                (edge.child if way is _DOWN else edge.parent): each.evidence[0].text.strip()
                for edge, way in edges
                for each in edge.statements[::-1]
                if each.evidence
            },
            lineage_of=work,
            notes={id_: both[way] for id_, (_, way) in nodes.items() if way in both},
        )

    return answer


def _path(asked: Asked, ends: Sequence[Work], match: re.Match[str]) -> Answer:
    """How two works are related."""
    left, right = ends
    asks_lineage = bool(match["builds"])
    found = find_path(asked.reader, left.id, right.id, comparisons=not asks_lineage)
    shown = found.works if found.edges else [left.id, right.id]
    works = asked.reader.works(shown)
    steps = (
        f"{quoted(works[edge.child])} {joined(each.words for each in edge.relations)} "
        f"{quoted(works[edge.parent])}"
        for edge in found.edges
    )
    text = f"{'; '.join(steps)}." if found.edges else ""
    is_derived = all(edge.child == way for edge, way in zip(found.edges, found.works, strict=False))
    if asks_lineage and not (found.edges and is_derived):
        text = f"Nothing here says that {quoted(left)} builds on {quoted(right)}. {text}".strip()
    text = (
        text or f"Neither lineage nor comparisons connect {quoted(left)} to {quoted(right)} here."
    )
    understood = f"how {quoted(left)} is related to {quoted(right)}"
    answer = asked.listed(list(works.values()), understood, text=text)
    return replace(answer, statements=tuple(s for edge in found.edges for s in edge.statements))


def _comparison(asked: Asked, ends: Sequence[Work], _: re.Match[str]) -> Answer:
    """Two works side by side, with the papers that name both."""
    found = compare(asked.reader, ends[0].id, ends[1].id)
    left, right = (
        f"{quoted(each.work)}{f' ({each.published})' if each.published else ''}"
        for each in (found.left, found.right)
    )
    shared = [each.name for both in found.aspects.values() for each in both.shared]
    said = f"; both name {joined(shared[:_NAMED])}" if shared else ""
    result = next((f" {each.comparison}." for each in found.statements if each.comparison), "")
    text = f"{left} and {right} side by side{said}.{result}"
    understood = f"{quoted(ends[0])} and {quoted(ends[1])} side by side"
    both = papers_near(asked.reader, [Criterion(each.id) for each in ends])
    papers = {each.id: each for each in (*found.compared_by, *(e.paper for e in both.matches))}
    answer = asked.listed([*ends, *papers.values()], understood, text=text)
    return replace(answer, statements=found.statements)


def about_work(asked: Asked, work: Work) -> Answer:
    """Return a work, the papers that introduce it, and those that are most about it."""
    reader = asked.reader
    date = reader.published([work.id]).get(work.id)
    when = f" ({date})" if date else ""
    naming = reader.papers_naming([work.id])[work.id]
    first = reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id]
    ranked = [each.id for each in topics_of(reader, f'"{work.name}"').papers(reader)]
    works = reader.works(list(dict.fromkeys([work.id, *first, *ranked, *naming])))
    origin = next((each for id_ in first if isinstance(each := works[id_], Paper)), work)
    by = (
        joined(each.name for each in origin.authors[:_MOST_AUTHORS])
        if isinstance(origin, Paper)
        else ""
    )
    by = f" by {by}" if by else ""
    if isinstance(work, Entity):
        also = f", also {joined(work.aliases[:_NAMED], 'or')}," if work.aliases else ""
        kind = "hardware" if work.kind is EntityKind.HARDWARE else f"a {work.kind.value}"
        said = f"{work.name}{when}{also} is {kind}"
        if origin is not work:
            said += f", introduced{by} in {quoted(origin)}"
        said += f"; papers that name it: {len(naming):,}"
    else:
        said = f"{quoted(work)}{when}{by}"
    children = reader.neighbours([work.id], _DOWN)[work.id]
    text = f"{said}; what builds on it directly: {len(children):,}."
    answer = asked.listed(list(works.values()), f"everything about {quoted(work)}", text=text)
    statements = reader.statements([work.id], first=MOST_STATEMENTS)[work.id]
    return replace(answer, statements=tuple(statements), lineage_of=work)


def _profile(asked: Asked, works: Sequence[Work], _: re.Match[str]) -> Answer:
    """What a work is, who introduced it, and when."""
    return about_work(asked, works[0])


def _narrower(asked: Asked, works: Sequence[Work], _: re.Match[str]) -> Answer:
    """The kinds of a work."""
    ids = sorted(narrower_entities(asked.reader, works[0].id))
    return asked.listed(list(asked.reader.works(ids).values()), f"kinds of {quoted(works[0])}")


def people(asked: Asked) -> Answer | None:
    """Who works on a topic: the authors of its papers, those of most papers first."""
    if not (match := _PEOPLE.match(asked.names.text)):
        return None
    topic = asked.names.typed(match["topic"])
    papers = [each.id for each in topics_of(asked.reader, topic).papers(asked.reader)]
    by_paper = asked.reader.authors(papers)
    count = Counter(person for ids in by_paper.values() for person in dict.fromkeys(ids))
    most = sorted(count, key=lambda each: (-count[each], each))[:_MOST_AUTHORS]
    named = [f"{each.name} ({count[id_]})" for id_, each in asked.reader.people(most).items()]
    more = f" and {len(count) - len(most):,} more" if len(count) > len(most) else ""
    known = f"{', '.join(named)}{more}" if named else "not known here"
    understood = f"authors of the {len(papers)} papers about {topic}"
    # Papers whose authors are known are what is asked for.
    works = sorted(asked.reader.works(papers).values(), key=lambda each: not by_paper.get(each.id))
    answer = asked.listed(works, understood, text=f"A{understood[1:]}: {known}.")
    notes = {
        e.id: joined(a.name for a in e.authors[:_NAMED]) for e in works if isinstance(e, Paper)
    }
    return replace(answer, notes=notes)


_FORMS: Mapping[str, Form] = {
    "path": _path,
    "compare": _comparison,
    "lineage": _lineage(_UP, _DOWN),
    "narrower": _narrower,
    "descendants": _lineage(_DOWN),
    "ancestors": _lineage(_UP),
    "profile": _profile,
}
_OF_TWO, _LINEAGES = ("path", "compare"), ("lineage", "descendants", "ancestors")
_PATTERNS = {
    name: re.compile(rf"(?i)(?:^|\b|(?={NAME}))(?:{filled(each)})(?![\w-])")
    for name, each in TABLES["forms"].items()
}
