"""The search for what no form fits: papers ranked by the words and the entities of a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from stemma.graph import Reader, WorkFilter
from stemma.graph.criteria import narrower_entities
from stemma.graph.filters import EVERYTHING
from stemma.graph.ranking import RankedPaper, Topic
from stemma.schema import Entity
from stemma.server.asking.naming import Name, names_in
from stemma.server.asking.question import STOP_WORDS, is_noun, like

_MOST_MATCHES, _MOST_FOUND = 200, 5000
_PART_OF_NAME, _PAIR, _NOUN = 0.3, 0.5, 0.3
"""The weights of a word of a name, of two words that follow each other, and of "methods"."""
NEAR_THE_BEST = 0.55
"""Papers are matches if their score is at least such a share of the best one."""
_NEAR_ENOUGH = 0.4
"""The same, where there are few of them."""
_LEAST = 0.1
"""The least score of a match: a paper with one of many words is not what is asked for."""
_MOST_TOPICS = 40
_SPELLINGS = 4
"""Words like each of two that follow each other, of which the pairs are looked for."""
_WORD = re.compile(r'"([^"]+)"|([^\s,;:?!()"]+)')


@dataclass(frozen=True, slots=True)
class Search:
    """What a text is about: `topics`, and the entities that it names, in its order."""

    topics: Sequence[Topic]
    entities: Sequence[Entity]

    def papers(
        self, reader: Reader, chosen: WorkFilter = EVERYTHING, wanted: int = 0
    ) -> list[RankedPaper]:
        """Return the papers that match, of those that pass, the best first.

        If fewer match than are `wanted`, those follow that match less well.
        """
        if not self.topics:
            return []
        # Papers of other years count for what a good match is.
        found = reader.ranked(
            self.topics, replace(chosen, year_from=None, year_to=None), _MOST_FOUND
        )
        best = found[0].score if found else 0.0
        near = [each for each in found if each.score >= max(NEAR_THE_BEST * best, _LEAST)]
        if len(near) < wanted:
            near = [e for e in found[:wanted] if e.score >= max(_NEAR_ENOUGH * best, _LEAST)]
        if chosen.year_from is None and chosen.year_to is None:
            return near[:_MOST_MATCHES]
        of_years = {each.id for each in reader.ranked(self.topics, chosen, _MOST_FOUND)}
        return [each for each in near if each.id in of_years][:_MOST_MATCHES]


def topics_of(reader: Reader, text: str) -> Search:
    """Return what a text is about: the entities that it names, and its other words."""
    topics: dict[tuple[str, ...], Topic] = {}
    entities: dict[str, Entity] = {}
    before: tuple[str, ...] = ()
    for part in _parts(reader, text):
        words = [each for each in part.text.split() if each.casefold() not in STOP_WORDS]
        if not words:
            before = ()
            continue
        phrases, ids = tuple(dict.fromkeys((*like(part.text), *part.spellings))), tuple[str, ...]()
        if isinstance(part.work, Entity):
            entities[part.work.id] = part.work
            ids = (part.work.id, *sorted(narrower_entities(reader, part.work.id)))
        is_word = is_noun(part.text) and not part.work
        topics.setdefault(phrases, Topic(phrases, ids, _NOUN if is_word else 1.0))
        if len(words) > 1:
            for word in map(like, words):
                topics.setdefault(word, Topic(word, weight=_PART_OF_NAME))
        if before:
            pair = tuple(map(" ".join, product(before[:_SPELLINGS], phrases[:_SPELLINGS])))
            topics.setdefault(pair, Topic(pair, weight=_PAIR))
        before = phrases
    return Search([*topics.values()][:_MOST_TOPICS], [*entities.values()])


def _parts(reader: Reader, text: str) -> list[Name]:
    """Return the names in a text and its other words, in their order."""
    named = list(names_in(reader, text, sure=True))
    within = {place for each in named for place in range(each.start, each.end)}
    words = (each for each in _WORD.finditer(text) if each.start() not in within)
    others = (Name(*each.span(), each[1] or each[2].strip(".'/-"), ()) for each in words)
    return sorted([*named, *others], key=lambda each: each.start)


def content(text: str) -> str:
    """Return a text without the words around it that say nothing of a topic."""
    words = text.split()
    while words and words[0].casefold() in STOP_WORDS:
        del words[0]
    while words and words[-1].casefold() in STOP_WORDS:
        del words[-1]
    return " ".join(words)
