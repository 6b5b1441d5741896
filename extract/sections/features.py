"""Readings: the names in a window, with the probabilities of all that may be said of each; and
features: what is counted of all that the sections of a paper say of one entity.

A relation that one window alone leaves in doubt may be sure in the light of all.
"""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from spacy.tokens import Doc

from stemma.extract.comparison import compare
from stemma.extract.encoder.component import ONLY_FOR, PaperReader, named_entities, read_document
from stemma.extract.encoder.network import RELATIONS
from stemma.extract.encoder.paper_words import PaperWords
from stemma.extract.recognition import NamedEntity, recognition, sentences_of
from stemma.extract.sections.result_table import Place, Result, TableRole
from stemma.extract.sections.trust import Trust
from stemma.schema import (
    LINEAGE_RELATIONS,
    Comparison,
    EntityKind,
    Field,
    FoundEntity,
    RelationType,
)
from stemma.schema.general_wording import written_as_general

LEAST = 0.2
"""The probability of an entity from which it is looked at."""

Likely = Mapping[RelationType, float]
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EntitySentence:
    """A sentence of a window that names an entity, at `names`; all are offsets in the window.

    `likely`: for each relation the probability that the paper has it to the entity, and `states`
    that this sentence says so. `others` are the names of other entities in it.
    """

    start: int
    end: int
    text: str
    names: tuple[_Span, ...]
    others: tuple[_Span, ...]
    likely: Likely
    states: Likely

    def comparison(self) -> Comparison | None:
        """Return how the paper's work compares with the entity, if the sentence says so."""
        others = [(start - self.start, end - self.start) for start, end in self.others]
        for start, end in self.names:
            if found := compare(self.text, start - self.start, end - self.start, others):
                return found
        return None


@dataclass(frozen=True, slots=True)
class EntityReading:
    """What a window says of one entity: `forms` are the names that it has there, `likely` is the
    probability that it is one."""

    name: str
    kind: EntityKind
    concept: str | None
    forms: frozenset[str]
    likely: float
    sentences: tuple[EntitySentence, ...]


def readings(doc: Doc, reader: PaperReader) -> list[EntityReading]:
    """Return what is read of a Doc that went through the components before the network.

    `reader` is the network's component.
    """
    scored = list(_scored(doc, reader))
    found, offset = recognition(doc), recognition(doc).abstract_start

    def by_sentence(spans: Iterable[_Span]) -> dict[int, list[_Span]]:
        places: dict[int, list[_Span]] = defaultdict(list)
        for start, end in spans:
            places[found.sentence_at(start)].append((start - offset, end - offset))
        return places

    named = by_sentence(span for entity, *_ in scored for span in entity.spans)
    read = []
    for entity, likely, stating in scored:
        sentences = []
        for number, own in sorted(by_sentence(entity.spans).items()):
            start, end, in_title = sentences_of(doc)[number]
            others = tuple(each for each in named[number] if each not in own)
            place, text = (start - offset, end - offset), found.text[start:end]
            states = stating.get(number, {})
            if not in_title:
                sentences.append(EntitySentence(*place, text, tuple(own), others, likely, states))
        if sentences:
            forms = frozenset(found.text[start:end] for start, end in entity.spans)
            named_by = (entity.name, entity.kind, entity.concept, forms)
            read.append(EntityReading(*named_by, entity.score, tuple(sentences)))
    return read


def _scored(
    doc: Doc, reader: PaperReader
) -> Iterator[tuple[NamedEntity, Likely, Mapping[int, Likely]]]:
    """Yield entities, each with its relations, and by sentence which of them that states."""
    document = PaperWords.of(doc)
    groups, related = read_document(reader.network, document, reader.preferred)
    for group, named in named_entities(doc, document, groups, related, LEAST):
        evidence = related.evidence[group]
        stating = {
            number: dict(zip(RELATIONS, evidence[:, number].tolist(), strict=True))
            for number in {recognition(doc).sentence_at(start) for start, _ in named.spans}
        }
        relations = related.relations[group].tolist()
        yield named, dict(zip(RELATIONS, relations, strict=True)), stating


