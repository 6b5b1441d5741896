"""The answer to each form of question, from one view of the graph: None where a name is unknown."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from stemma.graph import LineageDirection, Work, trace
from stemma.graph.comparing import compare
from stemma.graph.criteria import Criterion, papers_near
from stemma.graph.path import find_path
from stemma.graph.selection import LineageOrder, PageOrder
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.server.asking import lists
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, Asked
from stemma.server.asking.naming import joined, quoted
from stemma.server.asking.question import kinds_of
from stemma.server.asking.search import topics_of

Form = Callable[[Asked, Mapping[str, str]], Answer | None]
_MOST_AUTHORS = 8
_NAMED = 3
_MOST_NAMING = 10
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}


def _lineage(*directions: LineageDirection) -> Form:
    """Return the form that asks for the lineage of a work, in one direction or both."""

    def answer(asked: Asked, given: Mapping[str, str]) -> Answer | None:
        if not (work := asked.work(given)):
            return None
        name, chosen = quoted(work), asked.question.selection
        noun = given.get("kind", "").lower()
        noun = noun if kinds_of(noun) else ""
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
        if chosen.years:
            plain = selection.changed(since=None, until=None, first=0)
            every = (trace(asked.reader, work.id, plain.changed(direction=e)) for e in directions)
            asked.leave_out(sum(each.total for each in every), total)
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
            direction=directions[-1],
            notes={id_: both[way] for id_, (_, way) in nodes.items() if way in both},
        )

    return answer


def _path(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """How two works are related."""
    if not (ends := asked.pair(given)):
        return None
    left, right = ends
    asks_lineage = "builds" in given
    found = find_path(asked.reader, left.id, right.id, comparisons=not asks_lineage)
    shown = found.works if found.edges else [left.id, right.id] if asks_lineage else []
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


def _comparison(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """Two works side by side, with the papers that name both."""
    if not (ends := asked.pair(given)):
        return None
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
    ranked = [each.id for each in topics_of(asked.names, f'"{work.name}"').papers(reader)]
    ids = list(dict.fromkeys([work.id, *first, *ranked, *naming]))
    if isinstance(work, Entity):
        also = f", also {joined(work.aliases[:_NAMED], 'or')}," if work.aliases else ""
        kind = "hardware" if work.kind is EntityKind.HARDWARE else f"a {work.kind.value}"
        said = f"{work.name}{when}{also} is {kind}; papers that name it: {len(naming):,}"
    else:
        by = joined(each.name for each in work.authors[:_NAMED])
        said = f"{quoted(work)}{when}{' by ' if by else ''}{by}"
    children = reader.neighbours([work.id], _DOWN)[work.id]
    works = list(reader.works(ids[: asked.end]).values())
    text = f"{said}; what builds on it directly: {len(children):,}."
    answer = asked.listed(works, f"everything about {quoted(work)}", len(ids), text)
    statements = reader.statements([work.id], first=MOST_STATEMENTS)[work.id]
    return replace(answer, statements=tuple(statements), lineage_of=work, direction=_DOWN)


def _profile(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """What a work is."""
    work = asked.work(given)
    return about_work(asked, work) if work else None


def _origin(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """Who introduced a work, and when."""
    if not (work := asked.names.work(given["x"].removesuffix(" and when"), asked.correct)):
        return None
    reader, introduces = asked.reader, [RelationType.INTRODUCES]
    stated = reader.statements([work.id], introduces)[work.id]
    ids = [work.id] if isinstance(work, Paper) else [each.subject for each in stated]
    papers = [each for each in reader.works(ids).values() if isinstance(each, Paper)]
    date = reader.published([work.id]).get(work.id)
    name = f"{quoted(work)} ({date})" if date else quoted(work)
    authors = joined(each.name for paper in papers[:1] for each in paper.authors[:_MOST_AUTHORS])
    text = f"No paper here introduces {name}; these name it, the oldest first."
    if papers:
        by = f" by {authors}" if authors else ""
        text = f"{name} was introduced{by} in “{papers[0].title}”."
    naming = () if papers else reader.papers_naming([work.id])[work.id][:_MOST_NAMING]
    named = [work, *reader.works(naming).values()]
    answer = asked.listed(papers or named, f"who introduced {quoted(work)}, and when", text=text)
    return replace(answer, statements=tuple(stated))


def _people(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """Who works on a topic: the authors of its papers, those of most papers first."""
    papers = [each.id for each in topics_of(asked.names, given["x"]).papers(asked.reader)]
    by_paper = asked.reader.authors(papers)
    count = Counter(person for ids in by_paper.values() for person in dict.fromkeys(ids))
    most = sorted(count, key=lambda each: (-count[each], each))[:_MOST_AUTHORS]
    named = [f"{each.name} ({count[id_]})" for id_, each in asked.reader.people(most).items()]
    more = f" and {len(count) - len(most):,} more" if len(count) > len(most) else ""
    known = f"{', '.join(named)}{more}" if named else "not known here"
    understood = f"authors of the {len(papers)} papers about {given['x']}"
    # Papers whose authors are known are what is asked for.
    works = sorted(asked.reader.works(papers).values(), key=lambda each: not by_paper.get(each.id))
    answer = asked.listed(works, understood, text=f"A{understood[1:]}: {known}.")
    notes = {
        e.id: joined(a.name for a in e.authors[:_NAMED]) for e in works if isinstance(e, Paper)
    }
    return replace(answer, notes=notes)


def _influence(asked: Asked, given: Mapping[str, str]) -> Answer | None:
    """The works that most others build on directly."""
    children = asked.reader.most_derived(lists.MOST_DERIVED)
    dates = asked.reader.published(list(children))
    kinds = kinds_of(given.get("kind", ""))
    works = [
        work
        for work in asked.reader.works(list(children)).values()
        if (not kinds or (isinstance(work, Entity) and work.kind in kinds))
        and asked.question.selection.years.hold(dates[work.id].year if work.id in dates else None)
    ]
    noun = given["kind"].lower() if kinds else "papers and entities"
    answer = asked.listed(works, f"{noun} that most others build on directly{asked.question.years}")
    return replace(answer, notes={id_: f"{n:,} build on it" for id_, n in children.items()})


FORMS: Mapping[str, Form] = {
    "descendants": _lineage(_DOWN),
    "ancestors": _lineage(_UP),
    "lineage": _lineage(_UP, _DOWN),
    "path": _path,
    "compare": _comparison,
    "profile": _profile,
    "origin": _origin,
    "people": _people,
    "influence": _influence,
    "alternatives": lists.alternatives,
    "narrower": lists.narrower,
}
