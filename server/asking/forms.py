"""The forms of questions: how each is known, and its answer from one view of the graph."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from stemma.graph import Criterion, LineageDirection, Reader, Selection, Work, WorkType, trace
from stemma.graph.comparing import compare
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
from stemma.graph.selection import DEEPEST_LINEAGE, MOST_RESULTS, LineageOrder, PageOrder
from stemma.schema import Catalogue, Entity, EntityKind, Paper, RelationType
from stemma.schema.name import match_key
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer, content_words, sentence_of
from stemma.server.asking.asked import NAME, Asked, joined, names_in, quoted
from stemma.server.asking.conditions import (
    Conditions,
    by_date,
    conditions,
    content,
    excluding,
    meeting,
    papers_about,
    verb_of,
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
_MOST_AUTHORS, _NAMED, _NAMING_BOTH, _MOST_DERIVED = 8, 3, 100, 1000
_MOST_STATEMENTS, _MOST_OF_CLASS, _MOST_SHARED, _MOST_ALIKE = 100, 200, 40, 100
_FEW_OF_CLASS, _SOME, _ENOUGH = 3, 5, 10
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
_STEPS = re.compile(f"(?i){filled(TABLES['steps'])}")
"""How many steps of a lineage are asked for."""
_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|list|all|an?|the|any|some|is|are|was|were|how many|number of|"
    r"in|of|kinds? of|types? of|sorts? of|"
    r"other|top|most|commonly|widely|often|frequently|popular|used|common|different|best|suitable|"
    r"right|authors)\s)*)"
    r"(?P<topic>(?:(?!(?:of|for|on|in|with|to|by|that|which|papers?|where|when|why|how|is|are|was|"
    r"were|has|have|do|does|did)\s)\S+ ){0,4}?)"
)
_PAPERS = re.compile(rf"(?i)^{_LEAD}(?:{nouns('paper')})(?P<rest>(?: .*)?)$")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>kinds|types|sorts|{nouns(*EntityKind, 'baseline', 'thing')})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_CLASS = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>[\w-]*[^\Ws]s|{NAME})(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
"""Entities of a class that is no kind: "which optimizers are used for training"."""
_WHO = re.compile(
    r"(?i)^(?:(?:has|have|does|did) )?(?:who|what|which|anyone|anybody|anything|everything|that)"
    r"(?: of these| of them| else| that| which)* "
)
_YEARLY = re.compile(r"(?i)\b(?:per|by|each|every) year\b")
_HARDWARE = nouns("hardware")
_HARDWARE_CLASS = re.compile(rf"(?i)(?!hardware|device)(?:{_HARDWARE})$")
_LIST = re.compile(r"(?i)\b(?:papers|articles|studies|publications|preprints)\b")
_NAMES = re.compile(rf"{NAME}|(?i:\b(?:{_HARDWARE})\b)")
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


def with_names(asked: Asked) -> Iterator[Answer]:
    """Yield the answers to a question that has a form of those about one or two works."""
    text = _STEPS.sub("", asked.text)
    named, every = len(re.findall(NAME, text)), asked.works(text)
    # Of two, one may be a class: "an A100 and a TPU".
    classes = [work for each in _NAMES.findall(text) for work in asked.works(each)]
    for name, pattern in () if _LIST.search(text) else _PATTERNS.items():
        number = 2 if name in ("path", "compare") else 1
        works = classes if number > 1 else every
        if not works or not pattern.search(text) or _has_topic(pattern.sub(" ", text)):
            continue
        if len(works) == number or len(works) > number > 1:
            if len(works) > number:
                asked.remark(f"Left out: {joined(map(quoted, works[number:]))}.")
            yield _FORMS[name](asked, works[:number])
        elif len(works) < number <= named:  # Of the other, nothing is stated here.
            yield _profile(asked, works)


def profile(asked: Asked) -> Answer | None:
    """Return everything about the only work that a question names, if it is about nothing else."""
    question, text = asked.question, asked.text
    works = asked.works(text)
    selects = question.years or question.selection.order or question.introductory or asked.excluded
    words = text.casefold().split()
    is_list = words[:1] == ["which"] or any(is_noun(e) and e.endswith("s") for e in words)
    if len(works) != 1 or selects or is_list or _has_topic(text):
        return None
    return _profile(asked, works)


def _has_topic(text: str) -> bool:
    """Return whether a text has words that say something of a topic, beside names and nouns."""
    words = re.findall(r"[\w'-]+", Asked.besides(text).casefold())
    return any(each not in STOP_WORDS and not is_noun(each) for each in words)


def _lineage(
    asked: Asked,
    works: Sequence[Work],
    directions: Sequence[LineageDirection],
    order: PageOrder | None = None,
) -> Answer:
    """The lineage of a work, in one direction or both; in an order, if none is asked for."""
    chosen = asked.question.selection.changed(order=asked.question.selection.order or order)
    name, question = quoted(works[0]), replace(asked.question, selection=chosen)
    noun = next((each.lower() for each in asked.text.split() if kinds_of(each)), "")
    given = _STEPS.search(asked.text)
    depth = min(number_of(given["steps"] or "one"), DEEPEST_LINEAGE) if given else DEEPEST_LINEAGE
    chosen = chosen.changed(
        kinds=kinds_of(noun),
        max_depth=max(depth, 1),
        first=asked.first,
        lineage_order=_ORDERS.get(chosen.order, LineageOrder.DEPTH),  # type: ignore[arg-type]
        order=None,
    )
    # General terms are left out, as in a family tree, unless there is nothing else.
    for selection in (chosen.changed(include_general=False), chosen):
        found = [
            trace(asked.reader, works[0].id, selection.changed(direction=e)) for e in directions
        ]
        if any(each.nodes for each in found):
            break
    if len(found) > 1:
        said = f"{noun or 'all'} in the lineage of {name}, both ways"
    elif _UP in directions:
        said = f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on"
    else:
        said = f"{f'{noun} that build or improve' if noun else 'what builds or improves'} on {name}"
    steps = "directly" if depth <= 1 else f"in up to {depth} steps" if given else "in all"
    edges = [
        (edge, each.direction)
        for each in found
        for edge in each.edges
        if not asked.excluded & {edge.child, edge.parent}
    ]
    ways = {node.work.id: each.direction[:-1] for each in found for node in each.nodes}
    ends = [found[0].root, *(node.work for lineage in found for node in lineage.nodes)]
    names = {work.id: quoted(work) for work in ends}
    return asked.listed(
        ends[1:],
        f"{said}{question.years}, {steps}{question.ordered()}{asked.exception}",
        sum(each.total for each in found),
        statements=[each for edge, _ in edges for each in edge.statements],
        notes=ways if len(found) > 1 else {},
        said={
            (edge.child if way is _DOWN else edge.parent): sentence_of(each)
            for edge, way in edges
            for each in edge.statements[::-1]
        },
        derivations={
            edge.child: f"{joined(each.words for each in edge.relations)} {names[edge.parent]}"
            for edge, way in sorted(edges, key=lambda each: each[0].confidence)
            if way is _DOWN
        },
        about=(works[0],),
    )


def _two(asked: Asked, ends: Sequence[Work], side_by_side: bool) -> Answer:
    """Two works: how one is related to the other, or both side by side."""
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
        for each in [each for each in sides.statements if each.comparison][:1]:
            better, worse = map(quoted, sorted(ends, key=lambda end: end.id == each.entity))
            text += f" {better} {each.relation.words} {worse}: {each.comparison}."
        works, stated = [*ends, *both], sides.statements
        understood = f"{left} and {right} side by side"
    else:
        match = _PATTERNS["path"].search(asked.text)
        act = verb_of(match["act"])[0] if match and match["act"] else ""
        relations = [RelationType(each) for each in VERBS[act][1]] if act else []
        path = find_path(reader, one, other, comparisons=not act)
        on_way = reader.works(path.works if path.edges else [one, other])
        steps = [
            f"{quoted(on_way[edge.child])} {joined(each.words for each in edge.relations)} "
            f"{quoted(on_way[edge.parent])}"
            for edge in path.edges
        ]
        # The edges lead from one to the other if each begins where the one before ends.
        leads = steps and [each.child for each in path.edges] == path.works[:-1]
        direct = [e for e in sides.statements if e.entity == other and e.relation in relations]
        if direct:
            steps = [f"Yes: {left} {direct[0].relation.words} {right}"]
        elif act and not (leads and act == "BUILDS_ON"):
            steps.insert(0, f"Nothing here says that {left} {relations[0].words} {right}")
        text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
        text, understood = f"{text}.", f"how {left} is related to {right}"
        works = [*on_way.values(), *(both if act else ())]
        stated = (*direct, *(each for edge in path.edges for each in edge.statements))
    works = list({each.id: each for each in works}.values())
    return asked.listed(works, understood, None, text, statements=stated, about=tuple(ends))


def _profile(asked: Asked, works: Sequence[Work]) -> Answer:
    """A work, the papers that introduce it, and those that are most about it."""
    reader, work = asked.reader, works[0]
    naming = reader.papers_naming([work.id])[work.id]
    first = _introducing(reader, work)
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
    return sorted(surely if _is_general(work) else papers, key=lambda each: each not in surely)


def _is_general(work: Work) -> bool:
    return isinstance(work, Entity) and work.general


def papers(asked: Asked) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    text = asked.text
    if asked.question.introductory and not content(text):
        everything = _Things("papers and entities", (), "", "", is_list=True)
        return _all(asked, asked.question.selection, everything)
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        topic = match["topic"].strip()
        rest = f"in {topic}{match['rest']}" if topic else match["rest"]
    elif verb_of(rest := _WHO.sub("", text))[0] == "about":
        return None
    found = conditions(asked, rest.strip())
    answer = (_authors if text.startswith("authors ") else _listed)(asked, found)
    if answer.total or not (found.topic and found.phrases):
        return answer
    # Of what no paper meets, the topic is what a search may have in other words.
    found.topics.clear()
    of_any_topic = _listed(asked, found)
    return replace(of_any_topic, text=f"{answer.text} {of_any_topic.text}")


def search(asked: Asked, noun: str = "", first: Sequence[Work] = ()) -> Answer | None:
    """Return what matches a question best: the entities that it names, or the `first`, which `noun`
    says, then papers."""
    text = asked.typed(asked.text)
    found = excluding(asked, Conditions(asked.question.selection, [text]))
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
    if _YEARLY.search(asked.text):
        chosen = papers_filter(asked.reader, found.selection, found.criteria)
        dates = asked.reader.published([each.id for each in works]).values()
        years = Counter(each.year for each in dates) if found.topic else None
        by_year = years or asked.reader.papers_by_year(chosen)
        dated = {str(year): number for year, number in by_year.items() if year}
        said = ", ".join(f"{year}: {dated[year]:,}" for year in sorted(dated))
        asked.remark(f"Of {said}; without a year: {total - sum(dated.values()):,}.")
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


def _things(asked: Asked) -> _Things | None:
    """Return what entities a question asks for, if it does."""
    match = _ENTITIES.match(asked.text) or _CLASS.match(asked.text)
    if not match:
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    kinds, whole = kinds_of(noun), asked.typed(f"{topic} {noun}".strip())
    things = _Things(noun, kinds, topic, rest, bool(lead))
    is_plural = whole.casefold().endswith(("s", "ware", "corpora"))
    says_of = {*rest.casefold().split()[:1], *lead.casefold().split()[:1]} & STOP_WORDS
    if not (lead or is_plural) or (rest and not says_of and verb_of(rest)[0] == "about"):
        return None
    if re.match("(?i)kinds|types|sorts", noun):
        whole = f"{noun} of {(of := asked.typed(content(rest)))}"
        things.members, things.is_list, things.rest = _members(asked.reader, of), True, ""
    elif topic or match.re is _CLASS or _HARDWARE_CLASS.match(noun):
        if (is_plural or kinds) and verb_of(f"{noun} {rest}")[0] == "about":
            things.members = _members(asked.reader, whole, kinds)
        if topic and not (things.members or rest):
            # "Quantization methods" are those that the catalogue has below quantization.
            things.members = _members(asked.reader, asked.typed(topic), kinds)
    is_known = len(things.members.keys() & Catalogue.shipped().concepts) >= _FEW_OF_CLASS
    if match.re is _ENTITIES:
        things.members = things.members if is_known else {}
        # "Small models", without "which", are what papers are about.
        things.is_list |= not topic or kinds == (EntityKind.DATASET,)
        is_meant = things.is_list or is_known
    else:
        is_meant = bool(things.members and (lead or (is_known and not asked.exceptions)))
        things.is_list &= is_known
    if things.members:
        things.noun, things.topic = whole, ""
    return things if is_meant else None


def entities(asked: Asked) -> Answer | None:
    """Entities of a kind or class: all, those that papers about a topic name, or a work names."""
    if not (things := _things(asked)):
        return None
    noun, kinds, members, rest = things.noun, things.kinds, things.members, things.rest
    typed, does = asked.typed, verb_of(rest)[0] != "about"
    verb = "USES" if noun.casefold() == "things" else "about" if kinds else "COMPARES_WITH"
    relations = () if members else _OF_KIND.get(kinds, VERBS[verb][1])
    # "Model" is no model.
    chosen = asked.question.selection.changed(
        kinds=() if members else kinds,
        relations=tuple(map(RelationType, relations)),
        general=False if kinds == (EntityKind.MODEL,) else None,
        order=None,
    )
    about = content(f"{things.topic} {rest}")
    if not about:
        return _all(asked, chosen, things)
    found, named = conditions(asked, rest), asked.works(about)
    of_class = [Criterion(tuple(members))] if members else []
    ways = list[tuple[str, Conditions, Selection]]()
    if re.fullmatch(NAME, about) and named and not does and not _is_general(named[0]):
        one = Conditions(asked.question.selection)
        one.add(asked.reader, named[0], "INTRODUCES", "")
        ways.append((f"{noun} of {typed(about)}", one, chosen))
    elif found.criteria and not found.topic:
        found.criteria += of_class
        # Of the kind of what they compare with, where none is asked for.
        same = kinds or tuple(e.kind for e in asked.works(rest) if isinstance(e, Entity))
        introduced = chosen.changed(relations=(RelationType.INTRODUCES,), kinds=same)
        said = f"{noun} {'in' if members else 'introduced by'} {found}"
        ways.append((said, found, introduced if does and not members else chosen))
    # Of papers that use such things at all.
    those = asked.question.selection.changed(relations=chosen.relations[: kinds in _OF_KIND])
    topic = Conditions(those, [typed(things.topic), typed(content(rest))], of_class)
    ways.append((f"{noun} in {topic}", topic, chosen))
    by_count = members or kinds in _OF_KIND or re.search(r"(?i)\b(?:most|used|common)", asked.text)
    tried = ((said, _named_in(asked, by, these, bool(by_count))) for said, by, these in ways)
    wanted = (
        (
            said,
            [e for e in found if (not members or e.entity.id in members) and e.entity not in named],
        )
        for said, found in tried
    )
    said, matches = next((each for each in wanted if each[1]), (ways[-1][0], []))
    works = _ordered(asked, [each.entity for each in matches])
    if not things.is_list:
        return search(asked, noun, works[:_SOME])
    return asked.listed(
        works,
        f"{said}{asked.question.years}{asked.question.ordered()}{asked.exception}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={
            e.entity.id: quantity(len({each.subject for each in e.statements}), "paper")
            for e in matches
        },
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


def _all(asked: Asked, chosen: Selection, things: _Things) -> Answer | None:
    """Return all entities of a kind or class, those of most papers first; or if they are to be read
    first, works that most others build on."""
    reader, noun, total, ordered = asked.reader, things.noun, None, ""
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


def _versions(asked: Asked, works: Sequence[Work]) -> Answer:
    """The versions of a work, by the numbers after its name, the highest first; of a work without,
    what builds on it, the newest first."""
    name = next(each.text for each in asked.named if each.work == works[0])
    version = re.compile(rf"(?i){re.escape(name)}[ .v-]*(\d+(?:\.\d+)*)(?!\d|[bmk]|[a-z]{{2}})")
    alike = asked.reader.page(WorkType.ENTITY, Selection(text=name, first=MOST_RESULTS)).items
    numbers = {each.id: found[1] for each in alike if (found := version.match(each.name))}
    if not numbers:
        return _lineage(asked, works, (_DOWN,), PageOrder.NEWEST)
    versions = sorted(
        (each for each in alike if each.id in numbers),
        key=lambda each: ([*map(int, numbers[each.id].split("."))], -len(each.name)),
        reverse=True,
    )
    notes = {id_: f"version {number}" for id_, number in numbers.items()}
    return asked.listed(versions, f"versions of {name}, the highest first", notes=notes)


def _similar(asked: Asked, works: Sequence[Work]) -> Answer:
    """The papers that share most with a work, or the papers that introduce it: the entities that
    they name, of which few others do; above all those that introduce one."""
    reader, work = asked.reader, works[0]
    own = reader.papers_naming([work.id], [RelationType.INTRODUCES]).get(work.id) or [work.id]
    named = [work.id, *chain(*reader.entities_named(own).values())][:_MOST_SHARED]
    shared = reader.works(dict.fromkeys(named)).values()
    topics = [Topic(tuple(spellings(each)), (each.id,)) for each in shared]
    ranked = reader.ranked(topics, Selection(first=_MOST_ALIKE))
    introduce = {*chain(*reader.papers_naming(named, [RelationType.INTRODUCES]).values())}
    ranked.sort(key=lambda each: -each.score * (2 if each.id in introduce else 1))
    alike = reader.works([each.id for each in ranked if each.id not in own])
    return asked.listed([*alike.values()], f"papers that share most with {quoted(work)}")


_FORMS: dict[str, Form] = {
    "similar": _similar,
    "versions": _versions,
    "path": partial(_two, side_by_side=False),
    "compare": partial(_two, side_by_side=True),
    "lineage": partial(_lineage, directions=(_UP, _DOWN)),
    "descendants": partial(_lineage, directions=(_DOWN,)),
    "ancestors": partial(_lineage, directions=(_UP,)),
    "profile": _profile,
}
_PATTERNS = {
    name: re.compile(rf"(?i)(?:^|\b|(?={NAME}))(?:{filled(each)})(?![\w-])")
    for name, each in TABLES["forms"].items()
}
