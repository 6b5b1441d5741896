"""The answers to questions, each from one view of the graph."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from stemma.graph import Criterion, LineageDirection, Reader, Selection, Work, WorkType, trace
from stemma.graph.comparing import compare
from stemma.graph.edge import LineageEdge
from stemma.graph.lineage import Lineage, LineageNode, traverse
from stemma.graph.matching import Topic
from stemma.graph.path import find_path
from stemma.graph.reader import kind_of, spellings
from stemma.graph.searching import (
    EntityMatch,
    entities_where,
    narrower_entities,
    papers_filter,
    passes,
)
from stemma.graph.selection import DEEPEST_LINEAGE, LARGEST_LINEAGE, MOST_RESULTS, LineageOrder, PageOrder
from stemma.schema import Catalogue, Direction, Entity, EntityKind, Paper, RelationType
from stemma.schema.name import match_key
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, content_words, sentence_of
from stemma.server.asking.asked import NAME, Asked, joined, names_in, quoted
from stemma.server.asking.conditions import Conditions, conditions, content, excluding
from stemma.server.asking.question import TABLES, VERBS, filled, kinds_of, number_of
from stemma.server.asking.ranking import by_date, meeting, papers_about
from stemma.server.asking.reading import LINEAGE, SORTS, Head, Reading

_MOST_AUTHORS, _NAMED, _NAMING_BOTH, _MOST_DERIVED = 8, 3, 100, 1000
_MOST_STATEMENTS, _MOST_OF_CLASS, _MOST_SHARED, _MOST_ALIKE = 100, 200, 40, 100
_FEW_OF_CLASS, _SOME, _ENOUGH = 3, 5, 10
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
STEPS = re.compile(f"(?i){filled(TABLES['steps'])}")
"""How many steps of a lineage are asked for."""
_YEARLY = re.compile(r"(?i)\b(?:per|by|each|every) year\b")
_ANY = re.compile(r"(?i)\b(?:which|every|each|any)\b")
_HARDWARE = re.compile("(?i)hardware|devices?")
_OF_KIND: Mapping[tuple[EntityKind, ...], tuple[str, ...]] = {
    (EntityKind.HARDWARE,): ("RUNS_ON", "USES"),
    (EntityKind.DATASET,): ("EVALUATED_ON", "USES", "INTRODUCES"),
}
"""The relations of papers to what they use of a kind, whatever the verb."""
_METHODS = (EntityKind.TECHNIQUE, EntityKind.MODEL, EntityKind.FRAMEWORK)
_INTRODUCED, _UNSAID, _FAR, _WANTED = 3, 0.1, 5, 100
"""How much more a paper is about what it introduces; what a sentence counts that says nothing of
the topic, to which 1 is added if it says all; the place at which a paper is half as much about the
topic as the first; and how many are asked what they name, even if they match less well."""


def lineage(
    asked: Asked,
    work: Work,
    directions: Sequence[LineageDirection],
    noun: str = "",
    order: PageOrder | None = None,
    improved: bool = False,
    called: Sequence[Work] = (),
) -> Answer:
    """The lineage of a work, in one direction or both, of what a noun says; in an order, if none is
    asked for. Of what `improved` it, the works that say so come alone, if any do. What is `called`
    after it follows."""
    chosen = asked.question.selection.changed(order=asked.question.selection.order or order)
    name, question = quoted(work), replace(asked.question, selection=chosen)
    given = STEPS.search(asked.text)
    depth = min(number_of(given["steps"] or "one"), DEEPEST_LINEAGE) if given else DEEPEST_LINEAGE
    chosen = chosen.changed(
        kinds=kinds_of(noun),
        max_depth=max(depth, 1),
        first=LARGEST_LINEAGE if improved or called or _UP in directions else asked.first,
        lineage_order=_ORDERS.get(chosen.order, LineageOrder.DEPTH),  # type: ignore[arg-type]
        order=None,
    )
    found, improved = _traced(asked, work, chosen, directions, improved)
    if len(found) > 1:
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
    elif _UP in directions:
        said = f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on"
    else:
        act = ("improve", "improves") if improved else ("build or improve", "builds or improves")
        said = f"{noun} that {act[0]} on {name}" if noun else f"what {act[1]} on {name}"
    steps = "directly" if depth <= 1 or improved else f"in up to {depth} steps" if given else "in all"
    edges = [
        (edge, each.direction)
        for each in found
        for edge in each.edges
        if not asked.excluded & {edge.child, edge.parent}
    ]
    nodes = [(node, each.direction) for each in found for node in each.nodes]
    notes, ends = {}, [node.work for node, _ in nodes]
    if len(found) > 1:
        notes = {node.work.id: way[:-1] for node, way in nodes}
    elif _UP in directions:
        notes = {node.work.id: _steps_to(node) for node, _ in nodes}
        if not question.selection.order:
            depths = {node.work.id: node.depth for node, _ in nodes}
            ends.sort(key=lambda each: (depths[each.id], is_general(each)))
        if (direct := sum(node.depth == 1 for node, _ in nodes)) < len(nodes) and not given:
            asked.remark(f"Directly: {direct:,}; the others through these.")
    if improved and not question.selection.order:
        children = asked.reader.neighbours([each.id for each in ends], _DOWN)
        ends.sort(key=lambda each: -len(children[each.id]))
    names = {each.id: quoted(each) for each in (found[0].root, *ends)}
    if further := [each for each in called if each.id not in names]:
        ends += further
        notes |= {each.id: f"called after {name}" for each in further}
        asked.remark(f"Called after {name}, and last: {len(further):,}.")
    ordered = ", the most built upon first" if improved else ""
    return asked.listed(
        ends,
        f"{said}{question.years}, {steps}{question.ordered(ordered)}{asked.exception}",
        sum(each.total for each in found) + len(further),
        statements=[each for edge, _ in edges for each in edge.statements],
        notes=notes,
        said={
            (edge.child if way is _DOWN else edge.parent): sentence_of(each)
            for edge, way in edges
            for each in edge.statements[::-1]
        },
        derivations={
            edge.child: f"{joined(each.words for each in edge.relations)} {names[edge.parent]}"
            for edge, way in sorted(edges, key=lambda each: each[0].confidence)
            if way is _DOWN and edge.parent in names
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
    """Return the lineages of a work in some directions, and whether only what `improved` it is
    in them. What is left out is said: of descendants, general terms, unless there is nothing else.
    """

    def traced(selection: Selection) -> list[Lineage]:
        return [trace(asked.reader, work.id, selection.changed(direction=e)) for e in directions]

    every = traced(chosen)
    total = sum(each.total for each in every)
    direct = chosen.changed(relations=(RelationType.IMPROVES_ON,), max_depth=1)
    if improved and (found := traced(direct))[0].nodes:
        asked.remark(f"What builds or improves on it in all: {total:,}.")
        return found, True
    found = traced(chosen.changed(include_general=False))
    named = sum(each.total for each in found)
    if directions == (_UP,) or not named:
        return every, False
    if named < total:
        left_out = set[str]()
        general = chosen.changed(include_general=False, direction=directions[0])
        traverse(asked.reader, work.id, general, left_out)
        names = [quoted(each) for each in asked.reader.works(sorted(left_out)).values()]
        further = total - named - len(names)
        said = f", and {further:,} that follow from these" if further > 0 else ""
        asked.remark(f"Left out as common terms: {joined(names[:_NAMED]) or 'some'}{said}.")
    return found, False


def _steps_to(node: LineageNode) -> str:
    steps = "directly" if node.depth == 1 else f"in {node.depth} steps"
    return f"{steps}, a common term" if is_general(node.work) else steps


def two(
    asked: Asked, ends: Sequence[Work], act: str = "", side_by_side: bool = False
) -> Answer:
    """Two works: how one is related to the other, whether it does what the verb `act` says to the
    other, or both side by side."""
    reader, (one, other) = asked.reader, (each.id for each in ends)
    left, right = map(quoted, ends)
    sides = compare(reader, one, other)
    criteria = Criterion((one,)), Criterion((other,))
    naming = Selection(criteria=criteria, order=PageOrder.PUBLISHED, first=_NAMING_BOTH)
    both = [*sides.compared_by, *reader.page(WorkType.PAPER, naming).items]
    if side_by_side:
        shared = [each.name for aspect in sides.aspects.values() for each in aspect.shared]
        dated = (
            f"{name}{f' ({side.published})' if side.published else ''}"
            for name, side in ((left, sides.left), (right, sides.right))
        )
        said = f"; both name {joined(shared[:_NAMED])}" if shared else ""
        text = f"{joined(dated)} side by side{said}."
        if sides.lineage.edges:
            named = reader.works(sides.lineage.works)
            text = f"{'; '.join(_derivations(named, sides.lineage.edges))}. {text}"
        for each in [each for each in sides.statements if each.comparison][:1]:
            better, worse = map(quoted, sorted(ends, key=lambda end: end.id == each.entity))
            text += f" {better} {each.relation.words} {worse}: {each.comparison}."
        works, stated = [*ends, *both], sides.statements
        understood = f"{left} and {right} side by side"
    else:
        relations = [RelationType(each) for each in VERBS[act][1]] if act else []
        path = find_path(reader, one, other, comparisons=not act)
        on_way = reader.works(path.works if path.edges else [one, other])
        steps = _derivations(on_way, path.edges)
        # The edges lead from one to the other if each begins where the one before ends.
        leads = steps and [each.child for each in path.edges] == path.works[:-1]
        direct = [e for e in sides.statements if e.entity == other and e.relation in relations]
        if direct:
            steps = [f"Yes: {left} {direct[0].relation.words} {right}"]
        elif act and not (leads and act in LINEAGE):
            steps.insert(0, f"Nothing here says that {left} {relations[0].words} {right}")
        text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
        text, understood = f"{text}.", f"how {left} is related to {right}"
        works = [*on_way.values(), *(both if act else ())]
        stated = (*direct, *(each for edge in path.edges for each in edge.statements))
    works = list({each.id: each for each in works}.values())
    return asked.listed(works, understood, None, text, statements=stated, about=tuple(ends))


def _derivations(works: Mapping[str, Work], edges: Iterable[LineageEdge]) -> list[str]:
    """Return what edges say: "QLoRA builds on LoRA"."""
    return [
        f"{quoted(works[edge.child])} {joined(each.words for each in edge.relations)} "
        f"{quoted(works[edge.parent])}"
        for edge in edges
    ]


def beaten(asked: Asked, work: Work, dataset: Work, kinds: tuple[EntityKind, ...]) -> Answer:
    """What papers that are evaluated on a dataset compare with a work: what they introduce of some
    kinds, or themselves; those first that say they are better."""
    reader = asked.reader
    on = {*reader.papers_naming([dataset.id], (RelationType.EVALUATED_ON,))[dataset.id]}
    compared = reader.statements([work.id], (RelationType.COMPARES_WITH,))[work.id]
    stated = {each.subject: each for each in compared if each.subject in on}
    better = {
        id_: bool(each.comparison and each.comparison.direction is Direction.BETTER)
        for id_, each in stated.items()
    }
    main = reader.contributions(stated)
    works = reader.works({*main.values(), *stated})
    listed = {
        works[own if (own := main.get(id_, id_)) in works and passes(works[own], Selection(kinds=kinds)) else id_].id: id_  # noqa: E501
        for id_ in sorted(stated, key=lambda each: (not better[each], each))
    }
    return asked.listed(
        [works[each] for each in listed],
        f"what is compared with {quoted(work)} by papers that are evaluated on {quoted(dataset)}",
        statements=stated.values(),
        said={own: sentence_of(stated[id_]) for own, id_ in listed.items()},
        notes={own: "better" for own, id_ in listed.items() if better[id_]},
    )


def profile(asked: Asked, work: Work) -> Answer:
    """A work, the papers that introduce it, and those that are most about it."""
    reader = asked.reader
    naming = reader.papers_naming([work.id])[work.id]
    first = _introducing(reader, work)
    ranked = [each.id for each in papers_about(reader, f'"{work.name}"')[0]]
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
    statements = reader.statements([work.id], first=_MOST_STATEMENTS)[work.id]
    understood = f"everything about {quoted(work)}"
    works = [*listed.values()]
    return asked.listed(works, understood, None, text, statements=statements, about=(work,))


def _introducing(reader: Reader, work: Work) -> list[str]:
    """Return the papers (ids) that introduce a work, those first that are called so; of a general
    term, of which a paper introduces what it calls its own, only these and those of its date."""
    papers = reader.works(reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id])
    dates = reader.published([work.id, *papers])
    names = re.compile("|".join(re.escape(each) for each in spellings(work)), re.IGNORECASE)
    surely = {e.id for e in papers.values() if names.search(e.name)}
    surely |= {each for each in papers if dates.get(each, "") == dates.get(work.id)}
    return sorted(surely if is_general(work) else papers, key=lambda each: each not in surely)


def is_general(work: Work) -> bool:
    return isinstance(work, Entity) and work.general


def papers(asked: Asked, text: str, *, of_authors: bool = False) -> Answer:
    """Papers that meet the conditions of a text, or their authors."""
    found = conditions(asked, text)
    answer = (_authors if of_authors else _listed)(asked, found)
    if answer.total or not (found.topic and found.phrases):
        return answer
    # Of what no paper meets, the topic is what a search may have in other words.
    found.topic = ""
    of_any_topic = _listed(asked, found)
    return replace(of_any_topic, text=f"{answer.text} {of_any_topic.text}")


def search(asked: Asked, noun: str = "", first: Sequence[Work] = ()) -> Answer | None:
    """Return what matches a question best: the entities that it names, or the `first`, which `noun`
    says, then papers."""
    text = content(asked.typed(asked.text))
    found = excluding(asked, Conditions(asked.question.selection, text))
    if not found.topic:
        return None
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
    understood = f"{found}{asked.unless}{asked.question.years}{ordered}"
    named = named if works or not asked.question.years else ()
    text = f"No paper here is about {found.topic}; nearest: {total}." if asked.is_part and found.topic and total else ""
    if _YEARLY.search(asked.text):
        chosen = papers_filter(asked.reader, found.selection, found.criteria)
        dates = asked.reader.published([each.id for each in works]).values()
        years = Counter(each.year for each in dates) if found.topic else None
        by_year = years or asked.reader.papers_by_year(chosen)
        dated = {str(year): number for year, number in by_year.items() if year}
        said = ", ".join(f"{year}: {dated[year]:,}" for year in sorted(dated))
        asked.remark(f"Of {said}; without a year: {total - sum(dated.values()):,}.")
    return asked.listed(works, understood, total, text, named, statements)


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


@dataclass(slots=True)
class _Things:
    """The entities that a question asks for: of what `noun`, of which `kinds`, or the `members`
    (by id) of a class; with the `topic` before the noun, and the `rest` after it.

    Papers may be meant as well, unless it `is_list`, as with "which" or "all".
    """

    noun: str
    kinds: tuple[EntityKind, ...]
    topic: str
    rest: str
    is_list: bool
    members: Mapping[str, Work] = field(default_factory=dict)


def _things(seen: Reading) -> _Things | None:
    """Return what entities a question asks for, if it does."""
    asked, head = seen.asked, seen.head
    if head.type not in ("entity", "class"):
        return None
    noun, kinds, whole = head.noun, head.kinds, asked.typed(f"{head.topic} {head.noun}".strip())
    things = _Things(asked.typed(noun), kinds, head.topic, head.rest, head.lists)
    is_plural = whole.casefold().endswith(("s", "ware", "corpora"))
    is_one = bool(seen.cue("superlative")) or _ANY.search(head.lead) is not None
    of_class = head.topic or head.type == "class" or kinds == (EntityKind.HARDWARE,)
    sorts = SORTS.search(head.lead) if head.topic or not kinds else None
    if sorts:
        whole = f"{sorts[0]} {whole}"
        things.members = _members(asked.reader, asked.typed(f"{head.topic} {noun}".strip()))
    elif of_class and not _HARDWARE.fullmatch(whole) and (is_plural or kinds or is_one):
        things.members = _members(asked.reader, whole, kinds)
        if head.topic and kinds and not (things.members or head.rest):
            # "Quantization methods" are those that the catalogue has below quantization.
            things.members = _members(asked.reader, asked.typed(head.topic), kinds)
    is_known = len(things.members.keys() & Catalogue.shipped().concepts) >= _FEW_OF_CLASS
    if head.type == "entity" and not sorts:
        things.members = things.members if is_known else {}
        # "Small models", without "which", are what papers are about.
        things.is_list |= (not head.topic and (is_plural or bool(head.rest))) or kinds == (EntityKind.DATASET,)
        is_meant = things.is_list or is_known
    else:
        is_meant = bool(things.members and (head.lead or (is_known and not asked.exceptions)))
        things.is_list &= is_known or bool(seen.cue("superlative"))
    if things.members:
        things.noun, things.topic = whole, ""
    return things if is_meant else None


def entities(seen: Reading) -> Answer | None:
    """Entities of a kind or class: all, those that papers about a topic name, or a work names."""
    if not (things := _things(seen)):
        return None
    asked, noun, kinds, members = seen.asked, things.noun, things.kinds, things.members
    verb = seen.verb(*VERBS)
    subjects = [] if verb is None or verb.objects or seen.left() else verb.subjects
    if verb and subjects and not is_general(subjects[0]) and not members:
        return of_work(asked, verb.subjects[0], noun, kinds, verb.name)
    only_introduced = any(e.name == "INTRODUCES" and not e.objects for e in seen.verbs)
    found = conditions(asked, things.rest)
    topic = " ".join(filter(None, (asked.typed(things.topic), found.topic)))
    if re.fullmatch(NAME, content(things.topic) or content(things.rest)) and not found.criteria:
        named = asked.works(f"{things.topic} {things.rest}")
        if named and not is_general(named[0]) and not members:
            return of_work(asked, named[0], noun, kinds)
    if not topic and all(each.excluded for each in found.criteria) and not found.selection.authors:
        return _all(seen, things)
    chosen = _chosen(asked, kinds if not members else (), only_introduced, members)
    of_class = [Criterion(tuple(members))] if members else []
    if found.criteria and not found.topic:
        # Of the kind of what they compare with, where none is asked for.
        said = f"{noun} {'in' if members else 'introduced by'} {found}"
        found.criteria += of_class
        these = chosen if members else chosen.changed(relations=(RelationType.INTRODUCES,))
    else:
        # Of papers that use such things at all.
        those = asked.question.selection.changed(relations=chosen.relations[: kinds in _OF_KIND])
        found = replace(found, selection=those, topic=topic, criteria=[*found.criteria, *of_class])
        said, these = f"{noun} {'introduced ' * only_introduced}in {found}", chosen
    uses = any(each.name == "USES" for each in seen.verbs) or seen.cue("superlative")
    by_count = members or kinds in _OF_KIND or uses
    matches = _named_in(asked, found, these, bool(by_count))
    matches = [e for e in matches if not members or e.entity.id in members]
    if not things.is_list:
        return search(asked, noun, _ordered(asked, [e.entity for e in matches])[:_SOME])
    return _matched(asked, matches, f"{said}{asked.question.years}{asked.question.ordered()}")


def _chosen(
    asked: Asked,
    kinds: tuple[EntityKind, ...],
    introduced: bool = False,
    members: Mapping[str, Work] | None = None,
    verb: str = "about",
) -> Selection:
    """Return a selection of entities by what papers state of them."""
    relations = () if members else _OF_KIND.get(kinds, VERBS[verb][1])
    return asked.question.selection.changed(
        kinds=kinds,
        relations=tuple(map(RelationType, ("INTRODUCES",) if introduced else relations)),
        # "Model" is no model.
        general=False if kinds == (EntityKind.MODEL,) else None,
        order=None,
    )


def _matched(asked: Asked, matches: Sequence[EntityMatch], understood_as: str) -> Answer:
    """Return the answer with entities that papers name, each with the number of these."""
    return asked.listed(
        _ordered(asked, [each.entity for each in matches]),
        f"{understood_as}{asked.exception}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={
            e.entity.id: quantity(len({each.subject for each in e.statements}), "paper")
            for e in matches
        },
    )


_BASELINES = ("baseline", "competitor", "rival")
_DEFAULT_NOUNS = {"COMPARES_WITH": "baselines", "EVALUATED_ON": "datasets", "RUNS_ON": "hardware"}


def of_work(
    asked: Asked,
    work: Work,
    noun: str = "",
    kinds: tuple[EntityKind, ...] = (),
    verb: str = "",
) -> Answer:
    """What the papers that introduce a work use, compare with, run on or are evaluated on; if there
    is nothing, what those about it do."""
    noun = noun or _DEFAULT_NOUNS.get(verb, "things")
    kinds = kinds or kinds_of(noun)
    if noun.casefold().removesuffix("s") in _BASELINES:
        verb = "COMPARES_WITH"
    verb = "USES" if noun == "things" and verb != "INTRODUCES" else verb or "about"
    chosen = _chosen(asked, kinds, verb == "INTRODUCES", verb=verb if not kinds else "about")
    one = Conditions(asked.question.selection)
    one.add(asked.reader, work, "INTRODUCES")
    if isinstance(work, Paper):
        one.criteria = [Criterion((work.id,))]
    by_count = kinds in _OF_KIND
    matches, said = _named_in(asked, one, chosen, by_count), f"{noun} of {quoted(work)}"
    if not matches:
        those = asked.question.selection.changed(relations=chosen.relations[: kinds in _OF_KIND])
        about = Conditions(those, work.name)
        matches, said = _named_in(asked, about, chosen, by_count), f"{noun} in {about}"
    matches = [each for each in matches if each.entity != work]
    matches.sort(key=lambda each: each.entity.general)
    return _matched(asked, matches, f"{said}{asked.question.years}{asked.question.ordered()}")


def is_of_work(head: Head) -> bool:
    """Return whether of a noun, such as hardware, those of a work are meant that is named as well,
    and not a class."""
    return head.kinds in _OF_KIND or head.noun.casefold().removesuffix("s") in _BASELINES


def alternatives(asked: Asked, work: Work) -> Answer:
    """What papers that compare with a work introduce of its kind."""
    found = Conditions(asked.question.selection)
    found.add(asked.reader, work, "COMPARES_WITH")
    kinds = (work.kind,) if isinstance(work, Entity) else ()
    matches = _named_in(asked, found, _chosen(asked, kinds, introduced=True), by_count=False)
    return _matched(asked, matches, f"alternatives introduced by {found}{asked.question.years}")


def introducing(seen: Reading) -> Answer | None:
    """Papers that introduce what is asked for, on a topic if there is one."""
    asked, things = seen.asked, _things(seen)
    if not things:
        return None
    topic = content(asked.typed(f"{things.topic} {things.rest}"))
    chosen = _chosen(asked, things.kinds, introduced=True)
    about = Conditions(asked.question.selection, topic)
    works = meeting(asked, about, _WANTED)[0]
    matches = _named_in(asked, about, chosen, by_count=False)
    stated = {
        each.subject: each
        for match in matches
        if not things.members or match.entity.id in things.members
        for each in match.statements
    }
    works = [each for each in works if each.id in stated]
    on = f" on {topic}" if topic else ""
    return asked.listed(
        works,
        f"papers{on} that introduce {things.noun}{asked.question.years}",
        statements=stated.values(),
    )


def _members(reader: Reader, name: str, kinds: tuple[EntityKind, ...] = ()) -> dict[str, Work]:
    """Return the entities (by id) of a class with this name, those of most papers first: those with
    a name that ends with it, as "humanoid robot" does, and those below it and them; of kinds like
    these, if any are given."""
    ending = f" {_singular(name)}"
    alike = Selection(text=ending.strip(), order=PageOrder.PAPERS, first=_MOST_OF_CLASS)
    found = {
        each.id
        for each in reader.page(WorkType.ENTITY, alike).items
        if any(f" {_singular(e)}".endswith(ending) for e in spellings(each))
    }
    concepts = Catalogue.shipped().by_key.get(match_key(name), ())
    classes = {*reader.called(name), *(each.id for each in concepts)}
    members = found.union(*(narrower_entities(reader, each) for each in found | classes)) - classes
    # What is a technique to one is a model or a system to another.
    chosen = Selection(kinds=_METHODS if kinds == (EntityKind.TECHNIQUE,) else kinds)
    works = {id_: work for id_, work in reader.works(members).items() if passes(work, chosen)}
    naming = reader.papers_naming(works)
    return {id_: works[id_] for id_ in sorted(works, key=lambda each: (-len(naming[each]), each))}


def _singular(name: str) -> str:
    return name.casefold().replace("-", " ").removesuffix("s")


def _ordered(asked: Asked, works: Iterable[Work]) -> list[Work]:
    """Return entities in the order that is asked for, by default as they are."""
    by_id, order = {each.id: each for each in works}, asked.question.selection.order
    ids = by_date(by_id, asked.reader.published(by_id), order) if order else by_id
    return [by_id[each] for each in ids]


def _named_in(
    asked: Asked, found: Conditions, chosen: Selection, by_count: bool
) -> list[EntityMatch]:
    """Return the entities that papers name, those first that most do, or that they say most about
    on the topic: the best papers come first."""
    papers, words = meeting(asked, found, _WANTED)[0], content_words(found.topic)
    weights = {each.id: 1 / (_FAR + place) for place, each in enumerate(papers)}
    every = chosen.changed(first=MOST_RESULTS)

    def weight(match: EntityMatch) -> tuple[int, float]:
        by_paper = {
            each.subject: (_INTRODUCED if each.relation is RelationType.INTRODUCES else 1)
            * (_UNSAID + len(words & content_words(sentence_of(each))) / max(len(words), 1))
            * weights[each.subject]
            for each in match.statements[::-1]
        }
        return by_count * len(by_paper), sum(by_paper.values())

    named = entities_where(asked.reader, [Criterion(tuple(weights))], every).items if papers else ()
    return sorted(named, key=weight, reverse=True)


def most_built_upon(seen: Reading) -> Answer | None:
    """The works that most others build on, of the kind that is asked for."""
    things = _things(seen) or _Things("papers and entities", (), "", "", is_list=True)
    seen.asked.question = replace(seen.asked.question, introductory=True)
    return _all(seen, things)


def _all(seen: Reading, things: _Things) -> Answer | None:
    """Return all entities of a kind or class, those of most papers first; or if they are to be read
    first, works that most others build on."""
    asked, noun, total, ordered = seen.asked, things.noun, None, ""
    reader, years = asked.reader, asked.question.years
    chosen = _chosen(asked, () if things.members else things.kinds, members=things.members)
    is_introduced = any(each.name == "INTRODUCES" for each in seen.verbs)
    if years and not is_introduced and (seen.cue("superlative") or seen.has_verb("USES")):
        # Of what is used most in some years, the papers are of these.
        matches = entities_where(reader, (), chosen.changed(first=MOST_RESULTS)).items
        matches = [e for e in matches if not things.members or e.entity.id in things.members]
        return _matched(asked, matches, f"{noun} in papers{years}, those of most papers first")
    if asked.question.introductory:
        children = reader.most_derived(_MOST_DERIVED)
        ids = [each for each in children if not things.members or each in things.members]
        works = [e for e in reader.works(ids).values() if not chosen.kinds or passes(e, chosen)]
        notes = {id_: f"{number:,} build on it" for id_, number in children.items()}
        noun = f"{noun} that most others build on directly"
    else:
        works, ordered = [*things.members.values()], ", those of most papers first"
        if not works:
            order = asked.question.selection.order or PageOrder.PAPERS
            these = Selection(**chosen.given(("kinds", "since", "until")))
            page = reader.page(WorkType.ENTITY, these.changed(order=order, first=asked.first))
            works, total = [*page.items], page.total
        naming = reader.papers_naming([each.id for each in works])
        notes = {id_: quantity(len(own), "paper") for id_, own in naming.items()}
        ordered = asked.question.ordered(ordered)
    if total is None:
        dates = reader.published([each.id for each in works])
        works = [e for e in _ordered(asked, works) if chosen.is_of_years(dates.get(e.id))]
    selects = asked.question.introductory or asked.question.years or asked.question.selection.order
    if not (things.is_list or selects) and 0 < len(works) < _ENOUGH:
        return search(asked, noun, works)
    understood = f"{noun}{asked.question.years}{ordered}{asked.exception}"
    return asked.listed(works, understood, total, notes=notes)


def versions(asked: Asked, work: Work) -> Answer:
    """The versions of a work, by the numbers after its name, the highest first; of a work without,
    what builds on it, the newest first."""
    name = next(each.text for each in asked.named if each.work == work)
    version = re.compile(rf"(?i){re.escape(name)}[ .v-]*(\d+(?:\.\d+)*)(?!\d|[bmk]|[a-z]{{2}})")
    alike = asked.reader.page(WorkType.ENTITY, Selection(text=name, first=MOST_RESULTS)).items
    numbers = {each.id: found[1] for each in alike if (found := version.match(each.name))}
    if not numbers:
        return lineage(asked, work, (_DOWN,), order=PageOrder.NEWEST)
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
    return lineage(asked, work, (_DOWN,), order=PageOrder.NEWEST, called=called)


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
