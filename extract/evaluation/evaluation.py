"""An evaluation: annotations and predictions of the same papers, and what follows from them."""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import product, zip_longest
from math import pi, sqrt

from stemma.extract.evaluation.gold import (
    Alignment,
    Annotation,
    Claim,
    ClaimSupport,
    Target,
    annotation_key,
)
from stemma.schema import LINEAGE_RELATIONS, EntityKind, Extraction, RelationType

SCORED_RELATIONS = tuple(each for each in RelationType if each is not RelationType.MENTIONS)
"""Background is not scored: whether a name is there at all, the entities' figures say."""


@dataclass(frozen=True, slots=True)
class Error:
    """One error: `gold` and `predicted` are kinds or relations, None on the side that has none. If
    both are the same relation, its evidence is wrong.

    `entity` is the name of the entity it is about, the annotator's where there is one; `as_entity`:
    a relation is missed or spurious because its entity is.
    """

    gold: EntityKind | RelationType | None
    predicted: EntityKind | RelationType | None
    entity: str
    gold_support: ClaimSupport | None = None
    predicted_support: ClaimSupport | None = None
    as_entity: bool = False

    @property
    def label(self) -> str:
        """Say what went wrong, as in "missed BUILDS_ON" and "USES instead of BUILDS_ON"."""
        if self.gold is self.predicted:
            return f"wrong evidence for {self.gold}"
        if self.gold and self.predicted:
            return f"{self.predicted} instead of {self.gold}"
        label = f"{'missed' if self.gold else 'spurious'} {self.gold or self.predicted}"
        return f"{label}, as its entity" if self.as_entity else label


def errors(alignment: Alignment) -> list[Error]:
    """Return the errors in one paper, those of entities first.

    Where an entity lacks a relation and has another that it should not have, they make one error:
    a wrong relation. MENTIONS counts there alone, as it is not scored.
    """
    return [*_of_entities(alignment), *_of_relations(alignment), *_of_evidence(alignment)]


def _of_entities(alignment: Alignment) -> Iterator[Error]:
    found = {alignment.target(entity.name): entity for entity in alignment.found}
    for index, entity in enumerate(alignment.gold.entities):
        partner = found.get(index)
        if partner is None:
            yield Error(entity.kind, None, entity.name)
        elif partner.kind is not entity.kind:
            yield Error(entity.kind, partner.kind, entity.name)
    for target, extra in found.items():
        if isinstance(target, str):
            yield Error(None, extra.kind, extra.name)


def _of_relations(alignment: Alignment) -> Iterator[Error]:
    gold, predicted = alignment.gold_claims, alignment.predicted_claims
    missed = _by_target(gold.keys() - predicted.keys())
    spurious = _by_target(predicted.keys() - gold.keys())
    paired = set(alignment.pairs.values())
    for target in sorted(missed | spurious, key=lambda each: (isinstance(each, str), str(each))):
        name = alignment.name(target)
        lacking, extra = missed.get(target, []), spurious.get(target, [])
        for right, wrong in zip_longest(lacking, extra):
            are_both = bool(right and wrong)
            if not are_both and (right or wrong) not in SCORED_RELATIONS:
                continue
            ours = gold[right, target] if right else None
            theirs = predicted[wrong, target] if wrong else None
            as_entity = not are_both and target not in paired
            yield Error(right, wrong, name, ours, theirs, as_entity)


def _of_evidence(alignment: Alignment) -> Iterator[Error]:
    for claim, is_same in _quotations(alignment):
        if not is_same:
            relation, target = claim
            gold, predicted = alignment.gold_claims[claim], alignment.predicted_claims[claim]
            name = alignment.name(target)
            yield Error(relation, relation, name, gold, predicted)


def _quotations(alignment: Alignment) -> Iterator[tuple[Claim, bool]]:
    """Yield the relations that are right, and whether a sentence of each is the annotator's.

    Those for which the annotator quotes nothing are left out, as is MENTIONS.
    """
    for claim, support in alignment.predicted_claims.items():
        gold = alignment.gold_claims.get(claim)
        if gold and gold.evidence and claim[0] in SCORED_RELATIONS:
            quoted = product(gold.evidence, support.evidence)
            yield claim, any(quotes_the_same(a, b) for a, b in quoted)


