"""How good the extraction is: predictions compared with annotations made by people."""

from stemma.extract.evaluation.alignment import Alignment, Support
from stemma.extract.evaluation.errors import Error, ErrorSort, errors
from stemma.extract.evaluation.evaluation import (
    Bin,
    Calibration,
    Evaluation,
    evaluate,
    measure_calibration,
)
from stemma.extract.evaluation.gold import Annotation, read_gold
from stemma.extract.evaluation.prediction import predict
from stemma.extract.evaluation.scoring import Figure, Scores, Tally

__all__ = [
    "Alignment",
    "Annotation",
    "Bin",
    "Calibration",
    "Error",
    "ErrorSort",
    "Evaluation",
    "Figure",
    "Scores",
    "Support",
    "Tally",
    "errors",
    "evaluate",
    "measure_calibration",
    "predict",
    "read_gold",
]