_SURELY = 1e-3
_ALSO_STATES = 0.3
"""How likely a further sentence has to state a relation against the likeliest."""
_CLEARLY = 0.3
"""How likely a sentence has to state a comparison to be quoted before the lines of a table."""
_IN_TABLES = (RelationType.COMPARES_WITH, RelationType.EVALUATED_ON)
_MOST_COMPARED = 3
_UNUSUAL = re.compile(r"[A-Z]{2}|[a-z][A-Z]|\d")
"""A name that is written as no other word is."""
_LONG = 5
"""Words of a name that are counted: what has more is the title of a work."""


@dataclass(slots=True)
class Said:
    """A sentence of a section that names an entity.

    `reading` is the number of the reading that it is from, among those of the paper; `section` is
    the kind of that. `own`: it is about this paper's work; `aside`: about the future, what is like
    the entity or another work, or in an appendix. `likely` is the probability of an entity.
    """

    reading: int
    section: Field
    own: bool
    aside: bool
    place: Place
    names: tuple[Place, ...]
    sentence: EntitySentence
    likely: float

    def chance(self, relation: RelationType) -> float:
        """Return the probability of a relation, as far as this passage says."""
        if self.aside and relation in LINEAGE_RELATIONS:
            return 0.0
        return self.likely * self.sentence.likely.get(relation, 0.0)

    def states(self, relation: RelationType) -> float:
        """Return the probability that this very sentence states it; less if it rather mentions."""
        sure = 1 - self.sentence.states.get(RelationType.MENTIONS, 0.0) / 2
        return self.chance(relation) * self.sentence.states.get(relation, 0.0) * sure


