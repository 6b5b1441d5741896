"""Which works of a graph are which records of another knowledge base."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from stemma.graph import PageOrder, Reader, Work, WorkType
from stemma.schema import Entity, Paper, RelationType
from stemma.schema.name import match_key
from stemma.server.linking_out.records import Record

_AT_ONCE = 1000
_DISTINCTIVE = re.compile(r"\d|(?<=\w)[A-Z]")
"""What names have that nothing outside the field is likely to have as well."""

SAME_IDENTIFIER = "same identifier"
SAME_TITLE = "same title"
SAME_PAPER = "same name, introduced by the same paper"
SAME_KIND = "same name and kind"
ALIAS_AND_KIND = "an alias, and the same kind"
SAME_NAME = "same name"
CONFIDENCES = {
    SAME_IDENTIFIER: 0.99,
    SAME_PAPER: 0.98,
    SAME_TITLE: 0.95,
    SAME_KIND: 0.9,
    ALIAS_AND_KIND: 0.8,
    SAME_NAME: 0.6,
}
"""How sure a match is by what it rests on. Set by judgement: nothing measures them."""
_COMMON_NAME = 0.3
"""Of a name that other fields may use as well, where the kind is not known."""


@dataclass(frozen=True, slots=True)
class Match:
    """A work and a record that are the same thing, for a `reason`, one of CONFIDENCES."""

    work: Work
    record: Record
    reason: str
    confidence: float


class Matcher:
    """Matches works with records, one record at a time; the names of the graph are in memory."""

    def __init__(self, reader: Reader) -> None:
        self._works: dict[str, Work] = {}
        self._by_key: dict[str, list[str]] = defaultdict(list)
        self._by_identifier: dict[str, str] = {}
        self._introduced: dict[str, list[Paper]] = {}
        self._found: dict[str, list[Match]] = defaultdict(list)
        for paper in _works(reader, WorkType.PAPER):
            assert isinstance(paper, Paper)
            self._add(paper, [paper.title])
            self._by_identifier.update(dict.fromkeys(paper.identifiers, paper.id))
        entities = list(_works(reader, WorkType.ENTITY))
        for start in range(0, len(entities), _AT_ONCE):
            batch = entities[start : start + _AT_ONCE]
            by_entity = reader.papers_naming([each.id for each in batch], [RelationType.INTRODUCES])
            for entity in batch:
                assert isinstance(entity, Entity)
                self._add(entity, [entity.name, *entity.aliases])
                papers = (self._works[each] for each in by_entity.get(entity.id, ()))
                self._introduced[entity.id] = [each for each in papers if isinstance(each, Paper)]

    def _add(self, work: Work, names: list[str]) -> None:
        self._works[work.id] = work
        for key in dict.fromkeys(map(match_key, names)):
            self._by_key[key].append(work.id)

    def match(self, record: Record) -> None:
        """Match a record with works."""
        if record.is_paper:
            self._match_paper(record)
        else:
            self._match_entity(record)

    def _match_paper(self, record: Record) -> None:
        same = {
            self._by_identifier[each] for each in record.identifiers & self._by_identifier.keys()
        }
        if len(same) == 1:
            self._note(same.pop(), record, SAME_IDENTIFIER)
            return
        titled = [
            paper
            for each in self._by_key.get(match_key(record.names[0]), ())
            if isinstance(paper := self._works[each], Paper)
            and not (paper.identifiers and record.identifiers)
        ]
        if len(titled) == 1 and not same:
            self._note(titled[0].id, record, SAME_TITLE)

    def _match_entity(self, record: Record) -> None:
        tried = set[str]()
        for name in record.names:
            for id_ in self._by_key.get(match_key(name), ()):
                work = self._works[id_]
                if id_ not in tried and isinstance(work, Entity):
                    tried.add(id_)
                    self._weigh(work, name, record)

    def _weigh(self, entity: Entity, name: str, record: Record) -> None:
        papers = self._introduced[entity.id]
        title = match_key(record.paper) if record.paper else None
        if any(
            record.identifiers & set(each.identifiers) or match_key(each.title) == title
            for each in papers
        ):
            self._note(entity.id, record, SAME_PAPER)
        elif record.kinds is None:
            self._note(entity.id, record, SAME_NAME, is_common=not _DISTINCTIVE.search(name))
        elif entity.kind in record.kinds:
            same_name = name in (record.names[0], entity.name) and entity.name in record.names
            self._note(entity.id, record, SAME_KIND if same_name else ALIAS_AND_KIND)

    def _note(self, id_: str, record: Record, reason: str, *, is_common: bool = False) -> None:
        confidence = _COMMON_NAME if is_common else CONFIDENCES[reason]
        self._found[id_].append(Match(self._works[id_], record, reason, confidence))

    def matches(self, min_confidence: float = 0.0) -> Iterator[Match]:
        """Yield what was found, by the ids of works, the surest record of each.

        Where several records are as likely, or several works are for one record, each is less sure.
        """
        best = {id_: self._surest(found) for id_, found in self._found.items()}
        claims: dict[str, list[float]] = defaultdict(list)
        for found in best.values():
            for each in found:
                claims[each.record.iri].append(each.confidence)
        for _, found in sorted(best.items()):
            for each in sorted(found, key=lambda match: match.record.iri):
                rivals = sum(other >= each.confidence for other in claims[each.record.iri])
                if max(claims[each.record.iri]) > each.confidence:
                    continue
                confidence = round(each.confidence / max(len(found), rivals), 3)
                if confidence >= min_confidence:
                    yield Match(each.work, each.record, each.reason, confidence)

    def _surest(self, found: list[Match]) -> list[Match]:
        most = max(each.confidence for each in found)
        by_iri = {each.record.iri: each for each in found if each.confidence == most}
        return list(by_iri.values())


def _works(reader: Reader, type_: WorkType) -> Iterator[Work]:
    after = None
    while True:
        page = reader.page(type_, order=PageOrder.NAME, after=after, first=_AT_ONCE)
        yield from page.works
        if not page.has_next:
            return
        after = page.works[-1].id
