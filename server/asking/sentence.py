"""The sentence of an abstract that is about the words of a question."""

import re

from stemma.server.asking.question import STOP_WORDS

_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_OWN = re.compile("(?:We|Our|This|In this|Here,? we) ")
_WORD = re.compile(r"[\w-]+")
_STEM = 6
"""Letters of a word that say what it is about: "quantized" and "quantization" are alike."""


def content_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that say what it is about."""
    words = {each.casefold() for each in _WORD.findall(text)}
    return frozenset(each.removesuffix("s")[:_STEM] for each in words - STOP_WORDS)


def sentence_with(text: str, words: frozenset[str]) -> str:
    """Return the sentence of a text that has most of some words; of equal ones, the first that
    says what its authors do."""
    sentences = _ENDS.split(text)
    most = max(
        sentences,
        key=lambda each: (len(words & content_words(each)), bool(_OWN.match(each))),
    )
    return most.strip()
