"""Proposals: what an answer says about a paper, as far as the text of the paper supports it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from stemma.extract.kind import places_of
from stemma.schema import (
    EntityKind,
    Evidence,
    Field,
    Mention,
    Paper,
    RelationType,
)

_MOST = 100
"""Proposals of one paper that are looked at: no abstract names more."""
_LONGEST_NAME = 200
_LONGEST_ANSWER = 1 << 20
_END_OF_THOUGHTS = "</think>"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entity and the paper's relation to it, with places in the text for both."""

    name: str
    kind: EntityKind
    relation: RelationType
    mentions: tuple[Mention, ...]
    evidence: tuple[Evidence, ...]


class Proposals:
    """Reads answers about one paper."""

    def __init__(self, paper: Paper) -> None:
        from stemma.extract.sentence import sentences  # noqa: PLC0415 - spaCy loads slowly

        self._texts = {Field.TITLE: paper.title, Field.ABSTRACT: paper.abstract}
        self._sentences = [
            self._sentence(Field.TITLE, 0, len(paper.title)),
            *(self._sentence(Field.ABSTRACT, x.start, x.end) for x in sentences(paper.abstract)),
        ]
        self.dropped: Counter[str] = Counter()
        """How many proposals were dropped, by reason."""

    def of(self, content: str) -> list[Proposal]:
        """Return what holds of an answer. Raises ValueError where it is not the JSON asked for."""
        listed = _entities(content)
        self.dropped["beyond the first hundred"] += max(0, len(listed) - _MOST)
        found = [each for one in listed[:_MOST] if (each := self._checked(one))]
        self.dropped = +self.dropped
        return found

    def _sentence(self, field: Field, start: int, end: int) -> Evidence:
        return Evidence(self._texts[field][start:end], field, start, end)

    def _checked(self, item: object) -> Proposal | None:
        if not isinstance(item, dict):
            self.dropped["not an object"] += 1
            return None
        names, kind, relation = item.get("names"), item.get("kind"), item.get("relation")
        quote = item.get("quote")
        if kind not in list(EntityKind) or relation not in list(RelationType):
            self.dropped["unknown kind or relation"] += 1
        elif relation == RelationType.RUNS_ON and kind != EntityKind.HARDWARE:
            self.dropped["runs on something else than hardware"] += 1
        elif not (mentions := self._mentions(names)):
            self.dropped["name not in the text"] += 1
        elif not isinstance(quote, str) or not (evidence := self._evidence(quote)):
            self.dropped["quote not in the text"] += 1
        elif not self._is_about(evidence, mentions):
            self.dropped["quote not about the entity"] += 1
        else:
            named = {each.text for each in mentions}
            name = next(each for each in _strings(names) if each in named)
            return Proposal(name, EntityKind(kind), RelationType(relation), mentions, evidence)
        return None

    def _mentions(self, names: object) -> tuple[Mention, ...]:
        wanted = [each for each in _strings(names) if 1 < len(each) <= _LONGEST_NAME]
        places = {
            (field, start, end)
            for field, text in self._texts.items()
            for spans in places_of(wanted, text).values()
            for start, end in spans
        }
        return tuple(
            Mention(self._texts[field][start:end], field, start, end)
            for field, start, end in sorted(places)
            if not any(
                field is other and (first < start or end < last) and first <= start and end <= last
                for other, first, last in places
            )
        )

    def _evidence(self, quote: str) -> tuple[Evidence, ...]:
        """Return the sentences that contain a quote; only blanks may differ."""
        words = quote.split()
        if not words:
            return ()
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        for field, text in self._texts.items():
            if found := pattern.search(text):
                return tuple(
                    each
                    for each in self._sentences
                    if each.field is field and each.start < found.end() and found.start() < each.end
                )
        return ()

    def _is_about(self, evidence: tuple[Evidence, ...], mentions: tuple[Mention, ...]) -> bool:
        first = self._sentences.index(evidence[0])
        about = (*self._sentences[max(0, first - 1) : first], *evidence)
        return any(
            sentence.field is each.field
            and sentence.start <= each.start
            and each.end <= sentence.end
            for sentence in about
            for each in mentions
        )


def _entities(content: str) -> list[object]:
    """Find the JSON in an answer: models think aloud, and put fences around it."""
    if len(content) > _LONGEST_ANSWER:
        raise ValueError("it exceeds the size limit")
    for start in _objects(text := content.rpartition(_END_OF_THOUGHTS)[2]):
        try:
            data, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(listed := data.get("entities"), list):
            return listed
    raise ValueError("it is not the requested JSON")


def _objects(text: str) -> Iterator[int]:
    """Yield where an object with entities may begin: few places, so that no answer takes long."""
    for found in islice(re.finditer(r'\{\s*"entities"', text), 5):
        yield found.start()


def _strings(values: object) -> list[str]:
    items = values if isinstance(values, list) else [values]
    return [each for each in items if isinstance(each, str)]
