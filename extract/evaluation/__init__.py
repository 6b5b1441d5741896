"""How good the extraction is: predictions compared with annotations made by people."""

from stemma.extract.evaluation.evaluation import (
    Calibration,
    Error,
    ErrorSort,
    Evaluation,
    Scores,
    errors,
    evaluate,
)
from stemma.extract.evaluation.gold import Annotation, Support, read_gold
from stemma.extract.evaluation.prediction import predict

__all__ = [
    "Annotation",
    "Calibration",
    "Error",
    "ErrorSort",
    "Evaluation",
    "Scores",
    "Support",
    "errors",
    "evaluate",
    "predict",
    "read_gold",
]
