"""Long texts: what a text takes grows as the text does, whatever it repeats."""

import sys
from itertools import islice, product
from string import ascii_lowercase
from time import process_time
from types import FrameType

import pytest

from stemma.extract import Extractor
from stemma.extract.recognition import document_of
from stemma.schema import Paper, name

TEXTS = {
    "devices": "An NVIDIA A100 GPU and an H100 GPU run PyTorch on a GPU. ",
    "coined names": "We propose {0}Net, a model called Zib{0}Q. ",
    "compared names": "We compare {0}Net with GPT-{1} and {0}Bench on one device. ",
    "acronyms": "Fast Optimised {0} (FO{0}) is faster than GPT-4 by 2x. ",
    "one sentence": "{0}Net and {0}Bench, ",
}
"""What each text repeats, with another word and another number each time."""
TIMES, FACTOR = 120, 4
SLACK = 1.2
"""Linear work would need 1; quadratic work comes to nearly 4."""
REPEATED = [
    "_", '"', ")", "(", "-", "$", "\\", "[", " ", "7", ".", "\n", "{", "'", "a", "A", "é", "中",
    "GPT-", "BERT-", "RTX-", "a_", "7.", "(a", "(A) ", ").", '." ', "Ab-", "aB ", "XyZ (", "aB, ",
    "we present ", "improves on ", "BERT, ", "1.5x ", "[1], ", "such as ", "http://", "\\textbf{",
]  # fmt: skip
LENGTH, LONGER = 4_000, 8
SLACK_OF_TIME, FLOOR = 3.0, 0.02
"""Linear work would need 1, quadratic work comes to 8; the floor is in seconds."""


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

    name._remembered_key.cache_clear()
    sys.setprofile(count_call)
    try:
        for _, component in extractor.pipeline.components:
            doc = component(doc)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.slow
@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_work_grows_with_the_length_of_a_text(extractor: Extractor, pattern: str) -> None:
    few = calls(extractor, long_text(pattern, TIMES))
    many = calls(extractor, long_text(pattern, FACTOR * TIMES))
    assert many < SLACK * FACTOR * few


@pytest.mark.slow
@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_what_is_found_grows_with_the_length_of_a_text(extractor: Extractor, pattern: str) -> None:
    def quoted(times: int) -> int:
        (result,) = extractor.find([("On Long Texts", long_text(pattern, times))])
        assert not isinstance(result, str)
        return sum(len(each.text) for relation in result[1] for each in relation.evidence)

    assert quoted(FACTOR * TIMES) < SLACK * FACTOR * quoted(TIMES)


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
        seconds(extractor, (repeated * length)[:length]) for length in (LENGTH, LONGER * LENGTH)
    )
    assert many < SLACK_OF_TIME * LONGER * few + FLOOR


def test_what_one_paper_may_take_is_bounded(extractor: Extractor) -> None:
    long = Paper("paper/x", "On Long Texts", "We build on ZeRO. " * 10_000)
    problems = list[str]()
    (found,) = extractor.extract([long], on_problem=lambda each: problems.append(each.reason))
    assert problems == ["only 100,000 characters of the abstract were read"]
    assert max(each.end for one in found.entities for each in one.mentions) <= 100_000
