"""What sections add to what an abstract says: relations with the sentences behind them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from stemma.extract.extractor import Found
from stemma.extract.sections.citing import named_by
from stemma.extract.sections.result_table import Result, results
from stemma.extract.sections.trust import Trust, Voice
from stemma.extract.sections.window import Window, windows
from stemma.schema import (
    Citation,
    Entity,
    EntityKind,
    Evidence,
    Field,
    FoundEntity,
    FoundRelation,
    FullText,
    Mention,
    Paper,
    Reference,
    RelationType,
    Section,
)
from stemma.schema.name import match_key

_Place = tuple[int, int, int]
"""The number of a section, and offsets in it."""
_OURS = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Oo]urs|[Tt]his (?:paper|work|article|study|report))\b"
    r"|\b(?:[Tt]he|[Tt]his) (?:proposed|present) \w+"
)
_SYSTEM_NAME = re.compile(r"(?=.*[A-Z])(?!.* et al)[\w.+@/^-]{2,40}(?: [\w.+@/^-]{1,40}){0,3}")
_SYSTEMS = (EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL)
_TABLES, _SURE_OF_TABLES = "tables/1", 0.9
"""The origin of what tables say, and how sure it is: see docs/extraction.md."""
_MOST_EVIDENCE = 3
_MOST_WINDOWS = 400
_UNNAMED, _PLACEHOLDER = "CW{}", re.compile(r"CW\d+")
"""What a cited work is called that has no name: it reads as a name, as tests show."""


@dataclass(slots=True)
class _Added:
    """A relation that sections state, with the confidence of its surest window."""

    relation: FoundRelation
    places: list[_Place] = field(default_factory=list)


class SectionReader:
    """Reads the sections of one paper, whose abstract has been read.

    `known` returns the catalogue's entities that have a name of this match key.
    """

    def __init__(
        self, paper: Paper, abstract: Found, trust: Trust, known: Callable[[str], Sequence[Entity]]
    ) -> None:
        assert paper.full_text is not None
        self._known = known
        self._paper, self._text, self._trust = paper, paper.full_text, trust
        self._entities: dict[str, FoundEntity] = {each.name: each for each in abstract[0]}
        self._relations = abstract[1]
        self._owners: dict[str, str] = {}
        for each in abstract[0]:
            for form in (each.name, *(mention.text for mention in each.mentions)):
                self._owners.setdefault(match_key(form), each.name)
            if each.concept:
                self._owners.setdefault(each.concept, each.name)
        self._introduced = {
            each.entity for each in abstract[1] if each.type is RelationType.INTRODUCES
        }
        forms = {
            mention.text for name in self._introduced for mention in self._entities[name].mentions
        } | self._introduced
        self._own = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(forms)))})(?!\w)")
        self._unnamed: dict[str, Reference] = {}
        self._mentions: dict[str, set[_Place]] = defaultdict(set)
        self._added: dict[tuple[RelationType, str], _Added] = {}

    def add_tables(self) -> None:
        """Add what tables of results say."""
        if self._trust.voice(Field.TABLE, RelationType.COMPARES_WITH) is None:
            return
        for number, section in enumerate(self._text.sections):
            if section.kind is Field.TABLE:
                for each in results(section, self._is_introduced):
                    self._add_result(number, section, each)

    def _is_introduced(self, name: str) -> bool:
        return bool(self._introduced and self._own.match(name))

    def _add_result(self, number: int, section: Section, result: Result) -> None:
        name = section.text[slice(*result.name)]
        named = self._named_in_table(name, result.cited)
        if named is None or named in self._introduced:
            return
        relation = FoundRelation(
            RelationType.COMPARES_WITH, named, _SURE_OF_TABLES, (), _TABLES, result.comparison
        )
        added = self._added.setdefault((relation.type, named), _Added(relation))
        added.places += [(number, *place) for place in result.lines]
        if added.relation.comparison is None:
            added.relation = replace(added.relation, comparison=result.comparison)
        self._mentions[named].add((number, *result.name))

    def _named_in_table(self, name: str, cited: Sequence[Citation]) -> str | None:
        """Return the name under which the paper has a system of a table: one that it has already,
        that the catalogue has, or that is cited there."""
        if owner := self._owners.get(match_key(name)):
            return owner
        concepts = [each for each in self._known(match_key(name)) if each.kind in _SYSTEMS]
        if len(concepts) == 1:
            return self._named(FoundEntity(name, concepts[0].kind, concepts[0].id, ()))
        if not cited:
            return None
        if not _SYSTEM_NAME.fullmatch(name):
            name = next(filter(None, (named_by(each.reference) for each in cited)), "")
        return self._named(FoundEntity(name, EntityKind.TECHNIQUE, None, ())) if name else None

    def windows(self) -> list[Window]:
        """Return the windows that may state something, to be read with the title before them."""
        found = (each for each in windows(self._text, self._names()) if self._may_state(each))
        return list(islice(found, _MOST_WINDOWS))

    def _names(self) -> dict[Reference, str]:
        """Return what cited works are called: the systems that titles name, or placeholders."""
        names: dict[Reference, str] = {}
        for section in self._text.sections:
            for each in section.citations:
                if each.reference not in names:
                    name = named_by(each.reference)
                    if name is None:
                        name = _UNNAMED.format(10 + len(self._unnamed))
                        self._unnamed[name] = each.reference
                    names[each.reference] = name
        return names

    def _may_state(self, window: Window) -> bool:
        voices = set(self._trust.table.get(window.kind, {}).values())
        return Voice.ANY in voices or (Voice.OWN in voices and self._is_own(window.text))

    def _is_own(self, sentence: str) -> bool:
        return bool(_OURS.search(sentence) or (self._introduced and self._own.search(sentence)))

    def add(self, window: Window, found: Found) -> None:
        """Add what was found in a window."""
        entities = {each.name: each for each in found[0]}
        for relation in found[1]:
            voice = self._trust.voice(window.kind, relation.type)
            entity = entities[relation.entity]
            if voice is None or not (named := self._named(entity)):
                continue
            evidence = [
                each
                for each in relation.evidence
                if each.field is Field.ABSTRACT
                and (voice is Voice.ANY or self._is_own(each.text))
                and any(
                    each.start <= mention.start and mention.end <= each.end
                    for mention in entity.mentions
                    if mention.field is Field.ABSTRACT
                )
            ]
            if evidence and named not in self._introduced:
                self._keep(window, replace(relation, entity=named), entity, evidence)

    def _named(self, entity: FoundEntity) -> str | None:
        """Return the name under which the paper has this entity, perhaps from now on."""
        if reference := self._unnamed.get(entity.name):
            # A work without a name is known by its title.
            if not reference.title:
                return None
            entity = FoundEntity(reference.title, EntityKind.TECHNIQUE, None, ())
        elif any(each in self._unnamed for each in _PLACEHOLDER.findall(entity.name)):
            return None
        owner = self._owners.get(entity.concept or "") or self._owners.get(match_key(entity.name))
        if owner is None:
            owner = entity.name
            self._entities[owner] = replace(entity, mentions=())
            self._owners[match_key(owner)] = owner
            if entity.concept:
                self._owners[entity.concept] = owner
        return owner

    def _keep(
        self,
        window: Window,
        relation: FoundRelation,
        entity: FoundEntity,
        evidence: Iterable[Evidence],
    ) -> None:
        key = relation.type, relation.entity
        added = self._added.setdefault(key, _Added(relation))
        places = [(window.section, *window.place(each.start, each.end)) for each in evidence]
        if relation.confidence > added.relation.confidence:
            added.relation = relation
            added.places = [*places, *added.places]
        else:
            added.places += places
        for mention in entity.mentions:
            if mention.field is Field.ABSTRACT and window.is_copied(mention.start, mention.end):
                place = window.place(mention.start, mention.end)
                self._mentions[relation.entity].add((window.section, *place))

    def result(self) -> tuple[FullText, Found]:
        """Return what is kept of the text, and all that abstract and sections say."""
        stated = {(each.type, each.entity) for each in self._relations}
        lineage = {name for type_, name in stated if type_ is RelationType.BUILDS_ON}
        added = {
            key: each
            for key, each in self._added.items()
            # What is built on is used as well, which says less.
            if key[0] is not RelationType.USES
            or (key[1] not in lineage and (RelationType.BUILDS_ON, key[1]) not in self._added)
        }
        chosen = {key: list(dict.fromkeys(each.places)) for key, each in added.items()}
        places = {
            key: own[: max(0, _MOST_EVIDENCE - self._evidence_of(key))]
            for key, own in chosen.items()
        }
        kept = _Kept(self._text, {place for own in places.values() for place in own})
        relations = list(self._without_mentions(added))
        for key, each in added.items():
            quoted = tuple(map(kept.evidence, places[key]))
            same = next((i for i, old in enumerate(relations) if (old.type, old.entity) == key), -1)
            if same >= 0:
                old = relations[same]
                comparison = old.comparison or each.relation.comparison
                relations[same] = replace(
                    old, evidence=(*old.evidence, *quoted), comparison=comparison
                )
            elif quoted:
                relations.append(replace(each.relation, evidence=quoted))
        named = {each.entity for each in relations}
        entities = (
            replace(each, mentions=(*each.mentions, *kept.mentions(self._mentions[each.name])))
            for each in self._entities.values()
            if each.name in named or each.mentions
        )
        return kept.text, (tuple(entities), tuple(relations))

    def _evidence_of(self, key: tuple[RelationType, str]) -> int:
        return sum(
            len(each.evidence) for each in self._relations if (each.type, each.entity) == key
        )

    def _without_mentions(
        self, added: Mapping[tuple[RelationType, str], _Added]
    ) -> Iterator[FoundRelation]:
        """Yield what the abstract says; of what it only mentions sections may say more."""
        more = {name for _, name in added}
        for each in self._relations:
            if each.type is not RelationType.MENTIONS or each.entity not in more:
                yield each


class _Kept:
    """The sentences that are kept of a text, in sections of their own."""

    def __init__(self, text: FullText, places: set[_Place]) -> None:
        self._offsets: dict[_Place, int] = {}
        """For each stretch that is kept, where it begins in the section that is kept."""
        sections, numbers = list[Section](), list[int]()
        for number, section in enumerate(text.sections):
            stretches = _joined(sorted(place[1:] for place in places if place[0] == number))
            if not stretches:
                continue
            parts, citations, length = list[str](), list[Citation](), 0
            for start, end in stretches:
                self._offsets[number, start, end] = length
                parts.append(section.text[start:end])
                citations += (
                    replace(each, start=each.start - start + length, end=each.end - start + length)
                    for each in section.citations
                    if start <= each.start and each.end <= end
                )
                length += end - start + 1
            sections.append(replace(section, text="\n".join(parts), citations=tuple(citations)))
            numbers.append(number)
        self.text = replace(text, sections=tuple(sections))
        starts = dict(zip(numbers, self.text.starts, strict=True))
        self._places = {place: starts[place[0]] + offset for place, offset in self._offsets.items()}
        self._kinds = [each.kind for each in text.sections]
        self._whole = {kind: self.text.of_kind(kind) for kind in set(self._kinds)}

    def _span(self, place: _Place) -> tuple[str, Field, int, int] | None:
        number, start, end = place
        for (section, first, last), offset in self._places.items():
            if section == number and first <= start and end <= last:
                begin = offset + start - first
                kind = self._kinds[number]
                return (
                    self._whole[kind][begin : begin + end - start],
                    kind,
                    begin,
                    begin + end - start,
                )
        return None

    def evidence(self, place: _Place) -> Evidence:
        """Return a sentence that is kept."""
        span = self._span(place)
        assert span is not None
        return Evidence(*span)

    def mentions(self, places: Iterable[_Place]) -> Iterator[Mention]:
        """Yield the mentions in what is kept."""
        for place in sorted(places):
            if span := self._span(place):
                yield Mention(*span)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put stretches together that overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
