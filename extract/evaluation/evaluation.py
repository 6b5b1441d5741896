"""An evaluation: annotations and predictions of the same papers, and what follows from them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import pi, sqrt

from stemma.extract.evaluation.alignment import Alignment
from stemma.extract.evaluation.gold import Annotation, annotation_key
from stemma.extract.evaluation.scoring import Scores, score
from stemma.schema import Extraction, RelationType

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
        """The share of its statements that is right."""
        return self.right / self.statements

    @property
    def gap(self) -> float:
        """How far its accuracy is from its confidence."""
        return abs(self.accuracy - self.mean_confidence)

    @property
    def gap_by_chance(self) -> float:
        """The gap that perfect confidences would have on average: of few statements, the share that
        is right differs from any probability. The mean absolute deviation of a normal distribution.
        """
        n, c = self.statements, self.mean_confidence
        return sqrt(2 * c * (1 - c) / (pi * n))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The bins that hold statements, by confidence."""

    bins: tuple[Bin, ...]

    @property
    def statements(self) -> int:
        """How many statements were judged."""
        return sum(each.statements for each in self.bins)

    @property
    def expected_error(self) -> float:
        """The expected calibration error: the mean over statements of |accuracy - confidence|.

        Both are those of a statement's bin (Naeini et al., 2015); 0 is perfect.
        """
        return self._mean(each.gap for each in self.bins)

    @property
    def error_by_chance(self) -> float:
        """The calibration error that perfect confidences would have on average."""
        return self._mean(each.gap_by_chance for each in self.bins)

    def _mean(self, gaps: Iterable[float]) -> float:
        """Return the mean over statements of what each bin has."""
        weighed = (gap * each.statements for gap, each in zip(gaps, self.bins, strict=True))
        return sum(weighed) / self.statements if self.bins else 0.0


def measure_calibration(
    alignments: Iterable[Alignment], relation: RelationType | None = None
) -> Calibration:
    """Judge every predicted relation but MENTIONS, or those of one type alone.

    A relation is right if the gold has it for the paired entity.
    """
    return binned(
        (support.confidence, claim in alignment.gold_claims)
        for alignment in alignments
        for claim, support in alignment.predicted_claims.items()
        if (claim[0] is relation if relation else claim[0] is not RelationType.MENTIONS)
    )


def binned(judged: Iterable[tuple[float, bool]]) -> Calibration:
    """Put (confidence, whether it is right) into ten bins of equal width."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        bins.setdefault(min(int(confidence * _BINS), _BINS - 1), []).append((confidence, right))
    return Calibration(
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
    """The papers of the gold in their order."""

    papers: tuple[Alignment, ...]

    @cached_property
    def scores(self) -> Scores:
        """Precision, recall and F1 of everything."""
        return score(self.papers)

    @cached_property
    def calibration(self) -> Calibration:
        """What the statements' confidences are worth."""
        return measure_calibration(self.papers)

    @cached_property
    def calibration_by_relation(self) -> dict[RelationType, Calibration]:
        """The same of each type of relation that was stated, MENTIONS excepted."""
        return {
            each: calibration
            for each in RelationType
            if each is not RelationType.MENTIONS
            and (calibration := measure_calibration(self.papers, each)).statements
        }

    def judged(self, origin: str) -> Iterator[tuple[RelationType, bool]]:
        """Yield the relations that one origin alone states, and whether each is right."""
        for paper in self.papers:
            for claim, support in paper.predicted_claims.items():
                if support.origins == {origin}:
                    yield claim[0], claim in paper.gold_claims

    @property
    def missing(self) -> list[str]:
        """The titles of the gold's papers that no prediction has."""
        return [each.gold.title for each in self.papers if each.predicted is None]


def evaluate(gold: Iterable[Annotation], predictions: Iterable[Extraction]) -> Evaluation:
    """Pair by title; predictions of other papers do not count, of one paper the last does."""
    by_title = {annotation_key(each.paper.title): each for each in predictions}
    return Evaluation(tuple(Alignment(each, by_title.get(each.key)) for each in gold))
