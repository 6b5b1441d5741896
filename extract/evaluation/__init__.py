"""How good the extraction is: predictions compared with annotations made by people."""

from stemma.extract.evaluation.evaluation import (
    PARTS,
    CalibrationBins,
    Error,
    Evaluation,
    Scores,
    errors,
    evaluate,
)
from stemma.extract.evaluation.gold import Annotation, ClaimSupport, read_gold
from stemma.extract.evaluation.prediction import predict

__all__ = [
    "PARTS",
    "Annotation",
    "CalibrationBins",
    "ClaimSupport",
    "Error",
    "Evaluation",
    "Scores",
    "errors",
    "evaluate",
    "predict",
    "read_gold",
]
