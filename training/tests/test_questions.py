"""The parser of questions: the mean of two trainings."""

import pytest

pytest.importorskip("torch", reason="training is not installed: make .venv/model")

import torch

from training.questions import QuestionNetwork, mean


def test_the_mean_of_networks_has_the_means_of_their_weights():
    one, other = QuestionNetwork(1), QuestionNetwork(1)
    wanted = [(a + b) / 2 for a, b in zip(one.parameters(), other.parameters(), strict=True)]
    found = [*mean([one, other]).parameters()]
    assert all(torch.allclose(a, b) for a, b in zip(found, wanted, strict=True))
