"""What the vectors of a search learn from."""

import pytest

pytest.importorskip("torch", reason="training is not installed: make .venv/model")

from training.similarity import texts_of


def test_words_pairs_titles_and_sentences_are_learned_from():
    hens = [("Hens", f"We feed the brown hens. Number {n}, and eggs.") for n in range(15)]
    others = [(f"On {n}", "We draw the stars and planets.") for n in range(100)]
    found = texts_of([*hens, *others])
    assert {"hens", "brown hens", "Hens"} <= set(found)
    assert any(each.startswith("We feed the brown hens") for each in found)
    assert not {"feed the", "the brown"} & set(found)
