"""How papers present their own names."""

import pytest

from stemma.extract.coined_name import named_by, named_by_title


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kelpie: Training on One GPU", "Kelpie"),
        ("Fast-Kelp++: a compiler", "Fast-Kelp++"),
        ("Towards Kelp: a study", None),
        ("Training on One GPU", None),
        ("What is learned: an inquiry", None),
    ],
)
def test_a_title_names_before_its_colon(title: str, name: str | None) -> None:
    assert named_by_title(title, "") == name


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("We present Kelpie, a compiler for tensors.", "Kelpie"),
        ("In this paper we then introduce the KelpNet architecture.", "KelpNet"),
        ("We propose a novel scheduling framework, KelpServe, that batches.", "KelpServe"),
        ("We develop a new runtime called Kelpie.", "Kelpie"),
    ],
)
def test_a_sentence_names_what_it_presents(sentence: str, name: str) -> None:
    assert name in named_by(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Smith used a robot called Kelpie.",
        "We propose an efficient method.",
        "We present a GPU-accelerated solver.",
        "Models such as KelpNet are large.",
    ],
)
def test_the_work_of_others_and_descriptions_are_not_coined(sentence: str) -> None:
    assert named_by(sentence) == []


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
