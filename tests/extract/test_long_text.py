"""Long texts: what a text takes grows as the text does, whatever it repeats."""

import sys
from itertools import islice, product
from string import ascii_lowercase
from time import process_time
from types import FrameType

import pytest

from stemma.extract import Extractor
from stemma.extract.recognition import document_of, found_in
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


def effort(extractor: Extractor, text: str) -> tuple[int, int]:
    """Count the functions that are called, with the steps of generators, and what is quoted."""
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
    _, relations = found_in(doc)
    return counted, sum(len(each.text) for one in relations for each in one.evidence)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_work_and_what_is_found_grow_with_the_length_of_a_text(extractor, pattern):
    calls, quoted = effort(extractor, long_text(pattern, TIMES))
    more_calls, more_quoted = effort(extractor, long_text(pattern, FACTOR * TIMES))
    assert more_calls < SLACK * FACTOR * calls
    assert more_quoted < SLACK * FACTOR * quoted


def seconds(extractor: Extractor, text: str) -> float:
    """Return the processor time that a text takes."""
    began = process_time()
    doc = document_of(extractor.pipeline, "On Long Texts", text)
    for _, component in extractor.pipeline.components:
        doc = component(doc)
    return process_time() - began


@pytest.mark.slow
@pytest.mark.parametrize("repeated", REPEATED, ids=repr)
def test_time_grows_as_a_text_of_one_thing_does(extractor: Extractor, repeated: str) -> None:
    long = (repeated * LONGER * LENGTH)[: LONGER * LENGTH]
    assert any(  # Others may use the machine meanwhile.
        seconds(extractor, long)
        < SLACK_OF_TIME * LONGER * seconds(extractor, long[:LENGTH]) + FLOOR
        for _ in range(3)
    )


def test_what_one_paper_may_take_is_bounded(extractor: Extractor) -> None:
    long = Paper("paper/x", "On Long Texts", "We build on ZeRO. " * 10_000)
    problems = list[str]()
    (found,) = extractor.extract([long], on_problem=lambda each: problems.append(each.reason))
    assert problems == ["only 100,000 characters of the abstract were read"]
    assert max(each.end for one in found.entities for each in one.mentions) <= 100_000
