"""Searches: what is asked for must be among the first ten works."""

from collections.abc import Iterator

import pytest

from described import describe
from filled import stored
from stemma.graph import Reader, open_store
from stemma.server.asking import ask


@pytest.fixture
def made_up(tmp_path) -> Iterator[Reader]:
    """Papers that say the same in other words."""
    papers = [
        describe("Disks for activations", "Activations are offloaded to an NVMe SSD."),
        describe("Big language models at home", "An RTX 4090 serves large language models.",
                 "hardware RTX 4090: RUNS_ON"),
        describe("Contrast", "We sample noise.",
                 "technique Noise Contrastive Estimation = NCE: USES"),
        describe("Smaller bills", "We measure the power that is consumed in training."),
        describe("Radiant", "A neural radiance field is rendered by multi-GPU servers.",
                 "model NeRF = neural radiance field: USES"),
        describe("Writers", "LLMs write CUDA kernels, and a compiler rates them.",
                 published="2025"),
        describe("Kernels by hand", "A kernel for CUDA, written by people.", published="2024"),
        *(describe(f"Unrelated {n}", "We study the images of birds and their names.")
          for n in range(30)),
    ]  # fmt: skip
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        yield reader


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("storing activations on SSDs", "Disks for activations"),
        ("LLM inference on consumer GPUs", "Big language models at home"),
        ("energie consumption of trainning", "Smaller bills"),
        ("kernels by noise contrastive estimation", "Contrast"),
        ("neural radiance fields on several GPUs", "Radiant"),
        ("which papers generate CUDA kernels with large language models", "Writers"),
        ("how do people write a CUDA kernel by hand?", "Kernels by hand"),
    ],
)
def test_a_search_knows_other_words(made_up, question, title):
    papers = [each.name for each in ask(made_up, question).works if each.id.startswith("paper/")]
    assert papers[0] == title
    assert not any("Unrelated" in each for each in papers)


def test_a_search_has_years_and_an_order(made_up):
    assert [e.name for e in ask(made_up, "newest papers about CUDA kernels").works][:2] == [
        "Writers", "Kernels by hand"]  # fmt: skip
    assert [e.name for e in ask(made_up, "papers about CUDA kernels in 2024").works] == [
        "Kernels by hand"]  # fmt: skip


def test_entities_that_a_question_names_come_first(made_up):
    answer = ask(made_up, "homes for an RTX 4090")
    assert answer.works[0].name == "RTX 4090"
    assert answer.text == "Papers about homes for an RTX 4090, the best match first: 1."


def test_what_matches_nothing_has_the_nearest_names_or_suggestions(made_up):
    assert ask(made_up, "RTX4091").works[0].name == "RTX 4090"
    nothing = ask(made_up, "xqzzj wvvkp")
    assert nothing.understood_as is None
    assert nothing.works == ()
    assert nothing.suggestions
