"""The search for what no form fits: papers ranked by the words and the entities of a question."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import product

from stemma.graph import Reader, WorkFilter
from stemma.graph.criteria import narrower_entities
from stemma.graph.filters import EVERYTHING
from stemma.graph.matching import RankedPaper, Topic
from stemma.graph.store import spellings
from stemma.schema import Catalogue, Entity
from stemma.schema.name import match_key
from stemma.server.asking.naming import Names
from stemma.server.asking.question import MOST_WORDS, STOP_WORDS, SYNONYMS, nouns

_MOST_FOUND = 200
_LONGEST_NAME = 5
"""Words of a name that is looked for in a question."""
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
_SHORTEST_MISSPELT, _MOST_TRIED, _MOST_CORRECTED = 5, 6, 3
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise."""
_WORD = re.compile(r'"([^"]+)"|([^\s,;:?!()"]+)')
_BRITISH, _AMERICAN = (re.compile(f"{each}(?=(?:e|ed|es|ing|ations?)$)") for each in ("is", "iz"))
"""Of "summarise" and "summarize": names have the latter, papers either."""
_SYNONYMS = {each: tuple(dict.fromkeys((each, *group))) for group in SYNONYMS for each in group}


@dataclass(frozen=True, slots=True)
class Search:
    """What a text is about: `topics`, and the entities that it names, in its order."""

    topics: tuple[Topic, ...]
    entities: tuple[Entity, ...]

    def papers(
        self, reader: Reader, chosen: WorkFilter = EVERYTHING, wanted: int = 0
    ) -> list[RankedPaper]:
        """Return the papers that match, of those that pass, the best first.

        If fewer match than are `wanted`, those follow that match less well.
        """
        found = reader.ranked(self.topics, chosen, _MOST_FOUND) if self.topics else []
        best = found[0].score if found else 0.0
        near = [each for each in found if each.score >= max(NEAR_THE_BEST * best, _LEAST)]
        more = (each for each in found[:wanted] if each.score >= max(_NEAR_ENOUGH * best, _LEAST))
        return near if len(near) >= wanted else list(more)


def topics_of(names: Names, text: str) -> Search:
    """Return what a text is about: the entities that it names, and its other words."""
    reader = names.reader
    words = [each[1] or each[2].strip(".'/-") for each in _WORD.finditer(text)]
    words = [each for each in words if any(map(str.isalnum, each))][:MOST_WORDS]
    parts = list(_parts(reader, words))
    nameless = {part[0] for part, _, known in parts if not known}
    american = [_BRITISH.sub("iz", each) if each in nameless else each for each in words]
    corrected = _corrected(names, american, nameless)
    parts = parts if corrected == words else list(_parts(reader, corrected))
    topics: dict[tuple[str, ...], Topic] = {}
    entities: dict[str, Entity] = {}
    before = None
    for part, entity, known_as in parts:
        is_word = len(part) == 1
        if known_as:
            like = _like(part[0]) if is_word else (" ".join(part),)
            below = sorted(narrower_entities(reader, entity.id)) if entity else []
            phrases = tuple(dict.fromkeys((*like, *known_as)))
            topics[phrases] = Topic(phrases, (entity.id, *below) if entity else ())
            entities |= {entity.id: entity} if entity else {}
        content_words = [each for each in part if each.casefold() not in STOP_WORDS]
        for word in content_words if not known_as or not is_word else ():
            is_noun = re.fullmatch(f"(?i:{nouns()})", word)
            weight = 1.0 if is_word and not is_noun else _NOUN if is_noun else _PART_OF_NAME
            topics.setdefault(_like(word), Topic(_like(word), weight=weight))
        if before and is_word and content_words:
            likes = (_like(each)[:_SPELLINGS] for each in (before, part[0]))
            pair = tuple(map(" ".join, product(*likes)))
            topics.setdefault(pair, Topic(pair, weight=_PAIR))
        before = part[0] if is_word and content_words else None
    return Search(tuple(topics.values())[:_MOST_TOPICS], tuple(entities.values()))


def _parts(
    reader: Reader, words: Sequence[str]
) -> Iterator[tuple[Sequence[str], Entity | None, Sequence[str]]]:
    """Yield the words in parts, the longest names first, with the entity and its other names."""
    spans = {
        (start, end): " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1)
        if not STOP_WORDS & {words[start].casefold(), words[end - 1].casefold()}
    }
    called = reader.all_called(sorted({*spans.values()}))
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST_NAME), start, -1):
            span = spans.get((start, end), "")
            papers = called.get(span, {})
            ids = sorted(papers, key=lambda each: (-papers[each], each))[:1]
            entity = next((e for e in reader.works(ids).values() if isinstance(e, Entity)), None)
            if entity and not (
                span in spellings(entity)
                or papers[entity.id] >= _SURELY_A_NAME
                or entity.id in Catalogue.shipped().concepts
            ):
                entity = None  # A paper calls something "Text", which is a word elsewhere.
            # An entity of the graph has the names of the catalogue, which takes time to load.
            known = (
                Catalogue.shipped().by_key.get(match_key(span), ()) if span and not entity else ()
            )
            named = (entity,) if entity else known
            names = [name for each in named for name in (each.name, *each.aliases)]
            if names or end == start + 1:
                yield words[start:end], entity, names
                break
        start = end


def _corrected(names: Names, words: list[str], nameless: Set[str]) -> list[str]:
    """Return words with the names that are meant by those that no paper has, the first few.

    Those are looked for among the `nameless`, which are no part of a known name.
    """
    doubtful = [
        number
        for number, word in enumerate(words)
        if len(word) >= _SHORTEST_MISSPELT and word in nameless - STOP_WORDS
    ]
    reader = names.reader
    unknown = [
        n for n in doubtful[:_MOST_TRIED] if not reader.ranked([Topic(_like(words[n]))], first=1)
    ]
    for number in unknown[:_MOST_CORRECTED][::-1]:
        for start, end in _around(number, len(words)):
            if STOP_WORDS & {words[start].casefold(), words[end - 1].casefold()}:
                continue
            if near := names.work(" ".join(words[start:end]), correct=True):
                words = [*words[:start], *near.name.split(), *words[end:]]
                break
    return words


def _around(place: int, words: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of three words or fewer with the word at a place, the longest first."""
    for length in (3, 2, 1):
        for start in range(max(0, place - length + 1), min(place, words - length) + 1):
            yield start, start + length


def _like(word: str) -> tuple[str, ...]:
    key = word.casefold()
    known = _SYNONYMS.get(key) or _SYNONYMS.get(key.removesuffix("s")) or (key,)
    return tuple(dict.fromkeys((*known, _AMERICAN.sub("is", key))))


def content(text: str) -> str:
    """Return a text without the words at its beginning that say nothing of a topic."""
    words = text.split()
    begin = next((n for n, each in enumerate(words) if each.casefold() not in STOP_WORDS), 0)
    return " ".join(words[begin:])
