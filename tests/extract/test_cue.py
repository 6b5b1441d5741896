"""Cue phrases: what a sentence says of each entity in it."""

import pytest

from stemma.extract import Extractor
from stemma.schema import Extraction, Paper

EXTRACTOR = Extractor(fast=True)


def related(abstract: str) -> dict[str, set[str]]:
    """Relations by entity."""
    (found,) = EXTRACTOR.extract([Paper("paper/a-study", "A Study", abstract)])
    assert isinstance(found, Extraction)
    by_entity: dict[str, set[str]] = {}
    for each in found.relations:
        by_entity.setdefault(each.entity, set()).add(each.type.value)
    return by_entity


@pytest.mark.parametrize(
    ("sentence", "entity", "relation"),
    [
        ("Our approach outperforms vLLM.", "vLLM", "COMPARES_WITH"),
        ("We are 2.3x faster than vLLM.", "vLLM", "COMPARES_WITH"),
        ("Unlike DeepSpeed, ours needs no tuning.", "DeepSpeed", "IMPROVES_ON"),
        ("Our runtime is built on top of PyTorch.", "PyTorch", "BUILDS_ON"),
        ("We employ LoRA.", "LoRA", "USES"),
        ("It runs on Jetson Nano boards.", "Jetson Nano", "RUNS_ON"),
        ("Experiments on COCO show gains.", "COCO", "EVALUATED_ON"),
    ],
)
def test_a_cue_states_a_relation(sentence: str, entity: str, relation: str) -> None:
    assert relation in related(sentence)[entity]


def test_what_is_listed_together_is_related_alike() -> None:
    found = related("Our system outperforms vLLM, TensorRT-LLM and DeepSpeed by far.")
    assert {frozenset(each) for each in found.values()} == {frozenset({"COMPARES_WITH"})}


def test_an_example_of_what_was_beaten_was_beaten() -> None:
    found = related("We beat state-of-the-art serving systems such as vLLM and DeepSpeed.")
    assert found["vLLM"] == found["DeepSpeed"] == {"COMPARES_WITH"}
