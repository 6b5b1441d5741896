"""The papers that a question asks for: what they state, "use LoRA and run on A100, but not QLoRA",
and what they are about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import log1p

from stemma.graph import Criterion, FilterError, Reader, Work, WorkType
from stemma.graph.matching import RankedPaper, Topic
from stemma.graph.searching import (
    MOST_CRITERIA,
    counts_narrower,
    meeting_statements,
    narrower_entities,
    papers_filter,
)
from stemma.graph.selection import EVERYTHING, PageOrder, Selection
from stemma.schema import Entity, RelationType, Statement
from stemma.server.asking.asked import Asked, NameInText, joined, names_in, quoted
from stemma.server.asking.question import STOP_WORDS, TABLES, VERBS, is_noun, like

_NEGATIONS = f"{TABLES['except']}|with no|not|do not|don't|does not|doesn't"
_JOINT = re.compile(
    rf"(?i)(?:^| |,)(and|but|or|{_NEGATIONS}|that|which|who|while|"
    r"(?<!ed )(?<!en )(?=(?:by|in) (?-i:[A-Z])))(?=\b)"
)
_FILLER = re.compile(
    r"(?i)^(?:(?:both|either|also|only|have|has|been|were|was|are|is|do|does|people|should|can|"
    r"could|they|directly|mainly|actually|currently|mostly) )*"
)
_MOST_FOUND, _MOST_READ, _FEW = 200, 500, 5
_PART_OF_NAME, _PAIR, _NOUN = 0.3, 0.5, 0.3
"""The weights of a word of a name, of two words that follow each other, and of "methods"."""
_NEAR_THE_BEST, _NEAR_ENOUGH, _LEAST = 0.55, 0.4, 0.1
"""Papers are matches with such a share of the best score; the first ones, with less; and all with
such a score at least: a paper with one of many words is not what is asked for."""
_MOST_TOPICS = 40
_SPELLINGS = 4
"""Words like each of two that follow each other, of which the pairs are looked for."""
_WORD = re.compile(r'"([^"]+)"|([^\s,;:?!()"]+)')
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")


@dataclass(slots=True)
class Conditions:
    """What papers must meet: criteria, what a selection says, and the words of their topic.

    `phrases` say the criteria in words.
    """

    selection: Selection
    criteria: list[Criterion] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)

    @property
    def topic(self) -> str:
        """The topic of the papers: the words that are no criterion."""
        return content(" ".join(self.topics))

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"


def begins_with_verb(text: str) -> bool:
    """Return whether a text begins with what papers do, such as "use LoRA"."""
    return any(each.match(f"{text} ") for name, (*_, each) in VERBS.items() if name != "about")


def conditions(asked: Asked, text: str, selection: Selection, split: bool = False) -> Conditions:
    """Read the conditions that follow "papers" in a question.

    What names nothing, or says more than a name, is the topic; if it may be `split`, what stands
    beside the name alone. Raises FilterError where nothing is known of an author or a venue, and
    there is no other condition.
    """
    found, unknown = Conditions(selection), ""
    for verb, joint, part, rest in _parts(text):
        said, means, _ = VERBS[verb]
        if means and means[0].islower():  # A filter.
            name, about = [*re.split(" (?:about|on|for) ", rest, maxsplit=1), ""][:2]
            phrase = f"{said} {asked.typed(name)}"
            if chosen := _chosen(asked.reader, found.selection, means, asked.typed(name)):
                found.selection = chosen
                found.phrases.append(phrase)
            elif part.casefold().startswith("in "):  # A field, such as "in Robotics".
                about = name
            else:
                unknown = f"No paper here is known to {phrase.replace('are ', 'be ', 1)}"
            found.topics.append(asked.typed(about))
            continue
        works = asked.works(rest) if verb != "about" or joint == "not" else []
        beside = "" if is_noun(rest) else content(asked.typed(asked.besides(rest, 1)))
        if (
            works
            and (split or joint == "not" or not beside)
            and len(found.criteria) < MOST_CRITERIA
        ):
            _add(found, asked.reader, works[0], verb, joint)
            found.topics.append(beside)
        elif joint != "not":
            found.topics += [joint] if joint in ("and", "or") and found.topic else []
            found.topics.append(asked.typed(rest if verb == "about" else part))
    if unknown and not (found.criteria or found.topic):
        raise FilterError(unknown)
    if unknown:
        asked.remarks[f"{unknown}."] = None
    return found


def _parts(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the verb of each condition (if it has none, of the one before it), the word that joins
    it to that ("not" if it is excluded), the condition, and it without the verb."""
    verb, joint = "about", ""
    for number, piece in enumerate(_JOINT.split(text)):
        if number % 2:
            is_not = re.fullmatch(f"(?i:{_NEGATIONS})", piece) or (piece, joint) == ("or", "not")
            joint = "not" if is_not else piece.casefold()
            continue
        part = piece.strip(" ,")
        rest = _FILLER.sub("", f"{part} ")
        matches = ((name, each.match(rest)) for name, (*_, each) in VERBS.items())
        before = verb
        verb, match = next((each for each in matches if each[1]), (verb, None))
        # Of "run on V100 and not on A100", both run on it.
        if verb == "about" and match and VERBS[before][0].endswith(f" {match[0].strip()}"):
            verb = before
        if rest := rest[match.end() if match else 0 :].strip():
            yield verb, joint, part, rest


