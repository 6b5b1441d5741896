"""Extractors, each of which loads its pipeline once for all tests of a process."""

from functools import cache

from spacy.language import Language

from stemma.extract import Extractor


@cache
def extractor(*, fast: bool = False) -> Extractor:
    """Return the shipped extractor, or the one of rules alone."""
    return Extractor(fast=fast)


def whole() -> Language:
    """Return the pipeline with the network."""
    return extractor().pipeline


def fast() -> Language:
    """Return the pipeline of rules alone."""
    return extractor(fast=True).pipeline
