"""An optional second reader: a language model proposes, and only what the text states is kept."""

from stemma.extract.language_model.answers import Answers
from stemma.extract.language_model.confidences import Confidences
from stemma.extract.language_model.reader import (
    KEY,
    LanguageModel,
    LanguageModelReader,
    Usage,
    default_cache,
)

__all__ = [
    "KEY",
    "Answers",
    "Confidences",
    "LanguageModel",
    "LanguageModelReader",
    "Usage",
    "default_cache",
]
