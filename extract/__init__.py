"""Papers in, statements out: the reading of listings and the extraction of entities and relations.

Importing this package is cheap: spaCy is loaded by the first extraction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stemma.extract.encoder.trained_model import ModelError, TrainedModel
from stemma.extract.extractor import Extractor, extractor_fingerprint, import_spacy

if TYPE_CHECKING:
    from pathlib import Path

    from spacy.language import Language
    from spacy.tokens import Doc

    from stemma.schema import Catalogue

__all__ = [
    "Extractor",
    "ModelError",
    "TrainedModel",
    "document_of",
    "extractor_fingerprint",
    "load",
]


def load(
    catalogue: Catalogue | None = None,
    *,
    fast: bool = False,
    config: Path | None = None,
    threads: int = 1,
    model: str | Path | None = None,
) -> Language:
    """Return the extraction as a spaCy pipeline, with the shipped catalogue or another.

    `fast` leaves the encoder out, `config` is a file to take in place of the shipped ones.
    `threads`: how many processors the encoder may use, 0 for all. `model`: the folder of a trained
    model to read with instead of the shipped one.
    """
    import_spacy()
    from stemma.extract import pipeline  # noqa: PLC0415  (spaCy loads slowly)

    return pipeline.load(catalogue, fast=fast, config=config, threads=threads, model=model)


def document_of(nlp: Language, title: str, abstract: str) -> Doc:
    """Return a paper for a pipeline, `nlp(document_of(nlp, title, abstract))`.

    A plain text with a blank line after its title does as well, unless the title has one itself.
    """
    from stemma.extract import document  # noqa: PLC0415  (spaCy loads slowly)

    return document.document_of(nlp, title, abstract)
