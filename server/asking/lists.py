"""Lists: the papers that a question asks for, their authors, or what they name."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from stemma.graph import Criterion, Selection, Work, WorkType
from stemma.graph.criteria import EntityMatch, entities_where
from stemma.graph.selection import MOST_RESULTS, PageOrder
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Answer
from stemma.server.asking.asked import NAME, Asked
from stemma.server.asking.conditions import Conditions, acts, conditions, content, meeting
from stemma.server.asking.names import joined
from stemma.server.asking.question import STOP_WORDS, VERBS, kinds_of, nouns
from stemma.server.asking.searching import topics_of

_MOST_AUTHORS, _NAMED, _MOST_DERIVED = 8, 3, 1000
_LEAD = (
    r"(?P<lead>(?:(?:which|what|who|all|the|any|some|is|are|was|were|how many|number of|in|of|"
    r"other|top|most|commonly|widely|often|popular|used|common|different|authors)\s)*)"
    r"(?P<topic>(?:(?!(?:of|for|on|in|with|to|by|that|which|papers?)\s)\S+ ){0,4}?)"
)
_PAPERS = re.compile(rf"(?i)^{_LEAD}(?:{nouns('paper')})(?P<rest>(?: .*)?)$")
_WHO = re.compile(r"(?i)^(?:who|what|which|anyone|anything|everything|that)(?: else)? ")
_ENTITIES = re.compile(
    rf"(?i)^{_LEAD}(?P<noun>kinds|types|sorts|{nouns(*EntityKind, 'baseline', 'thing')})"
    r"(?: (?:that|which))*(?P<rest>(?: .*)?)$"
)
_ABOUT = tuple(map(RelationType, VERBS["about"][1]))
_MODELS = (EntityKind.MODEL,)
_OF_KIND = {
    (EntityKind.HARDWARE,): (RelationType.RUNS_ON, RelationType.USES),
    (EntityKind.DATASET,): (
        RelationType.EVALUATED_ON, RelationType.USES, RelationType.INTRODUCES,
    ),
}
"""The relations of papers to what they use of a kind, whatever the verb; and to baselines."""
_INTRODUCED, _FAR = 3, 5
"""How much more a paper is about what it introduces; and the place at which one is half as much
about the topic as the first."""
_WANTED = 50
"""Papers that are asked what they name, even if they match less well than the best."""


def papers(asked: Asked) -> Answer | None:
    """Papers that meet the conditions of a question; None if it does not ask for papers."""
    text = asked.text
    if asked.question.introductory and not content(text):
        return _all(asked, asked.question.selection, "papers and entities")
    if match := _PAPERS.match(text):
        # "LoRA papers" and "NeurIPS papers" are papers about the one, and in the other.
        rest = f"{match['rest']} in {match['topic']}".strip() if match["topic"] else match["rest"]
    elif not acts(rest := _WHO.sub("", text)):
        return None
    found = conditions(asked, rest.strip())
    return (_authors if text.startswith("authors ") else _listed)(asked, found)


def search(asked: Asked) -> Answer | None:
    """Return what matches a question best: the entities that it names, then papers."""
    text = asked.typed(asked.text)
    if not (found := Conditions(asked.question.selection, topics=[text])).topic:
        return None
    _, entities = topics_of(asked.reader, text)
    return _listed(asked, found, [each for each in entities if not each.general])


def others(asked: Asked) -> Answer | None:
    """Return other entities of the sort of what a question names, if nothing is known of that."""
    for concept in (each.concept for each in asked.named if each.concept):
        for above in (*concept.broader, None):
            chosen = asked.question.selection.changed(kinds=(concept.kind,), broader=above)
            noun = f"of the kind {concept.kind}" if above is None else f"like {concept.name}"
            if (answer := _all(asked, chosen, f"other entities {noun}")).total:
                return answer
    return None


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
    if not match:
        return None
    lead, topic, noun, rest = (match[each].strip() for each in ("lead", "topic", "noun", "rest"))
    does, kinds, typed = acts(rest), kinds_of(noun), asked.typed
    is_plural = noun.casefold().endswith(("s", "ware", "corpora"))
    is_list = lead or (is_plural and (not topic or (kinds == (EntityKind.DATASET,) and not rest)))
    if not is_list or not (does or not rest or rest.split()[0].casefold() in STOP_WORDS):
        return None
    relations, above = _OF_KIND.get(kinds, _ABOUT), None
    is_used = kinds in _OF_KIND or bool(re.search(r"(?i)\b(?:most|used|common)", asked.text))
    if not kinds:
        verb = "USES" if noun.casefold() == "things" else "COMPARES_WITH"
        relations = tuple(map(RelationType, VERBS[verb][1]))
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
    works = asked.works(about) if re.fullmatch(NAME, about) and not does else []
    if works and re.match("(?i)kinds|types|sorts", noun):
        return _all(asked, chosen.changed(broader=works[0].id), f"{noun} of {works[0].name}")
    found = conditions(asked, rest)
    introducing = asked.reader.papers_naming([e.id for e in works], [RelationType.INTRODUCES])
    papers = [e.id for e in works if isinstance(e, Paper)] or [*sum(introducing.values(), [])]
    said = f"{noun} of {typed(about)}"
    if not papers and found.criteria and not found.topic:
        said = f"{noun} introduced by {found}"
        # Of the kind of what they compare with, where none is asked for.
        other = [] if kinds else asked.works(rest)
        stated = chosen.changed(
            relations=(RelationType.INTRODUCES,),
            kinds=kinds or tuple(e.kind for e in other if isinstance(e, Entity)),
        )
        papers = [each.id for each in meeting(asked, found)[0]]
        chosen = stated if papers else chosen
    if not papers:
        found = Conditions(asked.question.selection, topics=[typed(topic), typed(content(rest))])
        said = f"{noun} in {found}"
        papers = [each.id for each in meeting(asked, found, _WANTED)[0]]
    these = Criterion(tuple(papers))
    named = entities_where(asked.reader, [these], chosen.changed(first=MOST_RESULTS)).items
    but = {each.id for each in asked.works(about)}
    matches = [each for each in named if each.entity.id not in but] if papers else []
    count = {e.entity.id: len({each.subject for each in e.statements}) for e in matches}
    places = {id_: place for place, id_ in enumerate(papers)}
    matches.sort(key=lambda e: (is_used and -count[e.entity.id], -_weight(e, places)))
    return asked.listed(
        [each.entity for each in matches],
        f"{said}{asked.question.years}{asked.exception}",
        statements=[each for match in matches[: asked.end] for each in match.statements],
        notes={id_: quantity(number, "paper") for id_, number in count.items()},
    )


def _weight(match: EntityMatch, places: Mapping[str, int]) -> float:
    """Return how much papers, of which the best are first, are about an entity."""
    weights = {
        each.subject: (_INTRODUCED if each.relation is RelationType.INTRODUCES else 1)
        / (_FAR + places[each.subject])
        for each in match.statements[::-1]
    }
    return sum(weights.values())


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
            if chosen.years.hold(dates[work.id].year if work.id in dates else None)
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