def _by_target(claims: Iterable[Claim]) -> dict[Target, list[RelationType]]:
    """Gather the relations to each entity, the strongest first and MENTIONS last."""
    order = list(RelationType)
    gathered: dict[Target, list[RelationType]] = {}
    for relation, target in sorted(claims, key=lambda claim: order.index(claim[0])):
        gathered.setdefault(target, []).append(relation)
    return gathered


@dataclass(slots=True)
class Tally:
    """How many items were right, spurious (predicted without being right), and missed."""

    right: int = 0
    spurious: int = 0
    missed: int = 0

    def count(self, gold: Set[Hashable], predicted: Set[Hashable]) -> None:
        """Count the items of both sets, of the predicted set alone, and of the gold alone."""
        right = len(gold & predicted)
        self.right += right
        self.spurious += len(predicted) - right
        self.missed += len(gold) - right

    @property
    def gold(self) -> int:
        """The number of items in the gold annotation."""
        return self.right + self.missed

    @property
    def precision(self) -> float:
        """The share of the predicted that is right; 0 of nothing."""
        return _share(self.right, self.right + self.spurious)

    @property
    def recall(self) -> float:
        """The share of the gold that is predicted; 0 of nothing."""
        return _share(self.right, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.right, 2 * self.right + self.spurious + self.missed)


Scores = Mapping[str, Tally]
"""The counts behind all figures of an evaluation, by the names of these, in the order of a table.

`lineage` asks only whether an entity is built or improved on; `evidence`, of the relations that are
right, whether one of their sentences is the annotator's, so that its precision, recall and F1 are
one share.
"""
PARTS = frozenset[str]((*EntityKind, *SCORED_RELATIONS))
"""The names of figures that are a part of one above them."""


def _counted(alignment: Alignment) -> Iterator[tuple[str, Set[Hashable], Set[Hashable]]]:
    """Yield for each figure what the gold has of a paper, and what was predicted."""
    own = {index: entity.kind for index, entity in enumerate(alignment.gold.entities)}
    found = {alignment.target(entity.name): entity.kind for entity in alignment.found}
    yield "entity", own.keys(), found.keys()
    yield "entity+kind", own.items(), found.items()
    for kind in EntityKind:
        of_kind = {index for index in own if own[index] is kind}
        yield kind, of_kind, {target for target in found if found[target] is kind}
    ours, theirs = (
        {claim for claim in claims if claim[0] in SCORED_RELATIONS}
        for claims in (alignment.gold_claims, alignment.predicted_claims)
    )
    yield "relation", ours, theirs
    for relation in SCORED_RELATIONS:
        of_type = {claim for claim in ours if claim[0] is relation}
        yield relation, of_type, {claim for claim in theirs if claim[0] is relation}
    right = {target for relation, target in ours if relation in LINEAGE_RELATIONS}
    stated = {target for relation, target in theirs if relation in LINEAGE_RELATIONS}
    yield "lineage", right, stated
    quoted = dict(_quotations(alignment))
    yield "evidence", dict.fromkeys(quoted, True).items(), quoted.items()


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def quotes_the_same(one: str, other: str) -> bool:
    """Return whether the longest stretch that both share is half of the shorter one, or more.

    Whitespace counts as a single space; an empty text quotes nothing.
    """
    one, other = " ".join(one.split()), " ".join(other.split())
    shorter, longer = sorted((one, other), key=len)
    if not shorter:
        return False
    if shorter in longer:
        return True
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return 2 * matcher.find_longest_match().size >= len(shorter)


