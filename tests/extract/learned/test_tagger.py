"""The tagger's arithmetic: marginals of a linear chain, against all label sequences."""

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.learned.tagger import forward_backward

LABELS = 3
SCORES = st.floats(-4, 4)
ROW = st.lists(SCORES, min_size=LABELS, max_size=LABELS)
SENTENCES = st.lists(st.lists(ROW, min_size=1, max_size=4), min_size=1, max_size=3)
TRANSITIONS = st.lists(ROW, min_size=LABELS, max_size=LABELS)


def by_brute_force(scores: np.ndarray, transitions: np.ndarray) -> np.ndarray:
    marginals = np.zeros_like(scores)
    for labels in product(range(LABELS), repeat=len(scores)):
        steps = sum(transitions[a, b] for a, b in pairwise(labels))
        weight = np.exp(sum(scores[t, label] for t, label in enumerate(labels)) + steps)
        for t, label in enumerate(labels):
            marginals[t, label] += weight
    return marginals / marginals.sum(axis=1, keepdims=True)


@given(SENTENCES, TRANSITIONS)
def test_marginals_are_those_of_all_label_sequences(
    sentences: list[list[list[float]]], steps: list[list[float]]
) -> None:
    scores, transitions = [np.array(each) for each in sentences], np.array(steps)
    for found, own in zip(forward_backward(scores, transitions), scores, strict=True):
        assert np.allclose(found, by_brute_force(own, transitions), atol=1e-6)


def test_unlikely_labels_of_long_sentences_do_not_vanish() -> None:
    scores = np.zeros((400, LABELS))
    (marginals,) = forward_backward([scores], np.full((LABELS, LABELS), -8.0))
    assert np.allclose(marginals, 1 / LABELS)
