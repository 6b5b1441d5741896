"""Features: what is counted of all that the sections of a paper say of one entity."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass

from stemma.extract.sections.reading import Reading, Sentence
from stemma.extract.sections.result_table import Role
from stemma.extract.sections.trust import Trust
from stemma.extract.vote import ONLY_FOR
from stemma.schema import (
    LINEAGE_RELATIONS,
    Comparison,
    EntityKind,
    Field,
    FoundEntity,
    RelationType,
)

Place = tuple[int, int, int]
"""The number of a section, and offsets in it."""
_SURELY, _MOST = 1e-3, 6.0
_ALSO_STATES = 0.3
"""How likely a further sentence has to state a relation against the likeliest."""
_CLEARLY = 0.3
"""How likely a sentence has to state a comparison to be quoted before the lines of a table."""
WORK = "work"
"""The feature of a name in a table that the catalogue has, or with a citation beside it."""
_IN_TABLES = (RelationType.COMPARES_WITH, RelationType.EVALUATED_ON)
_MOST_COMPARED = 3
_UNUSUAL = re.compile(r"[A-Z]{2}|[a-z][A-Z]|\d")
"""A name that is written as no other word is."""
_LONG = 5
"""Words of a name that is the title of a work."""


@dataclass(slots=True)
class Said:
    """A sentence of a section that names an entity.

    `section` is the kind of that. `own`: it is about this paper's work; `late`: it is in an
    appendix or about the future; `aside`: it says what is like the entity, or what another work
    descends from. `likely` is the probability that what it names is an entity.
    """

    section: Field
    own: bool
    late: bool
    aside: bool
    place: Place
    names: tuple[Place, ...]
    sentence: Sentence
    likely: float

    def chance(self, relation: RelationType) -> float:
        """Return the probability of a relation, as far as this passage says."""
        if relation in LINEAGE_RELATIONS and (self.late or self.aside):
            return 0.0
        return self.likely * self.sentence.likely.get(relation, 0.0)

    def states(self, relation: RelationType) -> float:
        """Return how likely this very sentence states a relation."""
        return self.chance(relation) * self.sentence.states.get(relation, 0.0)


@dataclass(slots=True)
class Row:
    """The row or column of an entity in a table, at `name`; `lines` say it."""

    name: Place
    lines: tuple[Place, ...]
    comparison: Comparison | None
    role: Role
    is_work: bool


@dataclass(slots=True)
class Collected:
    """All that the sections of a paper say of one entity.

    `is_part`: it is the paper's own contribution, or a part of that.
    """

    entity: FoundEntity
    is_part: bool
    readings: list[Reading]
    said: list[Said]
    rows: list[Row]

    def stated(
        self,
        trust: Trust,
        said: Set[tuple[RelationType, str]],
        features: Mapping[RelationType, Mapping[str, float]],
    ) -> dict[RelationType, float]:
        """Return the relations to it that are sure enough, by the features of each, with how sure.

        What is built on is used as well, and what is compared with is a baseline, not what is
        evaluated: neither is stated beside. `said`: what the abstract says, which stands.
        """
        name = self.entity.name
        own = {relation for relation in RelationType if (relation, name) in said}
        found = {
            relation: sure
            for relation in trust.table
            if (sure := trust.confidence(relation, features[relation])) >= trust.least(relation)
            and (relation in own or self.may(relation))
        }
        less = set()
        if RelationType.BUILDS_ON in own or RelationType.BUILDS_ON in found:
            less.add(RelationType.USES)
        is_compared = RelationType.COMPARES_WITH in own or RelationType.COMPARES_WITH in found
        if is_compared and self.entity.kind is EntityKind.MODEL:
            less.add(RelationType.EVALUATED_ON)
        return {each: sure for each, sure in found.items() if each in own or each not in less}

    def may(self, relation: RelationType) -> bool:
        """Return whether the paper may have a relation to it: its own part is no other work, and
        some relations are to things of some kinds."""
        if relation is not RelationType.INTRODUCES and self.is_part:
            return False
        return self.entity.kind in ONLY_FOR.get(relation, EntityKind)

    def places(self, relation: RelationType) -> list[Place]:
        """Return the places of what states a relation, the likeliest first: sentences, or the lines
        of a table."""
        likely = {each.place: each.states(relation) for each in self.said}
        found = sorted(likely, key=lambda place: (-likely[place], place))
        least = _ALSO_STATES * likely[found[0]] if found else 0.0
        found = [place for place in found if likely[place] >= least]
        if relation in _IN_TABLES and self.rows:
            row = max(self.rows, key=lambda row: (bool(row.comparison), row.role is Role.BESIDE))
            sure = bool(found) and likely[found[0]] >= _CLEARLY
            return [*found, *row.lines] if sure else [*row.lines, *found]
        return found

    def comparison(self) -> Comparison | None:
        """Return how the paper's work compares with it, as its sentences or tables say."""
        relation = RelationType.COMPARES_WITH
        for each in sorted(self.said, key=lambda each: -each.states(relation))[:_MOST_COMPARED]:
            if found := each.sentence.comparison():
                return found
        return next((each.comparison for each in self.rows if each.comparison), None)

    def names(self) -> set[Place]:
        """Return the places of its names."""
        return {name for each in self.said for name in each.names} | {
            each.name for each in self.rows
        }

    def features(self) -> dict[str, float]:
        """Return the features that all relations share."""
        words = len(self.entity.name.split())
        found = {
            "entity": _logit(max((each.likely for each in self.readings), default=0.5)),
            "generic": float(any(each.generic for each in self.readings)),
            "known": float(any(each.concept for each in self.readings)),
            "part": float(self.is_part),
            "lower case": float(self.entity.name.islower()),
            "unusual": float(bool(_UNUSUAL.search(self.entity.name))),
            "words": float(min(words, _LONG)),
            "title": float(words > _LONG),
        }
        for role, number in Counter(each.role for each in self.rows).items():
            found[role.value] = math.log1p(number)
        found[WORK] = float(any(each.is_work for each in self.rows))
        kinds = Counter(each.kind for each in self.readings)
        for kind, number in kinds.items():
            found[kind.value] = number / len(self.readings)
        sections = Counter(each.section for each in self.said)
        found["sections"] = float(len(sections))
        for section, number in sections.items():
            found[f"in {section}"] = math.log1p(number)
            if any(each.own for each in self.said if each.section is section):
                found[f"own in {section}"] = 1.0
        for relation in RelationType:
            best = max((each.chance(relation) for each in self.said), default=0.0)
            found[f"best {relation}"] = _logit(best)
        return found

    def features_of(self, relation: RelationType) -> dict[str, float]:
        """Return the features of one relation."""
        best: dict[str, float] = defaultdict(float)
        doubt = 1.0
        for each in self.said:
            chance = each.chance(relation)
            name = f"{'ours' if each.own else 'others'} {each.section}"
            best[name] = max(best[name], chance)
            doubt *= 1 - min(chance, 1 - _SURELY)
        return {**best, "together": min(_MOST, -math.log(max(doubt, 1e-4)))}


def _logit(probability: float) -> float:
    inside = min(max(probability, _SURELY), 1 - _SURELY)
    return math.log(inside / (1 - inside))
