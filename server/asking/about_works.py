"""Answers on one work, or on two: what it is, its lineage, what it uses, how both are related."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from stemma.graph import Criterion, LineageDirection, Reader, Selection, Work, WorkType, trace
from stemma.graph.comparing import compare
from stemma.graph.edge import LineageEdge
from stemma.graph.lineage import Lineage, traverse
from stemma.graph.matching import Topic
from stemma.graph.path import find_path
from stemma.graph.reader import kind_of, spellings
from stemma.graph.searching import EntityMatch, entities_meant, papers_filter
from stemma.graph.selection import (
    DEEPEST_LINEAGE,
    EVERYTHING,
    LARGEST_LINEAGE,
    MOST_RESULTS,
    PageOrder,
)
from stemma.schema import Entity, Paper, RelationType
from stemma.server.asking.answer import Answer, sentence_of
from stemma.server.asking.asked import Asked, is_general, joined, quoted
from stemma.server.asking.conditions import Conditions
from stemma.server.asking.kind import Kind
from stemma.server.asking.lists import OF_KIND, chosen_of, in_order, matched, named_in
from stemma.server.asking.question import kinds_of, number_of
from stemma.server.asking.ranking import papers_about
from stemma.server.asking.similarity import ENDS

_MOST_AUTHORS, _NAMED, _NAMING_BOTH, _FARTHEST = 8, 3, 100, 6
_MOST_STATEMENTS, _MOST_SHARED, _MOST_ALIKE, _SOME = 100, 40, 100, 5
DOWN, UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
OF_WORK = {
    "introduces": ("what is introduced by", ("INTRODUCES",)),
    "uses": ("what is used by", ("USES", "BUILDS_ON")),
    "runs_on": ("hardware of", ("RUNS_ON",)),
    "evaluated_on": ("data and benchmarks of", ("EVALUATED_ON",)),
    "compares_with": ("baselines of", ("COMPARES_WITH",)),
    "limits": ("what is improved on by", ("IMPROVES_ON",)),
}
"""What is asked of a work: in words, and the relations of the papers that introduce it."""
_OF_USERS = ("uses", "runs_on", "evaluated_on")
"""What is also told by papers that name a work and do not introduce it."""
_LIMIT = re.compile(
    r"(?i)\b(?:however|but|yet|although|though|despite|suffer|limit|bottleneck|challeng|lack|costly"
    r"|expensive|prohibitive|inefficien|fail|unable|cannot|difficult|problem|waste|gap)"
)
_METHOD = re.compile(r"(?i)(?:methods?|approach(?:es)?|systems?|techniques?)")
_STEPS = re.compile(
    r"(?i)\b(?:directly|immediately|(?:in|within|at most|up to) (?P<steps>\d|one|two|three|four)"
    r" (?:steps?|hops?|levels?|generations?))\b"
)


def lineage(
    asked: Asked,
    work: Work,
    *directions: LineageDirection,
    noun: str = "",
    order: PageOrder | None = None,
    improved: bool = False,
    called: Sequence[Work] = (),
) -> Answer:
    """The lineage of a work, in one direction or both, of what a noun says; in an order, if none is
    asked for. Of what `improved` it, the works that say so come alone, if any do. What is `called`
    after it follows."""
    given, question = _STEPS.search(asked.question.text), asked.question
    if order and not question.selection.order:
        question = replace(question, selection=question.selection.changed(order=order))
    depth = min(number_of(given["steps"] or "one"), DEEPEST_LINEAGE) if given else DEEPEST_LINEAGE
    needs_all = improved or called or UP in directions or question.selection.order
    most = LARGEST_LINEAGE if needs_all else asked.first
    # Any work may be a "method" or a "system" that builds on it.
    kinds = () if _METHOD.fullmatch(noun) else kinds_of(noun)
    chosen = question.selection.changed(kinds=kinds, max_depth=max(depth, 1), first=most)
    improved &= directions == (DOWN,)
    lineages, improved = _traced(asked, work, chosen.changed(order=None), directions, improved)
    name, way = quoted(work), lineages[0].direction
    if len(lineages) > 1:
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
    elif way is UP:
        said = f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on"
    else:
        act = "improves on" if improved else "builds or improves on"
        said = f"{noun} that {act.replace('s ', ' ')}" if noun else f"what {act}"
        said += f" {name}"
    steps = f"in up to {depth} steps" if given else "in all"
    steps = "directly" if depth <= 1 or improved else steps
    nodes = [node for each in lineages for node in each.nodes]
    depths, notes = {node.work.id: node.depth for node in nodes}, dict[str, str]()
    works = in_order(asked, [node.work for node in nodes], question.selection.order)
    if len(lineages) > 1:
        notes = {node.work.id: e.direction[:-1] for e in lineages for node in e.nodes}
    elif way is UP:
        for each in works:
            notes[each.id] = "directly" if depths[each.id] == 1 else f"in {depths[each.id]} steps"
        if (direct := sum(depth == 1 for depth in depths.values())) < len(works) and not given:
            asked.remark(f"Directly: {direct:,}; the others through these.")
    for each in works if notes else ():
        notes[each.id] += ", a common term" * is_general(each)
    if not question.selection.order:
        children = asked.reader.neighbours(depths, DOWN) if improved else {}
        works.sort(key=lambda e: (depths[e.id], is_general(e), -len(children.get(e.id, ()))))
    if further := [each for each in called if each.id not in (*depths, work.id)]:
        works += further
        notes |= {each.id: f"called after {name}" for each in further}
        asked.remark(f"Called after {name}, and last: {len(further):,}.")
    out = asked.excluded
    edges = [e for each in lineages for e in each.edges if not out & {e.child, e.parent}]
    ends = {each.id: each for each in (lineages[0].root, *works)}
    ordered = question.ordered(", the most built upon first" if improved else "")
    return asked.listed(
        works,
        f"{said}{question.years}, {steps}{ordered}{asked.exception}",
        sum(each.total for each in lineages) + len(further),
        statements=[statement for edge in edges for statement in edge.statements],
        notes=notes,
        said={
            end: sentence_of(statement)
            for edge in edges
            for end in ((edge.parent,) if way is UP and len(lineages) == 1 else (edge.child,))
            for statement in edge.statements[::-1]
        },
        derivations={
            edge.child: _relation(ends, edge)
            for edge in sorted(edges, key=lambda edge: edge.confidence)
            if way is not UP and edge.child in ends and edge.parent in ends
        },
        about=(work,),
    )


def _traced(
    asked: Asked,
    work: Work,
    chosen: Selection,
    directions: Sequence[LineageDirection],
    improved: bool,
) -> tuple[list[Lineage], bool]:
    """Return the lineages of a work, and whether only what `improved` it is in them. What is left
    out is said: of descendants, general terms, unless there is nothing else."""

    def traced(of_each: Callable[[LineageDirection], Selection]) -> tuple[list[Lineage], int]:
        lineages = [
            trace(asked.reader, work.id, of_each(e).changed(direction=e)) for e in directions
        ]
        return lineages, sum(each.total for each in lineages)

    # How many there are in all takes no sentences.
    _, total = traced(lambda _: chosen.changed(first=0)) if DOWN in directions else ([], 0)
    if improved:
        direct = chosen.changed(relations=(RelationType.IMPROVES_ON,), max_depth=1)
        found, number = traced(lambda _: direct)
        if number:
            asked.remark(f"What builds or improves on it in all: {total:,}.")
            return found, True
    # What a work builds on stays, with what is marked as a common term.
    named = chosen.changed(include_general=False, direction=DOWN)
    found, number = traced(lambda direction: named if direction is DOWN else chosen)
    if not number:
        return traced(lambda _: chosen)[0], False
    if number < total:
        left_out = set[str]()
        traverse(asked.reader, work.id, named, left_out)
        names = [quoted(each) for each in asked.reader.works(sorted(left_out)).values()][:_NAMED]
        asked.remark(f"Left out: {total - number:,}, by common terms such as {joined(names)}.")
    return found, False


def _relation(works: Mapping[str, Work], edge: LineageEdge) -> str:
    """Return what an edge says of its child: "builds on LoRA"."""
    return f"{joined(relation.words for relation in edge.relations)} {quoted(works[edge.parent])}"


def two(asked: Asked, ends: Sequence[Work], side_by_side: bool = False) -> Answer:
    """Two works: how one is related to the other, or both side by side."""
    reader, (one, other), (left, right) = asked.reader, (e.id for e in ends), map(quoted, ends)
    path = find_path(reader, one, other, _FARTHEST, comparisons=not side_by_side)
    on_way = reader.works(path.works if path.edges else [one, other])
    steps = [f"{quoted(on_way[edge.child])} {_relation(on_way, edge)}" for edge in path.edges]
    stated = [statement for edge in path.edges for statement in edge.statements]
    # Edges lead from one to the other if each begins where the one before ends.
    leads = [edge.child for edge in path.edges] == path.works[:-1] != []
    descends = leads or [edge.parent for edge in path.edges] == path.works[:-1] != []
    understood, listed = f"how {left} is related to {right}", [*on_way.values()]
    said: Mapping[str, str] | None = {
        edge.child: sentence_of(statement)
        for edge in path.edges
        for statement in edge.statements[::-1]
    }
    text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
    ancestors = [] if descends else _shared(reader, ends, UP)[:_NAMED]
    descent = [f"both descend from {joined(map(quoted, ancestors))}"] if ancestors else []
    neither = ["Neither descends from the other"] if steps and not descends else []
    text = "; ".join((*neither, text, *descent))
    if side_by_side:
        sides, both = compare(reader, one, other), reader.neighbours([one, other], UP)
        understood, listed = f"{left} and {right} side by side", [*ends]
        stated, said = [*sides.statements], None
        shared = {e.name: None for aspect in sides.aspects.values() for e in aspect.shared}
        dates = (f" ({e.published})" * bool(e.published) for e in (sides.left, sides.right))
        dated = joined(name + date for name, date in zip((left, right), dates, strict=True))
        facts = [f"{dated} side by side"]
        facts += [f"both name {joined([*shared][:_NAMED])}"] if shared else []
        for name, end in zip((left, right), (one, other), strict=True):
            own = [each for each in both.get(end, ()) if each not in (one, other)][:_NAMED]
            named = joined(map(quoted, reader.works(own).values()))
            facts += [f"{name} builds on {named}"] if own else []
        for each in [statement for statement in stated if statement.comparison][:1]:
            better, worse = map(quoted, sorted(ends, key=lambda end: end.id == each.entity))
            facts.append(f"{better} {each.relation.words} {worse}: {each.comparison}")
        text = "; ".join(steps * descends + facts + descent)
        listed += [*sides.compared_by, *reader.works(_ranked(asked, ends)).values()]
    works = [*{each.id: each for each in listed}.values()]
    return asked.listed(
        works, understood, None, f"{text}.", statements=stated, about=(*ends,), said=said
    )


def common(asked: Asked, ends: Sequence[Work], way: LineageDirection) -> Answer:
    """The works that two works both descend from, or that both lead to, the nearest first."""
    names = joined(map(quoted, ends))
    said = f"what {names} both build on" if way is UP else f"what builds on both {names}"
    shared = in_order(asked, _shared(asked.reader, ends, way))
    return asked.listed(shared, said, about=(*ends[:2],))


def _shared(reader: Reader, ends: Sequence[Work], way: LineageDirection) -> list[Work]:
    """Return the works that are in the lineages of all `ends`, the nearest first."""
    chosen = Selection(direction=way, max_depth=DEEPEST_LINEAGE, first=LARGEST_LINEAGE)
    lineages = [trace(reader, end.id, chosen) for end in ends]
    depths = [{node.work.id: node.depth for node in each.nodes} for each in lineages]
    shared = [node.work for node in lineages[0].nodes if all(node.work.id in one for one in depths)]
    return sorted(shared, key=lambda e: (is_general(e), sum(one[e.id] for one in depths)))


def profile(asked: Asked, work: Work) -> Answer:
    """A work, the papers that introduce it, and those that name it, the most about it first."""
    reader = asked.reader
    naming = reader.papers_naming([work.id])[work.id]
    first = _introducing(reader, work)
    listed = reader.works(list(dict.fromkeys([work.id, *first, *_ranked(asked, [work]), *naming])))
    origin = listed[first[0]] if first else work
    date = str(reader.published([work.id]).get(work.id, ""))
    said = f"{quoted(work)} ({', '.join(filter(None, (kind_of(work), date)))})"
    if isinstance(work, Entity):
        said += f", also {joined(work.aliases[:_NAMED], 'or')}" if work.aliases else ""
        said += f", introduced in {quoted(origin)}" if first else ", introduced by no paper here"
    authors = origin.authors if isinstance(origin, Paper) else ()
    names = [author.name for author in authors[:_MOST_AUTHORS]]
    names += [f"{more} more"] if (more := len(authors) - len(names)) > 0 else []
    said += f" by {joined(names)}" if names else ""
    for form, known, unknown in (("when", date, "date is"), ("who", authors, "authors are")):
        if not known and form in asked.question.parsed.forms:
            said = f"No {unknown} known here of {quoted(origin)}. {said}"
    children = reader.neighbours([work.id], DOWN)[work.id]
    few = reader.works(children if len(children) <= _SOME else ())
    named = f" ({joined(map(quoted, few.values()))})" if few else ""
    text = f"{said}; papers that name it: {len(naming):,}; what builds on it directly: "
    stated = reader.statements([work.id], first=_MOST_STATEMENTS)[work.id]
    return asked.listed(
        [*listed.values()],
        f"everything about {quoted(work)}",
        text=f"{text}{len(children):,}{named}.",
        statements=stated,
        said={statement.subject: sentence_of(statement) for statement in stated[::-1]},
        about=(work,),
    )


def _ranked(asked: Asked, works: Sequence[Work]) -> list[str]:
    """Return the papers (ids) that name all of some works, the most about the question first."""
    named = papers_filter(asked.reader, EVERYTHING, [Criterion((work.id,)) for work in works])
    text = " ".join((*(f'"{work.name}"' for work in works), asked.topic, *asked.others))
    question = asked.whole if asked.topic or asked.others else ""
    ranked, _ = papers_about(asked.reader, text, named, _NAMING_BOTH, question=question)
    return [paper.id for paper in ranked]


def _introducing(reader: Reader, work: Work) -> list[str]:
    """Return the papers (ids) that introduce a work, those first that are called so; of a general
    term, of which a paper introduces what it calls its own, only these and those of its date."""
    papers = reader.works(reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id])
    dates = reader.published([work.id, *papers])
    names = re.compile("|".join(re.escape(spelling) for spelling in spellings(work)), re.IGNORECASE)
    surely = {e.id for e in papers.values() if names.search(e.name)}
    surely |= {paper for paper in papers if dates.get(paper, "") == dates.get(work.id)}
    return sorted(surely if is_general(work) else papers, key=lambda each: each not in surely)


def of_work(asked: Asked, work: Work, form: str, kind: Kind) -> Answer:
    """What the papers that introduce a work use, compare with, run on or are evaluated on, as the
    form of the question says; if there is nothing, what those that name it use or run on."""
    words, relations = OF_WORK[form]
    kinds = kind.kinds if form in ("introduces", "uses", "compares_with") else ()
    if form == "compares_with" and kinds in OF_KIND:  # "Did it beat vLLM, and on what GPUs?"
        kinds = ()
    if kinds in OF_KIND and form == "uses":
        relations = OF_KIND[kinds]
    chosen = asked.question.selection.changed(
        kinds=kinds, relations=tuple(map(RelationType, relations)), order=None
    )
    conditions = Conditions(asked.question.selection, criteria=[Criterion((work.id,))])
    if isinstance(work, Entity):
        conditions.criteria[0] = Criterion((work.id,), (RelationType.INTRODUCES,))
    is_limit = form == "limits"
    improved = _derived_from(asked.reader, work, RelationType.IMPROVES_ON) if is_limit else []
    matches, said = improved or named_in(asked, conditions, chosen), f"{words} {quoted(work)}"
    if form == "uses":
        known = {match.entity.id for match in matches}
        parts = _derived_from(asked.reader, work, RelationType.BUILDS_ON)
        matches = [*matches, *(part for part in parts if part.entity.id not in known)]
    # The baselines of whoever names a work are no baselines of the work.
    if not matches and form in _OF_USERS:
        conditions.criteria = [Criterion((work.id,))]
        matches = named_in(asked, conditions, chosen)
        said = f"{words} papers that name {quoted(work)}"
    matches = [match for match in matches if match.entity != work]
    if kind.members and (of_class := [e for e in matches if e.entity.id in kind.members]):
        matches, said = of_class, f"{kind.noun} that are {said}"
    first = _introducing(asked.reader, work) if is_limit else []
    papers = [*asked.reader.works(first).values()]
    answer = matched(asked, matches, said, papers)
    for wanted in asked.works(form):
        meant, said = entities_meant(asked.reader, wanted), RelationType(form.upper()).words
        says = f"Nothing here says that {quoted(work)} {said} {quoted(wanted)}."
        if meant & {*asked.reader.neighbours([work.id], UP).get(work.id, ())}:
            says = f"{quoted(work)} builds or improves on {quoted(wanted)}."
        for fact in [match for match in matches if match.entity.id in meant][:1]:
            stated = max(fact.statements, key=lambda statement: bool(statement.comparison))
            how = f": {stated.comparison}" if stated.comparison else ""
            says = f"Yes: {quoted(work)} {stated.relation.words} {fact.entity.name}{how}."
        works = sorted(answer.works, key=lambda each: each.id not in meant)
        answer = replace(answer, text=f"{says} {answer.text}", works=tuple(works))
    # The sentences in which abstracts say what was wrong before.
    limits = {
        paper.id: " ".join(part for part in ENDS.split(paper.abstract) if _LIMIT.search(part))
        for paper in papers
        if isinstance(paper, Paper)
    }
    return replace(answer, said={**answer.said, **limits})


def _derived_from(reader: Reader, work: Work, relation: RelationType) -> list[EntityMatch]:
    """Return what a work builds on, or improves on, by whatever states it."""
    chosen = Selection(direction=UP, max_depth=1, relations=(relation,))
    lineage = trace(reader, work.id, chosen)
    works = {node.work.id: node.work for node in lineage.nodes}
    return [
        EntityMatch(parent, edge.statements)
        for edge in lineage.edges
        if isinstance(parent := works.get(edge.parent), Entity) and edge.child == lineage.root.id
    ]


def alternatives(asked: Asked, work: Work) -> Answer:
    """What papers that compare with a work introduce of its kind."""
    conditions = Conditions(asked.question.selection)
    conditions.add(asked.reader, work, "compares_with")
    kinds = (work.kind,) if isinstance(work, Entity) else ()
    matches = named_in(asked, conditions, chosen_of(asked, kinds, introduced=True))
    return matched(asked, matches, f"alternatives introduced by {conditions}")


def versions(asked: Asked, work: Work) -> Answer:
    """The versions of a work, by the numbers after its name, the highest first; of a work without,
    what builds on it, the newest first, and what is called after it."""
    name = asked.spans("main")[0].text if len(asked.spans("main")) == 1 else work.name
    version = re.compile(rf"(?i){re.escape(name)}[ .v-]*(\d+(?:\.\d+)*)(?!\d|[bmk]|[a-z]{{2}})")
    alike = asked.reader.page(WorkType.ENTITY, Selection(text=name, first=MOST_RESULTS)).items
    numbers = {each.id: match[1] for each in alike if (match := version.match(each.name))}
    if not numbers:  # What is called after it, as Flow-GRPO is.
        after = re.compile(rf"(?<![A-Z]){re.escape(work.name)}(?![a-z])")
        called = [each for each in alike if after.search(each.name) and not is_general(work)]
        return lineage(asked, work, DOWN, order=PageOrder.NEWEST, called=called)
    versions = sorted(
        (each for each in alike if each.id in numbers),
        key=lambda each: ([*map(int, numbers[each.id].split("."))], -len(each.name)),
        reverse=True,
    )
    notes = {id_: f"version {number}" for id_, number in numbers.items()}
    return asked.listed(versions, f"versions of {name}, the highest first", notes=notes)


def similar(asked: Asked, work: Work) -> Answer:
    """The papers that share most with a work, or the papers that introduce it: the entities that
    they name, of which few others do; above all those that introduce one."""
    reader = asked.reader
    own = reader.papers_naming([work.id], [RelationType.INTRODUCES]).get(work.id) or [work.id]
    named = [work.id, *chain(*reader.entities_named(own).values())][:_MOST_SHARED]
    shared = reader.works(dict.fromkeys(named)).values()
    topics = [Topic(tuple(spellings(each)), (each.id,)) for each in shared]
    ranked = reader.ranked(topics, Selection(first=_MOST_ALIKE))
    introduce = {*chain(*reader.papers_naming(named, [RelationType.INTRODUCES]).values())}
    ranked.sort(key=lambda ranked: -ranked.score * (2 if ranked.id in introduce else 1))
    alike = reader.works([each.id for each in ranked if each.id not in own])
    return asked.listed([*alike.values()], f"papers that share most with {quoted(work)}")
