"""Which words of a span are the name."""

import pytest

from stemma.extract.encoder.grouping import is_placeholder, name_within
from stemma.extract.encoder.paper_words import PaperWords
from stemma.extract.pipeline import load
from stemma.extract.recognition import document_of
from stemma.schema import EntityKind

NLP = load(fast=True)


def name_in(surface: str, kind: EntityKind) -> str:
    document = PaperWords.of(NLP(document_of(NLP, "On Caches", f"We use {surface} here.")))
    at = document.text.index(surface)
    span = document.span(at, at + len(surface))
    assert span
    return document.surface(name_within(document, span, kind))


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("LLaMA-7B/13B", "LLaMA-7B"),
        ("CIFAR-10/100", "CIFAR-10"),
        ("ResNet-18/34/50", "ResNet-18"),
        ("MobileNetV1/V2", "MobileNetV1"),
        ("GPT-4/3.5", "GPT-4"),
        ("BERT-base/large", "BERT-base"),
        ("Google BERT-base/large", "BERT-base"),
        # These are names as a whole.
        ("ViT-B/16", "ViT-B/16"),
        ("TCP/IP", "TCP/IP"),
        ("I/O", "I/O"),
        ("Falcon-7/40/180B", "Falcon-7/40/180B"),
        ("7B/13B", "7B/13B"),
        ("DLR/HIT Hand 2", "DLR/HIT Hand 2"),
    ],
)
def test_of_a_list_the_first_is_named(surface: str, name: str) -> None:
    assert name_in(surface, EntityKind.MODEL) == name


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("Microsoft DeepSpeed", "DeepSpeed"),
        ("NVIDIA Megatron-LM", "Megatron-LM"),
        ("OpenAI GPT-3", "GPT-3"),
        # Without the vendor these would be words, or other names.
        ("Google Cloud", "Google Cloud"),
        ("Amazon Web Services", "Amazon Web Services"),
        ("OpenAI-o3", "OpenAI-o3"),
        ("Intel", "Intel"),
    ],
)
def test_a_name_has_no_vendor_but_of_hardware_and_data(surface: str, name: str) -> None:
    assert name_in(surface, EntityKind.FRAMEWORK) == name
    for kind in (EntityKind.HARDWARE, EntityKind.DATASET):
        assert name_in(surface, kind) == surface


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (r"\ours", True),
        (r"$\methodname$", True),
        (r"\SysName", True),
        (r"\lieflow", False),
        (r"\textsc{Tool}", False),
        ("method", False),
    ],
)
def test_a_command_that_stands_for_a_name_is_none(name: str, *, expected: bool) -> None:
    assert is_placeholder(name) is expected
