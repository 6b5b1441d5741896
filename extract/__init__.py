"""Papers in, statements out: the reading of listings and the extraction of entities and relations.

Importing this package is cheap: spaCy is loaded by the first extraction, or with `load`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from stemma.extract.encoder.trained_model import ModelError, TrainedModel
from stemma.extract.extractor import Extractor, extractor_fingerprint, import_spacy

if TYPE_CHECKING:
    from stemma.extract.pipeline import load
    from stemma.extract.recognition import document_of

__all__ = [
    "Extractor",
    "ModelError",
    "TrainedModel",
    "document_of",
    "extractor_fingerprint",
    "load",
]
_WITH_SPACY = {"load": "pipeline", "document_of": "recognition"}


def __getattr__(name: str) -> object:
    """Load what needs spaCy when it is first used."""
    if name not in _WITH_SPACY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_spacy()
    return getattr(import_module(f"{__name__}.{_WITH_SPACY[name]}"), name)
