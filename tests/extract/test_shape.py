"""Names known by their shape."""

import pytest

from stemma.extract.shape import read_shapes
from stemma.schema import EntityKind

SHAPES = read_shapes()


def found(text: str, kind: EntityKind) -> list[str]:
    return [m.group() for each in SHAPES if each.kind is kind for m in each.pattern.finditer(text)]


@pytest.mark.parametrize(
    "name",
    ["RTX 4060", "NVIDIA A6000", "TPU v4", "Xeon Gold 6230", "Jetson AGX Orin", "MI250X",
     "GeForce GTX 1080 Ti", "NVIDIA RTX 9990", "Intel Core i9-12900K", "Raspberry Pi 4B",
     "Snapdragon 8 Gen 3", "iPhone 13", "AVX-512", "HBM3", "AMD EPYC 7742", "H100"],
)  # fmt: skip
def test_devices(name: str) -> None:
    assert found(f"It ran on 8 {name} GPUs.", EntityKind.HARDWARE) == [name]


def test_devices_after_a_multiplication_sign_that_has_lost_its_marks() -> None:
    text = "on 4timesRTX 3090 or 8timesA100 GPUs, sometimesRTX 3090"
    assert found(text, EntityKind.HARDWARE) == ["RTX 3090", "A100"]


@pytest.mark.parametrize("name", ["LLaMA-33B", "OPT-30B", "Kelp2-1.5B-Instruct", "Mixtral-8x7B"])
def test_models_with_their_size(name: str) -> None:
    assert found(f"We train {name} anew.", EntityKind.MODEL) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("on the Kelp-10 dataset", "Kelp-10"),
        ("the Forest of Kelp", None),
        ("a large dataset", None),
    ],
)
def test_datasets_are_called_so(text: str, name: str | None) -> None:
    assert found(text, EntityKind.DATASET) == ([name] if name else [])
