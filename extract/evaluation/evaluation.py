"""An evaluation: annotations and predictions of the same papers, and what follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from stemma.extract.evaluation.alignment import Alignment
from stemma.extract.evaluation.annotation_key import annotation_key
from stemma.extract.evaluation.calibration import Calibration, measure_calibration
from stemma.extract.evaluation.gold import Annotation
from stemma.extract.evaluation.scoring import Scores, score
from stemma.schema import Extraction, RelationType


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

    @property
    def missing(self) -> list[str]:
        """The titles of the gold's papers that no prediction has."""
        return [each.gold.title for each in self.papers if each.predicted is None]


def evaluate(gold: Iterable[Annotation], predictions: Iterable[Extraction]) -> Evaluation:
    """Pair by title; predictions of other papers do not count, of one paper the last does."""
    by_title = {annotation_key(each.paper.title): each for each in predictions}
    return Evaluation(tuple(Alignment(each, by_title.get(each.key)) for each in gold))
