"""Names of the catalogue in texts."""

import pytest

from stemma.extract.catalogue_name import CatalogueNames
from stemma.schema import Catalogue, Entity, EntityKind


def concept(name: str, kind: EntityKind, *aliases: str) -> Entity:
    return Entity(f"entity/{name.lower().replace(' ', '-')}", name, kind, aliases)


CONCEPTS = [
    concept("Adam", EntityKind.TECHNIQUE),
    concept("SPEC", EntityKind.DATASET),
    concept("pipeline parallelism", EntityKind.TECHNIQUE),
    concept("FlashAttention", EntityKind.TECHNIQUE, "Flash Attention"),
    concept("ComplEx", EntityKind.MODEL),
    concept("PyTorch", EntityKind.FRAMEWORK),
    concept("U-Net", EntityKind.MODEL),
    concept("ResNet-50", EntityKind.MODEL),
    concept("Orca", EntityKind.MODEL),
    Entity("entity/orca-serving", "Orca", EntityKind.FRAMEWORK),
]
NAMES = CatalogueNames(Catalogue({each.id: each for each in CONCEPTS}, (), "test"))


def found(text: str) -> list[str]:
    return [text[start:end] for start, end, _ in NAMES.find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pipeline Parallelism", ["Pipeline Parallelism"]),
        ("pipeline-parallelism", ["pipeline-parallelism"]),
        ("flash attention", ["flash attention"]),
        ("Flash-Attention", ["Flash-Attention"]),
        ("PyTorch-based, Pytorch", ["PyTorch", "Pytorch"]),
        ("UNets and U-Net", ["UNets", "U-Net"]),
        ("ResNet50, ResNet-50 and ResNet 50", ["ResNet50", "ResNet-50", "ResNet 50"]),
    ],
)
def test_hyphen_space_case_and_plural_do_not_matter(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    ["adam went home", "the spec of it", "a complex matter", "Complex numbers", "respect SPECS2",
     "pipeline. Parallelism", "FlashAttentions2", "ResNet-501", "u net income"],
)  # fmt: skip
def test_common_words_and_parts_of_words_are_no_names(text: str) -> None:
    assert found(text) == []


def test_a_name_of_two_concepts_has_no_certain_one() -> None:
    ((_, _, spellings),) = NAMES.find("Orca")
    assert spellings[0].concept is None
    assert spellings[0].kind is None


def test_an_empty_catalogue_finds_nothing() -> None:
    assert list(CatalogueNames(Catalogue({}, (), "empty")).find("PyTorch")) == []