def _add(found: Conditions, reader: Reader, work: Work, verb: str, joint: str) -> None:
    """Add that papers have a relation to a work, do not have it, or have it to this or another."""
    if joint == "or" and found.criteria and not found.criteria[-1].excluded:
        last = found.criteria[-1]
        found.criteria[-1] = replace(last, entities=(*last.entities, work.id))
        found.phrases[-1] += f" or {quoted(work)}"
        return
    (said, means, _), is_not = VERBS[verb], joint == "not"
    if is_not:
        said = said.replace("are ", "are not ") if said.startswith("are ") else f"do not {said}"
    relations, narrower = tuple(map(RelationType, means)), counts_narrower(reader, work)
    found.criteria.append(Criterion((work.id,), relations, is_not, narrower))
    found.phrases.append(f"{said} {quoted(work)}")


def _chosen(
    reader: Reader, selection: Selection, filters: Sequence[str], name: str
) -> Selection | None:
    """Return a selection of papers of an author or venue, or by citations, if there are any."""
    for filter_ in filters:
        try:
            chosen = selection.changed(**{filter_: name.strip('"')})
            of_all_years = chosen.changed(since=None, until=None)
            if reader.count(WorkType.PAPER, papers_filter(reader, of_all_years)):
                return chosen
        except LookupError:
            continue
    return None


