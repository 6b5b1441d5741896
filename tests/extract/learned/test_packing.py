"""Words and weights are shipped as bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stemma.extract.learned.packing import joined, packed, split, unpacked

weights = arrays(
    np.float32,
    st.tuples(st.integers(0, 20), st.integers(1, 4)),
    elements=st.floats(-8, 8, width=32),
)


@given(weights)
def test_what_is_kept_is_near_and_nearer_the_smaller_it_is(given_):
    again = unpacked(packed(given_))
    largest = np.abs(given_).max(axis=0, initial=0.0)
    # Half a step of the square root, and what rounding adds.
    bound = np.sqrt(np.abs(given_) * largest) / 127 + largest / 127**2
    assert again.shape == given_.shape
    assert (np.abs(again - given_) <= bound * 1.01 + 1e-6).all()


@given(weights)
def test_what_was_kept_once_stays(given_):
    once = unpacked(packed(given_))
    assert np.allclose(unpacked(packed(once)), once, rtol=1e-5, atol=1e-6)


def test_it_takes_a_byte_a_weight():
    assert packed(np.ones((100, 8), np.float32))["weights"].nbytes == 800


@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1)))
def test_words_come_back_as_they_were(words):
    assert split(joined(words)) == words
