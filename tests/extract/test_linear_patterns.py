"""Patterns over text are linear: what a text repeats takes time that grows as the text does."""

from time import process_time

import pytest

from stemma.extract import Extractor
from stemma.extract.recognition import document_of
from stemma.schema import Paper

REPEATED = [
    "_", '"', ")", "(", "-", "$", "\\", "[", " ", "7", ".", "\n", "{", "'", "a", "A", "é", "中",
    "GPT-", "BERT-", "RTX-", "a_", "7.", "(a", "(A) ", ").", '." ', "Ab-", "aB ", "XyZ (", "aB, ",
    "we present ", "improves on ", "BERT, ", "1.5x ", "[1], ", "such as ", "http://", "\\textbf{",
]  # fmt: skip
SMALL, FACTOR = 4_000, 8
SLACK, FLOOR = 3.0, 0.02
"""Linear work would need 1, quadratic work comes to 8; the floor is in seconds."""


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    extractor = Extractor(fast=True)
    extractor.find([("", "We present Kelpie, which is 2x faster than GPT-3 on an A100 GPU.")])
    return extractor


def seconds(extractor: Extractor, text: str) -> float:
    """Return the processor time that a text takes, the lesser of two."""
    times = []
    for _ in range(2):
        began = process_time()
        doc = document_of(extractor.pipeline, "On Long Texts", text)
        for _, component in extractor.pipeline.components:
            doc = component(doc)
        times.append(process_time() - began)
    return min(times)


@pytest.mark.slow
@pytest.mark.parametrize("repeated", REPEATED, ids=repr)
def test_time_grows_as_a_text_of_one_thing_does(extractor: Extractor, repeated: str) -> None:
    few, many = (
        seconds(extractor, (repeated * length)[:length]) for length in (SMALL, FACTOR * SMALL)
    )
    assert many < SLACK * FACTOR * few + FLOOR


def test_what_one_paper_may_take_is_bounded(extractor: Extractor) -> None:
    long = Paper("paper/x", "On Long Texts", "We build on ZeRO. " * 10_000)
    problems = list[str]()
    (found,) = extractor.extract([long], on_problem=lambda each: problems.append(each.reason))
    assert problems == ["only 100,000 characters of the abstract were read"]
    assert max(each.end for one in found.entities for each in one.mentions) <= 100_000
