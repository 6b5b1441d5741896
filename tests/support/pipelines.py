"""The shipped extractor, whose pipeline is loaded once for all tests of a process."""

from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract import Extractor, document_of


@cache
def extractor() -> Extractor:
    """Return the shipped extractor."""
    return Extractor()


def shipped() -> Language:
    """Return the shipped pipeline."""
    return extractor().pipeline


def recognised(title: str, abstract: str) -> Doc:
    """Return a paper with what the rules find in it, which the network has not read yet."""
    nlp = shipped()
    doc = document_of(nlp, title, abstract)
    (read,) = nlp.pipe([doc], disable=["stemma_encoder", "stemma_comparisons"])
    return read
