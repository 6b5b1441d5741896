"""How good the extraction is: predictions compared with annotations made by people."""

from stemma.extract.evaluation.alignment import Support
from stemma.extract.evaluation.errors import Error, ErrorSort, errors
from stemma.extract.evaluation.evaluation import Calibration, Evaluation, Scores, evaluate
from stemma.extract.evaluation.gold import Annotation, read_gold
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
