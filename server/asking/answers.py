"""The answers to questions, each from one view of the graph."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from stemma.graph import Criterion, LineageDirection, Reader, Selection, Work, WorkType, trace
from stemma.graph.comparing import compare
from stemma.graph.edge import LineageEdge
from stemma.graph.lineage import Lineage, traverse
from stemma.graph.matching import Topic
from stemma.graph.path import find_path
from stemma.graph.reader import kind_of, spellings
from stemma.graph.searching import EntityMatch, entities_where, papers_filter, passes
from stemma.graph.selection import DEEPEST_LINEAGE, LARGEST_LINEAGE, MOST_RESULTS, PageOrder
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, content_words, sentence_of
from stemma.server.asking.asked import Asked, content, is_general, joined, names_in, quoted
from stemma.server.asking.conditions import Conditions, conditions, excluding
from stemma.server.asking.question import PATTERNS, VERBS, is_noun, kinds_of, number_of
from stemma.server.asking.ranking import by_date, meeting, papers_about
from stemma.server.asking.reading import LINEAGE, Reading

_MOST_AUTHORS, _NAMED, _NAMING_BOTH, _MOST_DERIVED, _FARTHEST = 8, 3, 100, 1000, 6
_MOST_STATEMENTS, _MOST_SHARED, _MOST_ALIKE, _SOME, _ENOUGH = 100, 40, 100, 5, 10
DOWN, UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_OF_KIND: Mapping[tuple[EntityKind, ...], tuple[str, ...]] = {
    (EntityKind.HARDWARE,): ("RUNS_ON", "USES"),
    (EntityKind.DATASET,): ("EVALUATED_ON", "USES", "INTRODUCES"),
}
"""The relations of papers to what they use of a kind, whatever the verb."""
_NOUNS = {"COMPARES_WITH": "baselines", "EVALUATED_ON": "datasets", "RUNS_ON": "hardware"}
"""What is asked for by a verb alone: "what does PipeDream compare with"."""
_BASELINES = ("baseline", "competitor", "rival")
_MAIN = RelationType.INTRODUCES, RelationType.EVALUATED_ON
_INTRODUCED, _UNSAID, _FAR, _WANTED, _ELSEWHERE = 5, 0.1, 5, 100, 2
"""How much more a paper is about what it introduces, or evaluates on; what a sentence counts that
says nothing of the topic, to which 1 is added if it says all; the place at which a paper is half as
much about the topic as the first; how many are asked what they name, even if they match less well;
and what is added to all papers that name something, of which it counts how many are on the topic.
"""
_TO_READ_FIRST = " that most others build on directly"


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
    given, question = PATTERNS["steps"].search(asked.text), asked.question
    if order and not question.selection.order:
        question = replace(question, selection=question.selection.changed(order=order))
    depth = min(number_of(given["steps"] or "one"), DEEPEST_LINEAGE) if given else DEEPEST_LINEAGE
    needs_all = improved or called or UP in directions or question.selection.order
    most = LARGEST_LINEAGE if needs_all else asked.first
    chosen = question.selection.changed(kinds=kinds_of(noun), max_depth=max(depth, 1), first=most)
    improved &= directions == (DOWN,)
    found, improved = _traced(asked, work, chosen.changed(order=None), directions, improved)
    name, way = quoted(work), found[0].direction
    if len(found) > 1:
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
    elif way is UP:
        said = f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on"
    else:
        act = "improves on" if improved else "builds or improves on"
        said = f"{noun} that {act.replace('s ', ' ')}" if noun else f"what {act}"
        said += f" {name}"
    steps = f"in up to {depth} steps" if given else "in all"
    steps = "directly" if depth <= 1 or improved else steps
    nodes = [node for each in found for node in each.nodes]
    depths, notes = {node.work.id: node.depth for node in nodes}, dict[str, str]()
    works = _ordered(asked, [node.work for node in nodes], question.selection.order)
    if len(found) > 1:
        notes = {node.work.id: e.direction[:-1] for e in found for node in e.nodes}
    elif way is UP:
        for each in works:
            notes[each.id] = "directly" if depths[each.id] == 1 else f"in {depths[each.id]} steps"
        if (direct := sum(each == 1 for each in depths.values())) < len(works) and not given:
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
    edges = [e for each in found for e in each.edges if not out & {e.child, e.parent}]
    ends = {each.id: each for each in (found[0].root, *works)}
    ordered = question.ordered(", the most built upon first" if improved else "")
    return asked.listed(
        works,
        f"{said}{question.years}, {steps}{ordered}{asked.exception}",
        sum(each.total for each in found) + len(further),
        statements=[each for edge in edges for each in edge.statements],
        notes=notes,
        said={
            end: sentence_of(each)
            for edge in edges
            for end in ((edge.parent,) if way is UP and len(found) == 1 else (edge.child,))
            for each in edge.statements[::-1]
        },
        derivations={
            edge.child: _derivation(ends, edge).partition(" ")[2]
            for edge in sorted(edges, key=lambda each: each.confidence)
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
        found = [trace(asked.reader, work.id, of_each(e).changed(direction=e)) for e in directions]
        return found, sum(each.total for each in found)

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


def _derivation(works: Mapping[str, Work], edge: LineageEdge) -> str:
    """Return what an edge says: "QLoRA builds on LoRA"."""
    relations = joined(each.words for each in edge.relations)
    return f"{quoted(works[edge.child])} {relations} {quoted(works[edge.parent])}"


def two(asked: Asked, ends: Sequence[Work], act: str = "", side_by_side: bool = False) -> Answer:
    """Two works: how one is related to the other, whether it does what the verb `act` says to the
    other, or both side by side."""
    reader, (one, other), (left, right) = asked.reader, (e.id for e in ends), map(quoted, ends)
    sides, farthest = compare(reader, one, other), 1 if act and act not in LINEAGE else _FARTHEST
    path = find_path(reader, one, other, farthest, comparisons=not (act or side_by_side))
    on_way = reader.works(path.works if path.edges else [one, other])
    steps = [_derivation(on_way, each) for each in path.edges]
    stated = [each for edge in path.edges for each in edge.statements]
    # Edges lead from one to the other if each begins where the one before ends.
    leads = [each.child for each in path.edges] == path.works[:-1] != []
    descends = leads or [each.parent for each in path.edges] == path.works[:-1] != []
    understood, listed = f"how {left} is related to {right}", [*on_way.values()]
    if side_by_side:
        understood, listed = f"{left} and {right} side by side", [*ends]
        stated = [*sides.statements]
        shared = {e.name: None for aspect in sides.aspects.values() for e in aspect.shared}
        both, parents = [*shared][:_NAMED], reader.neighbours([one, other], UP)
        dates = (f" ({e.published})" * bool(e.published) for e in (sides.left, sides.right))
        dated = joined(name + date for name, date in zip((left, right), dates, strict=True))
        said = f"{dated} side by side{f'; both name {joined(both)}' if both else ''}"
        for name, end in zip((left, right), (one, other), strict=True):
            own = [each for each in parents.get(end, ()) if each not in (one, other)][:_NAMED]
            named = joined(map(quoted, reader.works(own).values()))
            said += f"; {name} builds on {named}" if own else ""
        steps = ["; ".join(steps) + f". {said}" if descends else said]
        for each in [each for each in stated if each.comparison][:1]:
            better, worse = map(quoted, sorted(ends, key=lambda end: end.id == each.entity))
            steps[0] += f". {better} {each.relation.words} {worse}: {each.comparison}"
    elif act:
        relations = [RelationType(each) for each in VERBS[act][1]]
        direct = [e for e in sides.statements if e.entity == other and e.relation in relations]
        if direct:
            steps, stated = [f"Yes: {left} {direct[0].relation.words} {right}"], direct + stated
        elif not (leads and act in LINEAGE):
            steps.insert(0, f"Nothing here says that {left} {relations[0].words} {right}")
    text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
    if side_by_side or act:
        criteria = Criterion((one,)), Criterion((other,))
        naming = Selection(criteria=criteria, order=PageOrder.PUBLISHED, first=_NAMING_BOTH)
        listed += [*sides.compared_by, *reader.page(WorkType.PAPER, naming).items]
    works = [*{each.id: each for each in listed}.values()]
    return asked.listed(works, understood, None, f"{text}.", statements=stated, about=(*ends,))


def profile(asked: Asked, work: Work) -> Answer:
    """A work, the papers that introduce it, and those that are most about it."""
    reader = asked.reader
    naming = reader.papers_naming([work.id])[work.id]
    first = _introducing(reader, work)
    ranked = [each.id for each in papers_about(reader, f'"{work.name}"')[0]]
    listed = reader.works(list(dict.fromkeys([work.id, *first, *ranked, *naming])))
    origin = listed[first[0]] if first else work
    date = str(reader.published([work.id]).get(work.id, ""))
    facts = (kind_of(work), date)
    said = f"{quoted(work)} ({', '.join(filter(None, facts))})"
    if isinstance(work, Entity):
        said += f", also {joined(work.aliases[:_NAMED], 'or')}" if work.aliases else ""
        said += f", introduced in {quoted(origin)}" if first else ", introduced by no paper here"
    authors = origin.authors[:_MOST_AUTHORS] if isinstance(origin, Paper) else ()
    said += f" by {joined(each.name for each in authors)}" if authors else ""
    for cue, known, unknown in (("when", date, "date is"), ("who", authors, "authors are")):
        if not known and PATTERNS[cue].search(asked.question.text):
            said = f"No {unknown} known here of {quoted(origin)}. {said}"
    children = reader.neighbours([work.id], DOWN)[work.id]
    names = map(quoted, reader.works(children).values()) if len(children) <= _SOME else ()
    named = f" ({joined(names)})" if children and names else ""
    text = f"{said}; papers that name it: {len(naming):,}; what builds on it directly: "
    return asked.listed(
        [*listed.values()],
        f"everything about {quoted(work)}",
        text=f"{text}{len(children):,}{named}.",
        statements=reader.statements([work.id], first=_MOST_STATEMENTS)[work.id],
        about=(work,),
    )


def _introducing(reader: Reader, work: Work) -> list[str]:
    """Return the papers (ids) that introduce a work, those first that are called so; of a general
    term, of which a paper introduces what it calls its own, only these and those of its date."""
    papers = reader.works(reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id])
    dates = reader.published([work.id, *papers])
    names = re.compile("|".join(re.escape(each) for each in spellings(work)), re.IGNORECASE)
    surely = {e.id for e in papers.values() if names.search(e.name)}
    surely |= {each for each in papers if dates.get(each, "") == dates.get(work.id)}
    return sorted(surely if is_general(work) else papers, key=lambda each: each not in surely)


def papers(asked: Asked, text: str, *, of_authors: bool = False) -> Answer:
    """Papers that meet the conditions of a text, or their authors."""
    found = conditions(asked, text)
    answer = (_authors if of_authors else _listed)(asked, found)
    if answer.total or not (found.topic and found.phrases):
        return answer
    # Of what no paper meets, the topic is what a search may have in other words.
    of_any_topic = _listed(asked, replace(found, topic=""))
    return replace(of_any_topic, text=f"{answer.text} {of_any_topic.text}")


def search(asked: Asked, noun: str = "", first: Sequence[Work] = ()) -> Answer | None:
    """Return what matches a question best: the entities that it names, or the `first`, which `noun`
    says, then papers."""
    text = content(asked.typed(asked.text))
    if not text:
        return None
    found = excluding(asked, Conditions(asked.question.selection, text))
    names = [each.work for each in names_in(asked.reader, text, sure=True)]
    entities = {e.id: e for e in names if isinstance(e, Entity) and not e.general}
    answer = _listed(asked, found, first or [*entities.values()])
    if not first or answer.total == len(first):
        return answer
    text = f"{noun[:1].upper()}{noun[1:]}: {len(first)}. {answer.text}"
    return replace(answer, text=text, understood_as=f"{noun}, and {answer.understood_as}")


def _listed(asked: Asked, found: Conditions, named: Sequence[Work] = ()) -> Answer:
    """Return the papers that meet conditions, after the entities that are `named`."""
    ordered = asked.question.ordered(", the best match first" if found.topic else "")
    works, statements, total = meeting(asked, found)
    named = named if works or not asked.question.years else ()
    is_part = asked.is_part and found.topic and works
    others = f", of those that {joined(found.phrases)}" if found.phrases else ""
    text = f"No paper here is about {found.topic}{others}; nearest: {total}." if is_part else ""
    if PATTERNS["yearly"].search(asked.text):
        dates = asked.reader.published([each.id for each in works]).values()
        chosen = papers_filter(asked.reader, found.selection, found.criteria)
        years = Counter(each.year for each in dates) if found.topic else None
        by_year = years or asked.reader.papers_by_year(chosen)
        dated = {str(year): number for year, number in by_year.items() if year}
        said = ", ".join(f"{year}: {dated[year]:,}" for year in sorted(dated))
        asked.remark(f"Of {said}; without a year: {total - sum(dated.values()):,}.")
    understood = f"{found}{asked.unless}{asked.question.years}{ordered}"
    cited = [each.id for each in works] if "cited" in asked.question.introductory else []
    citing = asked.reader.cited_by(cited).items()
    notes = {id_: f"cited by {quantity(len(own), 'paper')}" for id_, own in citing}
    return asked.listed(works, understood, total, text, named, statements, notes=notes)


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
    return asked.listed(works, understood, total, text)


def entities(seen: Reading) -> Answer | None:
    """Entities of a kind or class: all, those that papers about a topic name, or a work names."""
    asked, head, kinds, members = seen.asked, seen.head, seen.head.kinds, seen.head.members
    if not head.is_meant:
        return None
    if (work := of_what(seen)) and not is_general(work) and not members:
        verb = seen.verb(*VERBS)
        return of_work(asked, work, head.noun, verb.name if verb and verb.subjects else "")
    introduced = any(each.name == "INTRODUCES" and not each.objects for each in seen.verbs)
    # Papers on NeMo may introduce "frameworks other than NeMo".
    says_how = any(words.strip() for words, _ in asked.exceptions)
    found = conditions(asked, head.rest, excepting=says_how)
    uses = seen.cue("superlative") or seen.has_verb("USES")
    if len(seen.works) == 1 and "compared" in seen.text and not seen.left():
        return of_work(asked, seen.works[0], head.noun, "COMPARES_WITH")
    before = "" if is_noun(head.topic) else asked.typed(head.topic)  # "Benchmark datasets".
    topic = " ".join(filter(None, (before, found.topic)))
    if not topic and all(each.excluded for each in found.criteria) and not found.selection.authors:
        return _all(seen, bool(uses) and not introduced)
    chosen = _chosen(asked, () if members else kinds, introduced, "" if members else "about")
    if found.criteria and not found.topic:
        # Of the kind of what they compare with, where none is asked for.
        said = f"{head.noun} {'in' if members else 'introduced by'} {found}"
        chosen = chosen if members else chosen.changed(relations=(RelationType.INTRODUCES,))
    else:
        # Of papers that use such things at all.
        those = asked.question.selection.changed(relations=chosen.relations[: kinds in _OF_KIND])
        found = replace(found, selection=those, topic=topic)
        said = f"{head.noun} {'introduced ' * introduced}in {found}"
    if members:
        found.criteria.append(Criterion(tuple(members)))
    by_count = bool(members or kinds == (EntityKind.HARDWARE,) or uses)
    matches = _named_in(asked, found, chosen, by_count, members)
    if not head.lists:
        works = _ordered(asked, [each.entity for each in matches])
        return search(asked, head.noun, works[:_SOME])
    return _matched(asked, matches, said)


def of_what(seen: Reading) -> Work | None:
    """Return the work whose hardware, datasets or baselines are asked for, if it is one."""
    verb, one = seen.verb(*VERBS), seen.works[0] if len(seen.works) == 1 else None
    if seen.left() or seen.is_class:
        return None
    return one if not verb or (verb.subjects and not verb.objects) else None


def of_work(asked: Asked, work: Work, noun: str = "", verb: str = "") -> Answer:
    """What the papers that introduce a work use, compare with, run on or are evaluated on; if there
    is nothing, what those about it do."""
    noun = noun or _NOUNS.get(verb, "things")
    kinds, is_baseline = kinds_of(noun), noun.casefold().removesuffix("s") in _BASELINES
    means = "USES" if noun == "things" else "about"
    means = "COMPARES_WITH" if is_baseline or verb == "COMPARES_WITH" else means
    chosen = _chosen(asked, kinds, verb == "INTRODUCES", means)
    own = Conditions(asked.question.selection, criteria=[Criterion((work.id,))])
    if isinstance(work, Entity):
        own.criteria[0] = Criterion((work.id,), (RelationType.INTRODUCES,))
    those = asked.question.selection.changed(relations=chosen.relations[: kinds in _OF_KIND])
    about = Conditions(those, work.name)
    matches, said = _named_in(asked, own, chosen, kinds in _OF_KIND), f"{noun} of {quoted(work)}"
    if not matches:
        matches, said = _named_in(asked, about, chosen, kinds in _OF_KIND), f"{noun} in {about}"
    if means == "COMPARES_WITH" and "compared" in asked.text:  # By whomever.
        _, comparing = _comparing(asked, work, kinds)
        every = {each.entity.id: each for each in (*matches, *comparing)}
        matches, said = [*every.values()], f"{noun} compared with {quoted(work)}"
    matches = [each for each in matches if each.entity != work]
    return _matched(asked, matches, said)


def alternatives(asked: Asked, work: Work) -> Answer:
    """What papers that compare with a work introduce of its kind."""
    found, matches = _comparing(asked, work)
    return _matched(asked, matches, f"alternatives introduced by {found}")


def _comparing(
    asked: Asked, work: Work, kinds: tuple[EntityKind, ...] = ()
) -> tuple[Conditions, list[EntityMatch]]:
    """Return what papers that compare with a work introduce of these kinds, or else of its own."""
    found = Conditions(asked.question.selection)
    found.add(asked.reader, work, "COMPARES_WITH")
    kinds = kinds or ((work.kind,) if isinstance(work, Entity) else ())
    return found, _named_in(asked, found, _chosen(asked, kinds, introduced=True))


def introducing(seen: Reading) -> Answer | None:
    """Papers that introduce what is asked for, on a topic if there is one."""
    asked, head = seen.asked, seen.head
    if not head.is_meant:
        return None
    about = Conditions(asked.question.selection, content(asked.typed(f"{head.topic} {head.rest}")))
    chosen = _chosen(asked, head.kinds, introduced=True)
    matches = _named_in(asked, about, chosen, members=head.members)
    stated = {each.subject: each for match in matches for each in match.statements}
    works = [each for each in meeting(asked, about, _WANTED)[0] if each.id in stated]
    said = f"papers{f' on {about.topic}' if about.topic else ''} that introduce {head.noun}"
    return asked.listed(works, f"{said}{asked.question.years}", statements=stated.values())


def _chosen(
    asked: Asked, kinds: tuple[EntityKind, ...], introduced: bool = False, verb: str = "about"
) -> Selection:
    """Return a selection of entities by what papers state of them."""
    relations = _OF_KIND.get(kinds, VERBS[verb][1]) if verb else ()
    return asked.question.selection.changed(
        kinds=kinds,
        relations=tuple(map(RelationType, ("INTRODUCES",) if introduced else relations)),
        # "Model" is no model.
        general=False if kinds == (EntityKind.MODEL,) else None,
        order=None,
    )


def _named_in(
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
            each.subject: (_INTRODUCED if each.relation in _MAIN else 1)
            * (_UNSAID + len(words & content_words(sentence_of(each))) / max(len(words), 1))
            * weights[each.subject]
            for each in match.statements[::-1]
        }
        share = len(by_paper) / (len(naming[match.entity.id]) + _ELSEWHERE) if words else 1
        # "KV cache" and "GPU" are seldom what is asked for.
        is_own = not match.entity.general
        return is_own, by_count * len(by_paper), sum(by_paper.values()) * share

    every, those = chosen.changed(first=MOST_RESULTS), [Criterion(tuple(weights))]
    named = entities_where(reader, those, every).items if papers else ()
    kept = [each for each in named if not members or each.entity.id in members]
    naming = reader.papers_naming([each.entity.id for each in kept])
    topic = [each.work for each in names_in(reader, found.topic)]
    others = [each for each in kept if members or each.entity not in topic]
    return sorted(others or kept, key=weight, reverse=True)


def _matched(asked: Asked, matches: Sequence[EntityMatch], said: str) -> Answer:
    """Return the answer with entities that papers name, each with the number of these."""
    numbers = {e.entity.id: len({each.subject for each in e.statements}) for e in matches}
    return asked.listed(
        _ordered(asked, [each.entity for each in matches]),
        f"{said}{asked.question.years}{asked.question.ordered()}{asked.exception}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in numbers.items()},
    )


def _ordered(asked: Asked, works: Iterable[Work], order: PageOrder | None = None) -> list[Work]:
    """Return works in an order, by default that which is asked for; if none is, as they are."""
    by_id, order = {each.id: each for each in works}, order or asked.question.selection.order
    ids = by_date(by_id, asked.reader.published(by_id), order) if order else by_id
    return [by_id[each] for each in ids]


def most_built_upon(seen: Reading) -> Answer | None:
    """The works that most others build on, of the kind that is asked for."""
    if "cited" in seen.asked.question.introductory:
        return papers(seen.asked, "")
    seen.asked.question = replace(seen.asked.question, introductory="most built upon")
    return _all(seen)


def _all(seen: Reading, by_use: bool = False) -> Answer | None:
    """Return all entities of a kind or class, those of most papers first (if `by_use`, of the years
    that are asked for); or if they are to be read first, works that most others build on."""
    asked, head, total, ordered = seen.asked, seen.head, None, ""
    reader, question, members = asked.reader, asked.question, head.members
    noun = head.noun if head.is_meant else "papers and entities"
    chosen = _chosen(asked, () if members or not head.is_meant else head.kinds, verb="")
    if question.years and by_use:
        matches = entities_where(reader, (), chosen.changed(first=MOST_RESULTS)).items
        matches = tuple(e for e in matches if not members or e.entity.id in members)
        return _matched(asked, matches, f"{noun} in papers")
    if question.introductory:
        children = reader.most_derived(_MOST_DERIVED)
        works = [*reader.works([e for e in children if not members or e in members]).values()]
        works = [each for each in works if not chosen.kinds or passes(each, chosen)]
        notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
        noun += _TO_READ_FIRST
    else:
        works, ordered = [*members.values()], question.ordered(", those of most papers first")
        if not works:
            order = question.selection.order or PageOrder.PAPERS
            these = Selection(**chosen.given(("kinds", "since", "until")))
            page = reader.page(WorkType.ENTITY, these.changed(order=order, first=asked.first))
            works, total = [*page.items], page.total
        naming = reader.papers_naming([each.id for each in works])
        notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
    if total is None:
        dates = reader.published([each.id for each in works])
        works = [e for e in _ordered(asked, works) if chosen.is_of_years(dates.get(e.id))]
    if not (head.lists or question.selects) and 0 < len(works) < _ENOUGH:
        return search(asked, noun, works)
    understood = f"{noun}{question.years}{ordered}{asked.exception}"
    return asked.listed(works, understood, total, notes=notes)


def versions(asked: Asked, work: Work) -> Answer:
    """The versions of a work, by the numbers after its name, the highest first; of a work without,
    what builds on it, the newest first."""
    name = next(each.text for each in asked.named if each.work == work)
    version = re.compile(rf"(?i){re.escape(name)}[ .v-]*(\d+(?:\.\d+)*)(?!\d|[bmk]|[a-z]{{2}})")
    alike = asked.reader.page(WorkType.ENTITY, Selection(text=name, first=MOST_RESULTS)).items
    numbers = {each.id: found[1] for each in alike if (found := version.match(each.name))}
    if not numbers:
        return lineage(asked, work, DOWN, order=PageOrder.NEWEST)
    versions = sorted(
        (each for each in alike if each.id in numbers),
        key=lambda each: ([*map(int, numbers[each.id].split("."))], -len(each.name)),
        reverse=True,
    )
    notes = {id_: f"version {number}" for id_, number in numbers.items()}
    return asked.listed(versions, f"versions of {name}, the highest first", notes=notes)


def variants(asked: Asked, work: Work) -> Answer:
    """What builds on a work, the newest first, and what is called after it, as Flow-GRPO is."""
    name = re.compile(rf"(?<![A-Z]){re.escape(work.name)}(?![a-z])")
    alike = asked.reader.page(WorkType.ENTITY, Selection(text=work.name, first=MOST_RESULTS)).items
    called = [each for each in alike if name.search(each.name) and not is_general(work)]
    return lineage(asked, work, DOWN, order=PageOrder.NEWEST, called=called)


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
    ranked.sort(key=lambda each: -each.score * (2 if each.id in introduce else 1))
    alike = reader.works([each.id for each in ranked if each.id not in own])
    return asked.listed([*alike.values()], f"papers that share most with {quoted(work)}")
