"""The sentence encoder: texts that mean alike have vectors of like directions."""

import numpy as np
import pytest

from described import describe
from stemma.extract import Extractor
from stemma.extract.sentence_encoder import DIMENSIONS, LONGEST, SentenceEncoder, likeness, packed
from stemma.schema import Extraction
from stemma.schema.model import VECTOR_SIZE


def like(one: str, other: str) -> float:
    encoder = SentenceEncoder.shipped()
    return float(encoder.vector(one) @ encoder.vector(other))


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("My bread will not rise", "Yeast activity in dough", "Gears of bicycles"),
        ("Hear when a machine is about to break", "Acoustic fault detection", "Whispered commands"),
        ("The crops are drying out", "Irrigation scheduling for agriculture", "Cropping images"),
    ],
)
def test_who_means_the_same_in_other_words_is_nearer(text, same, other):
    assert like(text, same) > like(text, other) + 0.05


def test_vectors_have_the_length_1_and_are_repeatable():
    encoder = SentenceEncoder.shipped()
    for text in ("", "a", "Barn owls hunt by ear.", "\0 \ud800", "猫"):
        vector = encoder.vector(text)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)
        assert (vector == encoder.vector(text)).all()


def test_the_beginning_of_a_text_alone_is_read():
    text = "owl " * LONGEST
    assert like(text, f"{text} and a very long tale") == pytest.approx(1)


def test_packed_vectors_are_as_like_as_they_were():
    for pair in np.random.default_rng(1).normal(size=(100, 2, DIMENSIONS)):
        one, other = (each / np.linalg.norm(each) for each in (pair[0], pair.sum(0)))
        assert likeness(one, [packed(other)])[0] == pytest.approx(one @ other, abs=0.02)
    assert len(packed(other)) == VECTOR_SIZE


def test_papers_that_are_read_have_the_vector_of_title_and_abstract():
    (owls,) = Extractor().extract([describe("Owls", "Barn owls hunt by ear.").paper])
    assert isinstance(owls, Extraction)
    assert owls.vector == packed(SentenceEncoder.shipped().vector("Owls. Barn owls hunt by ear."))