def meeting(
    asked: Asked, wanted: Conditions, few: int = _FEW
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return papers that meet conditions, with statements by which they do, and how many there are:
    those on a topic in the order of the question, by default the best match first; a `few`, even if
    they match less well, and those of years that are asked for."""
    reader, order = asked.reader, asked.question.selection.order
    if not wanted.topic:
        most = max(asked.end, _MOST_READ)
        chosen = papers_filter(reader, wanted.selection, wanted.criteria)
        by = wanted.selection.order or PageOrder.PUBLISHED
        page = reader.page(WorkType.PAPER, chosen.changed(order=by, first=most))
        stated = meeting_statements(reader, [each.id for each in page.items], chosen)
        return page.items, [each for own in stated.values() for each in own], page.total
    # Papers of other years count for what a good match is; of an order, a bad one is not the first.
    of_all_years = wanted.selection.changed(since=None, until=None)
    chosen = papers_filter(reader, of_all_years, wanted.criteria)
    few = 0 if order else _MOST_FOUND if wanted.selection.has_years else few
    ranked = papers_about(reader, wanted.topic, chosen, few)
    dates = reader.published([each.id for each in ranked])
    ranked = [e for e in ranked if wanted.selection.is_of_years(dates.get(e.id))]
    ids = [each.id for each in ranked]
    if asked.question.introductory:
        ids = _to_read_first(reader, ranked)
    elif order:
        if undated := [each for each in ids if each not in dates]:
            asked.remarks[f"Without a date, and last: {len(undated):,}."] = None
        dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
        ids = [id_ for _, id_ in dated[:: -1 if order is PageOrder.NEWEST else 1]] + undated
    return list(reader.works(ids).values()), [], len(ids)


def papers_about(
    reader: Reader, text: str, chosen: Selection = EVERYTHING, few: int = _FEW
) -> list[RankedPaper]:
    """Return the papers about a text, of those that pass, the best match first; the first `few` may
    match less well than the others."""
    topics, _ = topics_of(reader, text)
    found = reader.ranked(topics, chosen.changed(first=_MOST_FOUND)) if topics else []
    best = max((each.score for each in found), default=0.0)
    return [
        each
        for number, each in enumerate(found)
        if each.score >= _LEAST
        if each.score >= best * (_NEAR_ENOUGH if number < few else _NEAR_THE_BEST)
    ]


def topics_of(reader: Reader, text: str) -> tuple[list[Topic], list[Entity]]:
    """Return the topics of a text, and the entities that it names, in the order of the text."""
    topics: dict[tuple[str, ...], Topic] = {}
    entities: dict[str, Entity] = {}
    named = list(names_in(reader, text, sure=True))
    within = {place for each in named for place in range(each.start, each.end)}
    others = (each for each in _WORD.finditer(text) if each.start() not in within)
    parts = [*named, *(NameInText(*e.span(), e[1] or e[2].strip(".'/-")) for e in others)]
    before: tuple[str, ...] = ()
    for part in sorted(parts, key=lambda each: each.start):
        words = [each for each in part.text.split() if each.casefold() not in STOP_WORDS]
        if not words:
            before = ()
            continue
        phrases, ids = tuple(dict.fromkeys((*like(part.text), *part.spellings))), tuple[str, ...]()
        if isinstance(part.work, Entity):
            entities[part.work.id] = part.work
            ids = (part.work.id, *sorted(narrower_entities(reader, part.work.id)))
        weight = _NOUN if is_noun(part.text) and not part.work else 1.0
        topics.setdefault(phrases, Topic(phrases, ids, weight))
        for word in map(like, words if len(words) > 1 else ()):
            topics.setdefault(word, Topic(word, weight=_PART_OF_NAME))
        if before:
            pair = tuple(map(" ".join, product(before[:_SPELLINGS], phrases[:_SPELLINGS])))
            topics.setdefault(pair, Topic(pair, weight=_PAIR))
        before = phrases
    return [*topics.values()][:_MOST_TOPICS], [*entities.values()]


def _to_read_first(reader: Reader, found: Sequence[RankedPaper]) -> list[str]:
    """Return papers (ids) with surveys, and those that introduce what most papers name, first."""
    works = reader.works([each.id for each in found])
    introduced = reader.entities_named(works, [RelationType.INTRODUCES])
    naming = reader.papers_naming({each for ids in introduced.values() for each in ids})

    def weight(paper: RankedPaper) -> float:
        named = max((len(naming[each]) for each in introduced.get(paper.id, ())), default=1)
        is_survey = bool(_SURVEY.search(works[paper.id].name))
        return paper.score * (1 + log1p(named - 1) + 1.5 * is_survey)

    return [each.id for each in sorted(found, key=weight, reverse=True)]


def content(text: str) -> str:
    """Return a text without the words around it that say nothing of a topic."""
    words = text.split()
    says = [number for number, each in enumerate(words) if each.casefold() not in STOP_WORDS]
    return " ".join(words[says[0] : says[-1] + 1]) if says else ""
