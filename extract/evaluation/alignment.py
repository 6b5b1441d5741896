"""Alignment: the annotation and the extraction of one paper side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from stemma.extract.evaluation.gold import AnnotatedEntity, Annotation, annotation_keys
from stemma.schema import Extraction, FoundEntity, RelationType

Target = int | str
"""The index of a gold entity, or the name of a predicted one that pairs with none."""
Claim = tuple[RelationType, Target]
"""That the paper has a relation to an entity: the same on both sides if they agree."""


@dataclass(frozen=True, slots=True)
class Support:
    """The support of a claim: its sentences, its confidence (1 for gold), and who made it."""

    evidence: tuple[str, ...] = ()
    confidence: float = 0.0
    origins: frozenset[str] = frozenset()

    def __add__(self, other: "Support") -> "Support":
        confidence = max(self.confidence, other.confidence)
        return Support(self.evidence + other.evidence, confidence, self.origins | other.origins)


@dataclass(frozen=True)
class Alignment:
    """One paper; `predicted` is None where no prediction has it.

    A predicted entity pairs with a gold one if they share a surface form, each at most once.
    """

    gold: Annotation
    predicted: Extraction | None

    @property
    def found(self) -> tuple[FoundEntity, ...]:
        """The predicted entities."""
        return self.predicted.entities if self.predicted else ()

    @cached_property
    def pairs(self) -> Mapping[str, int]:
        """The index of the gold entity for each predicted one that has a partner, by name."""
        return _paired(self.gold.entities, self.found)

    def target(self, name: str) -> Target:
        """Return what a predicted entity stands for."""
        return self.pairs.get(name, name)

    def name(self, target: Target) -> str:
        """Return the name of a target, as the annotator gave it if there is one."""
        return self.gold.entities[target].name if isinstance(target, int) else target

    @cached_property
    def gold_claims(self) -> Mapping[Claim, Support]:
        """What the annotator says of the paper."""
        indexes = {entity.name: index for index, entity in enumerate(self.gold.entities)}
        return _supported(
            ((each.type, indexes[each.entity]), Support(each.evidence, 1.0))
            for each in self.gold.relations
        )

    @cached_property
    def predicted_claims(self) -> Mapping[Claim, Support]:
        """What the extractor says of the paper."""
        relations = self.predicted.relations if self.predicted else ()
        return _supported(
            (
                (each.type, self.target(each.entity)),
                Support(
                    tuple(evidence.text for evidence in each.evidence),
                    each.confidence,
                    frozenset([each.origin]),
                ),
            )
            for each in relations
        )


def _paired(gold: tuple[AnnotatedEntity, ...], found: tuple[FoundEntity, ...]) -> Mapping[str, int]:
    """Pair greedily: those that share most forms first, then those of one kind, then in order."""
    gold_forms = [annotation_keys(each.name, each.mentions) for each in gold]
    found_forms = [annotation_keys(each.name, (m.text for m in each.mentions)) for each in found]
    candidates = sorted(
        (-len(ours & theirs), gold[i].kind != found[j].kind, i, j)
        for i, ours in enumerate(gold_forms)
        for j, theirs in enumerate(found_forms)
        if not ours.isdisjoint(theirs)
    )
    pairs: dict[str, int] = {}
    taken: set[int] = set()
    for _, _, i, j in candidates:
        if i not in taken and found[j].name not in pairs:
            pairs[found[j].name] = i
            taken.add(i)
    return pairs


def _supported(claims: Iterable[tuple[Claim, Support]]) -> Mapping[Claim, Support]:
    """Gather the support of claims that are made more than once."""
    gathered: dict[Claim, Support] = {}
    for claim, support in claims:
        gathered[claim] = gathered.get(claim, Support()) + support
    return gathered
