"""Long texts: what a text takes grows as the text does, whatever it repeats."""

import sys
from functools import partial
from itertools import islice, product
from string import ascii_lowercase
from types import FrameType

import pytest
from spacy.tokens import Doc

import pipelines
from linear import grows_linearly, repeated
from stemma.extract import Extractor
from stemma.extract import extractor as module
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
TIMES, FACTOR = 120, 3
SLACK = 1.2
"""Linear work would need 1; quadratic work comes to nearly 3."""
REPEATED = [
    "_", '"', ")", "(", "-", "$", "\\", "[", " ", "7", ".", "\n", "{", "a", "A", "é", "GPT-", "a_",
    "(A) ", '." ', "aB, ", "we present ", "BERT, ", "1.5x ", "[1], ", "http://", "\\textbf{",
]  # fmt: skip


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    extractor = pipelines.extractor()
    extractor.find([("", text.format("Abc", 1)) for text in TEXTS.values()])
    return extractor


def long_text(pattern: str, times: int) -> str:
    words = map("".join, product(ascii_lowercase, repeat=3))
    named = islice(enumerate(words), times)
    return "".join(pattern.format(word.capitalize(), number) for number, word in named)


def read(extractor: Extractor, text: str) -> Doc:
    doc = document_of(extractor.pipeline, "On Long Texts", text)
    for part, component in extractor.pipeline.components:
        if part != "stemma_encoder":
            doc = component(doc)
    return doc


def effort(extractor: Extractor, text: str) -> int:
    """Count the functions that are called, with the steps of generators."""
    counted = 0

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    name._remembered_key.cache_clear()
    sys.setprofile(count_call)
    try:
        read(extractor, text)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.slow
@pytest.mark.parametrize("pattern", TEXTS.values(), ids=TEXTS)
def test_the_work_of_the_rules_grows_with_the_length_of_a_text(extractor, pattern):
    calls, more_calls = (effort(extractor, long_text(pattern, n * TIMES)) for n in (1, FACTOR))
    assert more_calls < SLACK * FACTOR * calls


@pytest.mark.slow
def test_time_grows_as_a_text_of_one_thing_does(extractor: Extractor) -> None:
    use = partial(read, extractor)
    assert [each for each in REPEATED if not grows_linearly(use, repeated(each))] == []


def test_what_one_paper_may_take_is_bounded(extractor: Extractor, monkeypatch) -> None:
    monkeypatch.setattr(module, "_LONGEST_ABSTRACT", 1000)
    long = Paper("paper/x", "On Long Texts", "We build on ZeRO. " * 100)
    problems = list[str]()
    (extraction,) = extractor.extract([long], on_problem=lambda each: problems.append(each.reason))
    assert problems == ["only 1,000 characters of the abstract were read"]
    assert max(mention.end for one in extraction.entities for mention in one.mentions) <= 1000
