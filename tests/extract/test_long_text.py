"""Long texts: the work that a text takes grows as the text does, however many names it has."""

import sys
from itertools import islice, product
from string import ascii_lowercase
from types import FrameType

import pytest

from stemma.extract import Extractor
from stemma.extract.recognition import document_of
from stemma.schema.name import match_key

TEXTS = {
    "devices": "An NVIDIA A100 GPU and an H100 GPU run PyTorch on a GPU. ",
    "coined names": "We propose {0}Net, a model called Zib{0}Q. ",
    "compared names": "We compare {0}Net with GPT-{1} and {0}Bench on one device. ",
    "acronyms": "Fast Optimised {0} (FO{0}) is faster than GPT-4 by 2x. ",
    "one sentence": "{0}Net and {0}Bench, ",
}
"""What each text repeats, with another word and another number each time."""
SMALL, FACTOR = 120, 4
SLACK = 1.2
"""Linear work would need 1; quadratic work comes to nearly 4."""


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    extractor = Extractor(fast=True)
    extractor.find([("", text.format("Abc", 1)) for text in TEXTS.values()])
    return extractor


def long_text(pattern: str, times: int) -> str:
    words = map("".join, product(ascii_lowercase, repeat=3))
    named = islice(enumerate(words), times)
    return "".join(pattern.format(word.capitalize(), number) for number, word in named)


def calls(extractor: Extractor, text: str) -> int:
    """Count the functions that are called, and the steps of generators."""
    doc = document_of(extractor.pipeline, "On Long Texts", text)
    counted = 0

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    match_key.cache_clear()
    sys.setprofile(count_call)
    try:
        for _, component in extractor.pipeline.components:
            doc = component(doc)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_work_grows_with_the_length_of_a_text(extractor: Extractor, pattern: str) -> None:
    few = calls(extractor, long_text(pattern, SMALL))
    many = calls(extractor, long_text(pattern, FACTOR * SMALL))
    assert many < SLACK * FACTOR * few


@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_what_is_found_grows_with_the_length_of_a_text(extractor: Extractor, pattern: str) -> None:
    def quoted(times: int) -> int:
        (result,) = extractor.find([("On Long Texts", long_text(pattern, times))])
        assert not isinstance(result, str)
        return sum(len(each.text) for relation in result[1] for each in relation.evidence)

    assert quoted(FACTOR * SMALL) < SLACK * FACTOR * quoted(SMALL)