@dataclass(slots=True)
class Collected:
    """All that the sections of a paper say of one entity.

    `is_part`: it is the paper's own contribution, or a part of that. `abstract` are the confidences
    of what the abstract says of it, `in_abstract` whether that has one of its names, `known` if
    concepts of the catalogue with one are general; `cited_in` are the kinds of sections citing it.
    """

    entity: FoundEntity
    is_part: bool
    abstract: Mapping[RelationType, float]
    in_abstract: bool
    readings: list[EntityReading]
    said: list[Said]
    rows: list[Result]
    known: Set[bool] = frozenset()
    cited_in: Set[Field] = frozenset()

    def stated(
        self, trust: Trust, features: Mapping[RelationType, Mapping[str, float]]
    ) -> dict[RelationType, float]:
        """Return the relations to it that are sure enough, by the features of each, with how sure.

        What is built on is used as well, and what is compared with is a baseline, not what is
        evaluated: neither is stated beside. What the abstract says stands.
        """
        own = self.abstract.keys()
        found = {
            relation: sure
            for relation in trust.table
            if (sure := trust.confidence(relation, features[relation])) >= trust.least(relation)
            and (relation in own or self.may(relation))
        }
        less = set()
        if RelationType.BUILDS_ON in own | found.keys():
            less.add(RelationType.USES)
        is_compared = RelationType.COMPARES_WITH in own | found.keys()
        if is_compared and self.entity.kind is EntityKind.MODEL:
            less.add(RelationType.EVALUATED_ON)
        return {key: sure for key, sure in found.items() if key in own or key not in less}

    def may(self, relation: RelationType) -> bool:
        """Return whether the paper may have a relation to it: its own part is no other work, and
        some relations are to things of some kinds."""
        if relation is not RelationType.INTRODUCES and self.is_part:
            return False
        return self.entity.kind in ONLY_FOR.get(relation, EntityKind)

    def chances(self, relation: RelationType) -> list[float]:
        """Return the probabilities of a relation, as far as the windows say: one for each."""
        passages = {each.reading: each for each in self.said}
        return [passage.chance(relation) for passage in passages.values()]

    def places(self, relation: RelationType) -> list[Place]:
        """Return the places of what states a relation, the likeliest first: sentences, or the lines
        of a table."""
        likely = {each.place: each.states(relation) for each in self.said}
        found = sorted(likely, key=lambda place: (-likely[place], place))
        least = _ALSO_STATES * likely[found[0]] if found else 0.0
        found = [place for place in found if likely[place] >= least]
        if relation in _IN_TABLES and self.rows:
            row = max(
                self.rows, key=lambda row: (bool(row.comparison), row.role is TableRole.BESIDE)
            )
            sure = bool(found) and likely[found[0]] >= _CLEARLY
            return [*found, *row.lines] if sure else [*row.lines, *found]
        return found

    def comparison(self) -> Comparison | None:
        """Return how the paper's work compares with the entity, by sentences or tables."""
        relation = RelationType.COMPARES_WITH
        for each in sorted(self.said, key=lambda each: -each.states(relation))[:_MOST_COMPARED]:
            if found := each.sentence.comparison():
                return found
        return next((row.comparison for row in self.rows if row.comparison), None)

    def names(self) -> set[Place]:
        """Return the places of the names of the entity."""
        rows = (row for row in self.rows if row.is_named)
        return {name for each in self.said for name in each.names} | {row.name for row in rows}

    def features(self) -> dict[str, float]:
        """Return the features that all relations share."""
        name, kind = self.entity.name, self.entity.kind
        names = {name, *(form for reading in self.readings for form in reading.forms)}
        general = any(self.known or (written_as_general(each, kind) for each in names))
        found = {
            "part": float(self.is_part),
            "unusual": float(bool(_UNUSUAL.search(name))),
            "words": float(min(len(name.split()), _LONG)),
            "in abstract": float(self.in_abstract),
            "known": float(bool(self.known)),
            "general": float(general),
            "known general": float(bool(self.known) and general),
        }
        found |= {f"abstract {relation}": sure for relation, sure in self.abstract.items()}
        found |= {f"cited in {section}": 1.0 for section in sorted(self.cited_in)}
        found |= {row.role.value: 1.0 for row in self.rows}
        kinds = Counter(reading.kind for reading in self.readings)
        found |= {kind.value: number / len(self.readings) for kind, number in kinds.items()}
        sections = Counter(each.section for each in self.said)
        found |= {f"in {section}": math.log1p(number) for section, number in sections.items()}
        for relation in RelationType:
            best = max((each.chance(relation) for each in self.said), default=0.0)
            inside = min(max(best, _SURELY), 1 - _SURELY)
            found[f"best {relation}"] = math.log(inside / (1 - inside))
        return found

    def features_of(self, relation: RelationType) -> dict[str, float]:
        """Return the features of one relation."""
        found: dict[str, float] = defaultdict(float)
        chances = sorted(self.chances(relation), reverse=True)
        if chances:
            none = math.prod(1 - chance for chance in chances)
            found["any"] = math.log((1 - none + _SURELY) / (none + _SURELY))
            found["mean"] = sum(chances) / len(chances)
            found["second"] = chances[1] if len(chances) > 1 else 0.0
        for each in self.said:
            name = f"{'ours' if each.own else 'others'} {each.section}"
            found[name] = max(found[name], each.chance(relation))
            found["stated"] = max(found["stated"], each.states(relation))
        return found


def features(
    paper: Sequence[Collected], relations: Iterable[RelationType]
) -> list[dict[RelationType, dict[str, float]]]:
    """Return the features of relations to all that the sections of one paper name.

    `rank` counts the entities that are likelier to have the relation, as far as one passage says.
    """
    shared = [collected.features() for collected in paper]
    found: list[dict[RelationType, dict[str, float]]] = [{} for _ in paper]
    for relation in relations:
        best = [-of_all[f"best {relation}"] for of_all in shared]
        ordered = sorted(best)
        for own, collected, of_all, place in zip(found, paper, shared, best, strict=True):
            rank = math.log1p(bisect_left(ordered, place))
            own[relation] = of_all | collected.features_of(relation) | {"rank": rank}
    return found
