"""What the rules find: sentences, acronyms, names known, coined or of a shape."""

import pytest

from stemma.extract.acronym import definitions
from stemma.extract.catalogue_name import CatalogueNames
from stemma.extract.coined_name import named_by, named_by_title
from stemma.extract.kind import kind_in_title
from stemma.extract.sentence import sentences
from stemma.extract.shape import read_shapes
from stemma.schema import Catalogue, Entity, EntityKind


def split(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One ends. Two begins.", ["One ends.", "Two begins."]),
        ("Is it? Yes! It is.", ["Is it?", "Yes!", "It is."]),
        ('It is "so." And so on.', ['It is "so."', "And so on."]),
        ("It grew by 3\\%. $O(n)$ it is.", ["It grew by 3\\%.", "$O(n)$ it is."]),
        ("It is i.e. The same, e.g. 2.5x.", ["It is i.e. The same, e.g. 2.5x."]),
        ("It fell over U.S. Models.", ["It fell over U.S. Models."]),
        ("First.\n\nSecond without end", ["First.", "Second without end"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize("text", ["a word " * 1000, "Ab-Cd," * 1000], ids=["words", "no blanks"])
def test_a_sentence_without_end_is_cut_between_words_where_there_are_any(text: str) -> None:
    parts = split(text)
    assert max(map(len, parts)) <= 2000
    assert (" " if " " in text else "").join(parts) == text.strip()


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("We use Mixture of Experts (MoE) here.", [("Mixture of Experts", "MoE")]),
        ("The remote direct memory access (RDMA) is", [("remote direct memory access", "RDMA")]),
        ("a stochastic shortest path (SSP)", [("stochastic shortest path", "SSP")]),
        ("a novel Low-Rank Adaptation (LoRA, ours)", [("Low-Rank Adaptation", "LoRA")]),
        *((text, []) for text in ("It grew (see Table 2).", "The end (GPU).", "A (B) C", "(MoE)")),
        ("faster (2x)", []),
    ],
)
def test_a_long_form_spells_its_acronym(text: str, pairs: list[tuple[str, str]]) -> None:
    defined = [(text[slice(*long)], text[slice(*short)]) for long, short in definitions(text)]
    assert defined == pairs


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
NAMES = CatalogueNames(Catalogue({concept.id: concept for concept in CONCEPTS}, (), "test"))


def known(text: str) -> list[str]:
    return [text[start:end] for start, end, _ in NAMES.find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pipeline Parallelism", ["Pipeline Parallelism"]),
        ("pipeline-parallelism", ["pipeline-parallelism"]),
        ("flash attention", ["flash attention"]),
        ("Flash-Attention", ["Flash-Attention"]),
        ("PyTorch-based, Pytorch", ["PyTorch", "Pytorch"]),
        ("İ in PyTorch", ["PyTorch"]),
        ("UNets and U-Net", ["UNets", "U-Net"]),
        ("ResNet50, ResNet-50 and ResNet 50", ["ResNet50", "ResNet-50", "ResNet 50"]),
        # Common words and parts of words are no names.
        ("adam went home, by the spec of it, a complex matter", []),
        ("Complex numbers. respect SPECS2, pipeline. Parallelism", []),
        ("FlashAttentions2, ResNet-501 and u net income", []),
    ],
)
def test_hyphen_space_case_and_plural_do_not_matter(text: str, names: list[str]) -> None:
    assert known(text) == names


def test_a_name_of_two_concepts_has_no_certain_one() -> None:
    ((_, _, spellings),) = NAMES.find("Orca")
    assert spellings[0].concept is None
    assert spellings[0].kind is None


def test_an_empty_catalogue_finds_nothing() -> None:
    assert list(CatalogueNames(Catalogue({}, (), "empty")).find("PyTorch")) == []


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kelpie: Training on One GPU", "Kelpie"),
        ("Towards Kelp: a study", None),
        ("Training on One GPU", None),
        ("What is learned: an inquiry", None),
    ],
)
def test_a_title_names_before_its_colon(title: str, name: str | None) -> None:
    assert named_by_title(title, "") == name


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("KELP: A Large Dataset for Marine Robots", EntityKind.DATASET),
        ("KELP: A Large Dataset For Marine Robots In Deep Water", EntityKind.DATASET),
        # What is measured is not what measures it.
        ("KELP: Evaluating Neural Models", None),
    ],
)
def test_a_title_says_of_what_kind_is_what_it_names(title: str, kind: EntityKind | None) -> None:
    assert kind_in_title([(0, 4)], title) is kind


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("We present Kelpie, a compiler for tensors.", "Kelpie"),
        ("In this paper we then introduce the KelpNet architecture.", "KelpNet"),
        ("We propose a novel scheduling framework, KelpServe, that batches.", "KelpServe"),
        ("We develop a new runtime called Kelpie.", "Kelpie"),
        # The work of others, and descriptions, are not coined.
        ("Smith used a robot called Kelpie.", None),
        ("We propose an efficient method.", None),
        ("We present a GPU-accelerated solver.", None),
        ("Models such as KelpNet are large.", None),
    ],
)
def test_a_sentence_names_what_it_presents(sentence: str, name: str | None) -> None:
    assert name in named_by(sentence) if name else not named_by(sentence)


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (
            "We present two simple techniques: kelp folding and selective drying.",
            ["kelp folding", "selective drying"],
        ),
        (
            "We propose three kernels, namely dry scan, wet scan, and lazy merge, which overlap.",
            ["dry scan", "wet scan", "lazy merge"],
        ),
        (
            "We introduce two methods to save memory: Shared Kelp Caches (SKC) and late eviction.",
            ["Shared Kelp Caches", "late eviction"],
        ),
        ("We present two approaches: a reduction to search and a heuristic.", []),
        ("We study two techniques to save memory: to fold kelp and to dry it.", []),
    ],
)
def test_what_is_counted_is_named_as_it_stands(sentence: str, names: list[str]) -> None:
    assert named_by(sentence) == names


DEVICES = [
    *("NVIDIA RTX 9990", "TPU v4", "Jetson AGX Orin", "MI250X", "Intel Core i9-12900K", "AVX-512"),
    *("Raspberry Pi 4B", "Snapdragon 8 Gen 3", "iPhone 13", "HBM3", "AMD EPYC 7742", "H100"),
]
MODELS = ["LLaMA-33B", "Kelp2-1.5B-Instruct", "Mixtral-8x7B"]


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        *((f"It ran on 8 {device} GPUs.", "hardware", [device]) for device in DEVICES),
        *((f"We train {model} anew.", "model", [model]) for model in MODELS),
        ("on 4timesRTX 3090 or 8timesA100, sometimesRTX 3090", "hardware", ["RTX 3090", "A100"]),
        ("on the Kelp-10 dataset, the Forest of Kelp and a dataset", "dataset", ["Kelp-10"]),
    ],
)
def test_names_that_have_the_shape_of_a_kind(text: str, kind: str, names: list[str]) -> None:
    patterns = [each.pattern for each in read_shapes() if each.kind == kind]
    assert [found.group() for pattern in patterns for found in pattern.finditer(text)] == names
