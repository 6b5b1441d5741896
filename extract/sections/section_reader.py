"""What sections add to what an abstract says: relations with the sentences behind them."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import itemgetter

from stemma.extract.extractor import Found
from stemma.extract.sections.citing import named_by
from stemma.extract.sections.result_table import Result, results
from stemma.extract.sections.trust import Trust, least_confidence
from stemma.extract.sections.window import Window, windows
from stemma.schema import (
    LINEAGE_RELATIONS,
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
_Key = tuple[RelationType, str]
"""A relation to an entity, by its name."""
_OURS = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Oo]urs|[Tt]his (?:paper|work|article|study|report))\b"
    r"|\b(?:[Tt]he|[Tt]his) (?:proposed|present) \w+"
)
_SYSTEM_NAME = re.compile(r"(?=.*[A-Z])(?!.* et al)[\w.+@/^-]{2,40}(?: [\w.+@/^-]{1,40}){0,3}")
_SYSTEMS = (EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL)
_NO_NAME = re.compile(
    r"(?:see )?(?:alg(?:orithm)?|sec(?:tion)?|tab(?:le)?|fig(?:ure)?|eqn?|equation|"
    r"appendi(?:x|ces)|theorem|lemma|corollary|proposition|definition|chapter|step|stage|phase|"
    r"layer|case)s?\.? ?"
    r"\(?[\dA-Z]?(?:\.?\d){0,5}\)?\.?",
    re.I,
)
"""A part of the paper itself: "see Appendix A.5"."""
_ALIKE = re.compile(
    r"\b(?:similar|akin|analogous|comparable|reminiscent|orthogonal|complementary) (?:in \w+ )?"
    r"(?:to|of) (?:(?:the|that of|those of) )?$"
)
_OUTLOOK = re.compile(
    r"\bfuture (?:work|research|direction|version)|\bin (?:the )?future\b"
    r"|\bwe (?:plan|leave|hope)\b|\bremains? (?:open|to be)\b"
    r"|\b(?:could|might) (?:also )?be (?:extended|applied|combined)\b",
    re.I,
)
_OTHERS = re.compile(
    r"(?P<name>[A-Z][\w-]{1,40})\)?(?: (?:\[[^\[\]]{1,40}\]|\([^()]{1,40}\)))?,? "
    r"(?:(?:which|that) )?(?:(?:is|was|are|were) )?(?:derived from|built (?:on|upon|from)|"
    r"based on|adapted from|extends|builds (?:up)?on|fine-tuned (?:on|from))(?: \w{1,20}){0,2} $"
)
"""What another work descends from: "RefSeer [7] derived from"."""
_WRITTEN_IN = re.compile(r"\b[Ii]mplement\w*\b[^.;]{0,60}\b(?:in|with|using|into) (?:the )?$")
_TABLES = "tables/1"
"""The origin of what tables say."""
_MOST_EVIDENCE = 3
_MOST_WINDOWS = 400
_UNNAMED, _PLACEHOLDER = "CW{}", re.compile(r"CW\d+")
"""What a cited work is called that has no name: it reads as a name, as tests show."""


@dataclass(slots=True)
class _Added:
    """A relation that sections state, as its surest window does.

    `places` are its sentences, each with how sure it is; `doubt` is the probability that all
    windows are wrong.
    """

    relation: FoundRelation
    places: dict[_Place, float] = field(default_factory=dict)
    doubt: float = 1.0

    def add(self, relation: FoundRelation, places: Mapping[_Place, float]) -> None:
        """Add what a window or a table states."""
        sure = max(places.values())
        if sure > max(self.places.values(), default=0.0):
            self.relation = relation
        self.doubt *= 1 - sure
        for place, share in places.items():
            self.places[place] = max(share, self.places.get(place, 0.0))

    @property
    def stated(self) -> FoundRelation:
        """The relation, with the confidence of all windows together."""
        return replace(self.relation, confidence=round(1 - self.doubt, 3))

    @property
    def best(self) -> list[_Place]:
        """The sentences, the surest first."""
        return sorted(self.places, key=lambda place: (-self.places[place], place))


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
        self._added: dict[_Key, _Added] = {}

    def add_tables(self) -> None:
        """Add what tables of results say."""
        if not self._trust.share(Field.TABLE, RelationType.COMPARES_WITH, own=True):
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
        if named is None or self._is_own_part(named):
            return
        sure = self._trust.share(Field.TABLE, RelationType.COMPARES_WITH, own=True)
        relation = FoundRelation(
            RelationType.COMPARES_WITH, named, sure, (), _TABLES, result.comparison
        )
        added = self._added.setdefault((relation.type, named), _Added(relation))
        added.add(relation, {(number, *place): sure for place in result.lines})
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
        shares = self._trust.table.get(window.kind, {}).values()
        return any(each.other for each in shares) or (bool(shares) and self._is_own(window.text))

    def _is_own(self, sentence: str) -> bool:
        return bool(_OURS.search(sentence) or (self._introduced and self._own.search(sentence)))

    def add(self, window: Window, found: Found) -> None:
        """Add what was found in a window."""
        entities = {each.name: each for each in found[0]}
        for relation in found[1]:
            entity = entities[relation.entity]
            if relation.type not in self._trust.table.get(window.kind, {}):
                continue
            sure = {
                each: share * relation.confidence
                for each in relation.evidence
                if (share := self._share(window.kind, relation.type, entity, each))
            }
            if sure and (named := self._named(entity)) and not self._is_own_part(named):
                self._keep(window, replace(relation, entity=named), entity, sure)

    def _share(
        self, kind: Field, relation: RelationType, entity: FoundEntity, evidence: Evidence
    ) -> float:
        """Return the factor on the confidence of a relation that a sentence states; 0 where it
        does not state it."""
        if evidence.field is not Field.ABSTRACT:
            return 0.0
        before = [
            evidence.text[: mention.start - evidence.start]
            for mention in entity.mentions
            if mention.field is Field.ABSTRACT
            and evidence.start <= mention.start
            and mention.end <= evidence.end
        ]
        if not before or (relation in LINEAGE_RELATIONS and _OUTLOOK.search(evidence.text)):
            return 0.0
        if relation is RelationType.BUILDS_ON:
            is_tool = entity.kind is EntityKind.FRAMEWORK and any(map(_WRITTEN_IN.search, before))
            if is_tool or all(_ALIKE.search(each) or self._is_of_another(each) for each in before):
                return 0.0
        return self._trust.share(kind, relation, own=self._is_own(evidence.text))

    def _is_of_another(self, before: str) -> bool:
        found = _OTHERS.search(before)
        return bool(found and not self._is_own(found["name"]))

    def _is_own_part(self, name: str) -> bool:
        """Whether the paper introduces this, or a thing that has its name in it: "ZeRO-DP"."""
        return bool(self._introduced and self._own.search(name))

    def _named(self, entity: FoundEntity) -> str | None:
        """Return the name under which the paper has this entity, perhaps from now on."""
        if reference := self._unnamed.get(entity.name):
            # A work without a name is known by its title.
            if not reference.title:
                return None
            entity = FoundEntity(reference.title, EntityKind.TECHNIQUE, None, ())
        elif _NO_NAME.fullmatch(entity.name) or any(
            each in self._unnamed for each in _PLACEHOLDER.findall(entity.name)
        ):
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
        sure: Mapping[Evidence, float],
    ) -> None:
        added = self._added.setdefault((relation.type, relation.entity), _Added(relation))
        added.add(
            relation,
            {
                (window.section, *window.place(each.start, each.end)): share
                for each, share in sure.items()
            },
        )
        for mention in entity.mentions:
            if mention.field is Field.ABSTRACT and window.is_copied(mention.start, mention.end):
                place = window.place(mention.start, mention.end)
                self._mentions[relation.entity].add((window.section, *place))

    def result(self) -> tuple[FullText, Found]:
        """Return what is kept of the text, and all that abstract and sections say."""
        said = {(each.type, each.entity) for each in self._relations}
        stated = said | {
            key
            for key, each in self._added.items()
            if each.stated.confidence >= least_confidence(key[0])
        }
        added = {
            key: each
            for key, each in self._added.items()
            if key in said or (key in stated and not self._says_less(key, stated))
        }
        places = {
            key: each.best[: max(0, _MOST_EVIDENCE - self._evidence_of(key))]
            for key, each in added.items()
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
                relations.append(replace(each.stated, evidence=quoted))
        named = {each.entity for each in relations}
        entities = (
            replace(each, mentions=(*each.mentions, *kept.mentions(self._mentions[each.name])))
            for each in self._entities.values()
            if each.name in named or each.mentions
        )
        return kept.text, (tuple(entities), tuple(relations))

    def _says_less(self, key: _Key, stated: Set[_Key]) -> bool:
        """Whether another relation to an entity leaves a relation out: what is built on is used as
        well, and what is compared with is a baseline, not what is evaluated."""
        relation, name = key
        if relation is RelationType.EVALUATED_ON:
            is_model = self._entities[name].kind is EntityKind.MODEL
            return is_model and (RelationType.COMPARES_WITH, name) in stated
        return relation is RelationType.USES and (RelationType.BUILDS_ON, name) in stated

    def _evidence_of(self, key: _Key) -> int:
        return sum(
            len(each.evidence) for each in self._relations if (each.type, each.entity) == key
        )

    def _without_mentions(self, added: Mapping[_Key, _Added]) -> Iterator[FoundRelation]:
        """Yield what the abstract says; of what it only mentions sections may say more."""
        more = {name for _, name in added}
        for each in self._relations:
            if each.type is not RelationType.MENTIONS or each.entity not in more:
                yield each


class _Kept:
    """The sentences that are kept of a text, in sections of their own."""

    def __init__(self, text: FullText, places: Iterable[_Place]) -> None:
        by_section: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, *span in places:
            by_section[number].append((span[0], span[1]))
        self._stretches = {
            number: _joined(sorted(spans)) for number, spans in sorted(by_section.items())
        }
        """By the number of a section, what is kept of it."""
        self._kinds = {number: text.sections[number].kind for number in self._stretches}
        sections, offsets = list[Section](), dict[int, list[int]]()
        for number, stretches in self._stretches.items():
            section = text.sections[number]
            parts, citations, length = list[str](), list[Citation](), 0
            offsets[number] = []
            for start, end in stretches:
                offsets[number].append(length)
                parts.append(section.text[start:end])
                citations += (
                    replace(each, start=each.start - start + length, end=each.end - start + length)
                    for each in section.citations
                    if start <= each.start and each.end <= end
                )
                length += end - start + 1
            sections.append(replace(section, text="\n".join(parts), citations=tuple(citations)))
        self.text = replace(text, sections=tuple(sections))
        self._offsets = {
            number: [start + offset for offset in offsets[number]]
            for number, start in zip(offsets, self.text.starts, strict=True)
        }
        """Where each stretch begins in the text of its kind."""

    def _span(self, place: _Place) -> tuple[str, Field, int, int] | None:
        number, start, end = place
        stretches = self._stretches.get(number, [])
        at = bisect_right(stretches, start, key=itemgetter(0)) - 1
        if at < 0 or end > stretches[at][1]:
            return None
        kind, begin = self._kinds[number], self._offsets[number][at] + start - stretches[at][0]
        stop = begin + end - start
        return self.text.of_kind(kind)[begin:stop], kind, begin, stop

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
