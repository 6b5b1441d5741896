"""The sentence splitter."""

import pytest

from stemma.extract.sentence import sentences


def split(text: str) -> list[str]:
    return [text[each.start : each.end] for each in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Some devices, e.g. GPUs, are fast.",
        "Smith et al. Proved this in Fig. 2 and Sec. 3.",
        "It is i.e. The same.",
        "We use v1.5 and 3.5 Turbo.",
        "Kelp vs. BERT is close.",
        "It gains 2.5x over U.S. Models.",
    ],
)
def test_abbreviations_and_versions_end_no_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One ends. Two begins.", ["One ends.", "Two begins."]),
        ("Is it? Yes! It is.", ["Is it?", "Yes!", "It is."]),
        ('It is "so." And so on.', ['It is "so."', "And so on."]),
        ("It grew by 3\\%. $O(n)$ it is.", ["It grew by 3\\%.", "$O(n)$ it is."]),
        ("First.\n\nSecond without end", ["First.", "Second without end"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize(
    "text", ["a word " * 1000, "x" * 5000, "Ab-Cd," * 1000], ids=["words", "letters", "no blanks"]
)
def test_a_sentence_without_end_is_cut_between_words_where_there_are_any(text: str) -> None:
    parts = split(text)
    assert max(map(len, parts)) <= 2000
    assert (" " if " " in text else "").join(parts) == text.strip()