_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """The statements with a confidence in [lower, upper), the last bin with 1 itself."""

    lower: float
    upper: float
    statements: int
    right: int
    mean_confidence: float

    @property
    def accuracy(self) -> float:
        """The share of the statements of the bin that are right, from 0 to 1."""
        return self.right / self.statements

    @property
    def gap_by_chance(self) -> float:
        """The gap that perfect confidences would have on average: of few statements, the share that
        is right differs from any probability. The mean absolute deviation of a normal distribution.
        """
        n, c = self.statements, self.mean_confidence
        return sqrt(2 * c * (1 - c) / (pi * n))


@dataclass(frozen=True, slots=True)
class CalibrationBins:
    """The bins that hold statements, by confidence."""

    bins: tuple[Bin, ...]

    @property
    def statements(self) -> int:
        """The number of statements in all bins."""
        return sum(each.statements for each in self.bins)

    @property
    def expected_error(self) -> float:
        """The expected calibration error: the mean over statements of |accuracy - confidence|.

        Both are those of a statement's bin (Naeini et al., 2015); 0 is perfect.
        """
        return self._mean(abs(each.accuracy - each.mean_confidence) for each in self.bins)

    @property
    def error_by_chance(self) -> float:
        """The calibration error that perfect confidences would have on average."""
        return self._mean(each.gap_by_chance for each in self.bins)

    def _mean(self, gaps: Iterable[float]) -> float:
        """Return the mean over statements of what each bin has."""
        weighed = (gap * each.statements for gap, each in zip(gaps, self.bins, strict=True))
        return sum(weighed) / self.statements if self.bins else 0.0


def binned(judged: Iterable[tuple[float, bool]]) -> CalibrationBins:
    """Put (confidence, whether it is right) into ten bins of equal width."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        bins.setdefault(min(int(confidence * _BINS), _BINS - 1), []).append((confidence, right))
    return CalibrationBins(
        tuple(
            Bin(
                lower=number / _BINS,
                upper=(number + 1) / _BINS,
                statements=len(held),
                right=sum(right for _, right in held),
                mean_confidence=sum(confidence for confidence, _ in held) / len(held),
            )
            for number, held in sorted(bins.items())
        )
    )


@dataclass(frozen=True)
class Evaluation:
    """Gold annotations, paper by paper in their order, with the predictions for the papers."""

    papers: tuple[Alignment, ...]

    @cached_property
    def scores(self) -> Scores:
        """The counts that precision, recall and F1 are computed from; of a paper without a
        prediction everything is missed."""
        scores: dict[str, Tally] = {}
        for paper in self.papers:
            for figure, gold, predicted in _counted(paper):
                scores.setdefault(figure, Tally()).count(gold, predicted)
        return scores

    @cached_property
    def calibration(self) -> CalibrationBins:
        """How far the confidences of predicted statements agree with how often these are right."""
        return self._calibration_of(SCORED_RELATIONS)

    @cached_property
    def calibration_by_relation(self) -> dict[RelationType, CalibrationBins]:
        """The same of each type of relation that was stated, MENTIONS excepted."""
        return {
            relation: calibration
            for relation in SCORED_RELATIONS
            if (calibration := self._calibration_of({relation})).statements
        }

    def _calibration_of(self, relations: Container[RelationType]) -> CalibrationBins:
        """Judge predicted relations: one is right if the gold has it for the paired entity."""
        return binned(
            (support.confidence, claim in paper.gold_claims)
            for paper in self.papers
            for claim, support in paper.predicted_claims.items()
            if claim[0] in relations
        )

    @property
    def missing(self) -> list[str]:
        """The titles of the gold's papers that no prediction has."""
        return [paper.gold.title for paper in self.papers if paper.predicted is None]


def evaluate(gold: Iterable[Annotation], predictions: Iterable[Extraction]) -> Evaluation:
    """Compare predictions with the gold annotations of the papers with the same titles.

    Predictions for other papers do not count; of several for one paper, the last counts.
    """
    by_title = {annotation_key(prediction.paper.title): prediction for prediction in predictions}
    return Evaluation(
        tuple(Alignment(annotation, by_title.get(annotation.key)) for annotation in gold)
    )
