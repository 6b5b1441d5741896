"""Searches: papers ranked by the words of a question, other words for them, and the entities that
it names."""

import re
from collections.abc import Sequence
from itertools import product
from math import log1p

from stemma.graph import Reader
from stemma.graph.criteria import narrower_entities
from stemma.graph.matching import RankedPaper, Topic
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema import Entity, RelationType
from stemma.server.asking.names import WORD, NameInText, names_in
from stemma.server.asking.question import STOP_WORDS, is_noun, like

FEW = 5
"""Papers that are given even if they match less well than the best."""
MOST_FOUND = 200
_PART_OF_NAME, _PAIR, _NOUN = 0.3, 0.5, 0.3
"""The weights of a word of a name, of two words that follow each other, and of "methods"."""
_NEAR_THE_BEST, _NEAR_ENOUGH, _LEAST = 0.55, 0.4, 0.1
"""Papers are matches with such a share of the best score; the first ones, with less; and all with
such a score at least: a paper with one of many words is not what is asked for."""
_MOST_TOPICS = 40
_SPELLINGS = 4
"""Words like each of two that follow each other, of which the pairs are looked for."""
_SURVEY = re.compile(r"(?i)\b(?:survey|review|overview|tutorial|introduction|primer)\b")


def papers_about(
    reader: Reader, text: str, chosen: Selection = EVERYTHING, few: int = FEW
) -> list[RankedPaper]:
    """Return the papers about a text, of those that pass, the best match first; the first `few` may
    match less well than the others."""
    topics, _ = topics_of(reader, text)
    found = reader.ranked(topics, chosen.changed(first=MOST_FOUND)) if topics else []
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
    others = (each for each in WORD.finditer(text) if each.start() not in within)
    parts = [*named, *(NameInText(*each.span(), each[0].strip(".'/-\"")) for each in others)]
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


def to_read_first(reader: Reader, found: Sequence[RankedPaper]) -> list[str]:
    """Return papers (ids) with surveys, and those that introduce what most papers name, first."""
    works = reader.works([each.id for each in found])
    introduced = reader.entities_named(works, [RelationType.INTRODUCES])
    naming = reader.papers_naming({each for ids in introduced.values() for each in ids})

    def weight(paper: RankedPaper) -> float:
        named = max((len(naming[each]) for each in introduced.get(paper.id, ())), default=1)
        is_survey = bool(_SURVEY.search(works[paper.id].name))
        return paper.score * (1 + log1p(named - 1) + 1.5 * is_survey)

    return [each.id for each in sorted(found, key=weight, reverse=True)]
