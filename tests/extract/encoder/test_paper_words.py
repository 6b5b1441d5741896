"""Documents and windows: every word is read, once, in whole sentences where they fit."""

from hypothesis import given
from hypothesis import strategies as st

import pipelines
from stemma.extract.encoder.paper_words import (
    CASES,
    MOST_PIECES,
    SHAPES,
    TAGS,
    PaperWords,
    Vocabulary,
    case_of,
)
from stemma.extract.encoder.trained_model import SHIPPED

VOCABULARY = Vocabulary(SHIPPED / "vocabulary.json")
WORDS = [
    *("We", "present", "Kelpie", "KV-cache", "GPUs", ".", "x" * 300, "é", "v1.5", "🚀", "\n", "A.")
]
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=400).map(" ".join)
)


def document(title: str, abstract: str) -> PaperWords:
    return PaperWords.of(pipelines.recognised(title, abstract))


@given(title=TEXTS, abstract=TEXTS)
def test_windows_hold_each_word_once_and_never_too_much(title: str, abstract: str) -> None:
    read = document(title, abstract)
    windows = VOCABULARY.windows(read)
    assert sum(len(window.first) for window in windows) == len(read.words)
    for window in windows:
        assert len(window.pieces) == len(window.shapes) == len(window.tags) <= MOST_PIECES
        assert max(window.shapes) < SHAPES
        assert max(window.tags) < TAGS
        assert all(a <= b for a, b in zip(window.first, window.last, strict=True))
        assert window.last[:-1] < window.first[1:] or len(window.first) < 2


@given(title=TEXTS, abstract=TEXTS)
def test_words_lie_where_the_document_says(title: str, abstract: str) -> None:
    read = document(title, abstract)
    for k, word in enumerate(read.words):
        assert read.surface((k, k + 1)) == word
        assert read.span(*read.place((k, k + 1))) == (k, k + 1)


def test_a_span_that_cuts_a_word_or_leaves_a_sentence_is_rejected() -> None:
    read = document("Kelpie: A System", "It runs. It stops.")
    start = read.text.index("runs")
    assert read.span(start, start + 4) is not None
    assert read.span(start, start + 3) is None
    assert read.span(start, read.text.index("It stops") + 2) is None


def test_how_a_word_is_written_is_one_of_a_few_cases() -> None:
    written = {
        "cat": "low", "gpt2": "lowd", "Adam": "Cap", "Llama2": "Capd", "GPU": "UP", "GPUs": "UPs",
        "A": "U1", "H100": "UPd", "PyTorch": "Mix", "GPTv4": "Mixd", "42": "num", "2.7": "numx",
        ",": "sym",
    }  # fmt: skip
    assert {word: case_of(word) for word in written} == written
    assert set(written.values()) <= set(CASES)
