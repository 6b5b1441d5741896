"""Searches: what is asked for must be among the first ten works."""

from collections.abc import Iterator

import pytest

from described import describe
from filled import stored
from stemma.graph import Reader, open_store
from stemma.server.asking import ask, ranking


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
        describe("Following orders", "A model is tuned on instructions.", "technique RLHF: USES"),
        describe("Unrelated", "It is no paper on anything, as it says."),
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
        ("why instruction tuning", "Following orders"),
    ],
)
def test_a_search_knows_other_words(made_up, question, title):
    papers = [each.name for each in ask(made_up, question).works if each.id.startswith("paper/")]
    assert title in papers[:3]
    assert not any("Unrelated" in each for each in papers)


def test_a_search_has_years_and_an_order(made_up):
    assert [e.name for e in ask(made_up, "newest papers about CUDA kernels").works][:2] == [
        "Writers", "Kernels by hand"]  # fmt: skip
    assert [e.name for e in ask(made_up, "papers about CUDA kernels in 2024").works] == [
        "Kernels by hand"]  # fmt: skip


def test_papers_without_a_date_are_left_out_of_years_and_last_in_an_order(made_up):
    assert "these are of all years." in ask(made_up, "images of birds in 2024").text
    assert "Without a date, and last: 30." in ask(made_up, "newest papers on birds").text


def test_a_paper_with_a_date_is_the_newest_though_many_without_match_better(tmp_path, monkeypatch):
    monkeypatch.setattr(ranking, "_OF_DATES", 20)
    papers = [describe(f"Kelp {n}", "Kelp is kelp.") for n in range(21)]
    reefs = describe("Reefs", "We study fish, and also kelp.", published="2020")
    with open_store(stored(tmp_path, *papers, reefs)) as store, store.snapshot() as reader:
        assert ask(reader, "newest papers about kelp").works[0].name == "Reefs"


def test_what_is_told_beside_names_chooses_among_works_and_their_sentences(tmp_path):
    papers = [
        describe("Kelp", "We present Kelp.", "model Kelp: INTRODUCES"),
        describe("Reefs", "KelpCube builds on Kelp for volumes.", "model KelpCube: INTRODUCES",
                 "model Kelp: BUILDS_ON"),
        describe("Slim", "SlimKelp builds on Kelp. It is compressed, and 3x faster on an A100.",
                 "model SlimKelp: INTRODUCES", "model Kelp: BUILDS_ON",
                 "hardware NVIDIA A100 = A100: RUNS_ON"),
    ]  # fmt: skip
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        found = ask(reader, "Of all that descends from Kelp, which makes it smaller or faster?")
        assert found.works[0].name == "Slim"
        answer = ask(reader, "how much faster is SlimKelp than Kelp?")
        assert "3x" in answer.sentences(reader, answer.works)["paper/slim"]
        cards = ask(reader, "what graphics cards are enough to run inference with SlimKelp?")
        assert [each.name for each in cards.works] == ["NVIDIA A100"]


def test_words_that_are_not_wanted_leave_papers_out(made_up):
    names = [each.name for each in ask(made_up, "papers on CUDA but not about compilers").works]
    assert "Kernels by hand" in names
    assert "Writers" not in names


def test_a_list_for_a_topic_begins_with_what_papers_on_it_introduce(tmp_path):
    papers = [
        describe("Squeezing caches", "Squash compresses caches, and is trained with Adam.",
                 "technique Squash: INTRODUCES", "technique Adam: USES"),
        describe("Caches compressed twice", "We compress caches on a V100 with Adam.",
                 "technique Adam: USES", "hardware V100: RUNS_ON"),
        describe("Growing plants", "Plants grow on an A100.", "hardware A100: RUNS_ON"),
    ]  # fmt: skip
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        assert [e.name for e in ask(reader, "techniques for compressing caches").works][:2] == [
            "Squash", "Adam"]  # fmt: skip
        most_used = ask(reader, "most used techniques for compressing caches")
        assert [each.name for each in most_used.works][:2] == ["Adam", "Squash"]
        hardware = ask(reader, "what kind of hardware do people use to compress caches")
        assert hardware.works[0].name == "NVIDIA V100"


def test_a_name_means_what_is_written_so_and_an_ordinary_word_nothing(tmp_path):
    papers = [
        describe("Whales", "ORCA names whales.", "dataset ORCA: INTRODUCES"),
        describe("Batches", "Orca.", "framework Orca serving system = Orca: INTRODUCES"),
        describe("Lasers", "We present BANDIT.", "technique BANDIT: INTRODUCES"),
        describe("A survey of bandits", "We study bandits."),
        *(describe(f"Bandits {n}", "A bandit is met by bandits.") for n in range(20)),
    ]
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        for name in ("ORCA", "Orca serving system", "BANDIT"):
            assert ask(reader, f"what is {name.split()[0]}").works[0].name == name
        assert ask(reader, "what does Orca build on").about[0].name == "Orca serving system"
        assert ask(reader, "surveys on bandits").works[0].name == "A survey of bandits"


def test_what_is_narrower_by_its_name_alone_counts(tmp_path):
    papers = [
        describe("Chips", "It runs on a TPU v3-8.", "hardware TPU v3-8: RUNS_ON"),
        describe("Robots", "We train it by online reinforcement learning.",
                 "technique online reinforcement learning: USES"),
        describe("Both", "It runs on a TPU, and learns.", "hardware TPU: RUNS_ON",
                 "technique reinforcement learning: USES"),
    ]  # fmt: skip
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        found = ask(reader, "which papers run on TPUs?").works
        assert {each.name for each in found} == {"Chips", "Both"}
        found = ask(reader, "papers that use reinforcement learning").works
        assert {each.name for each in found} == {"Robots", "Both"}


def test_entities_that_a_question_names_come_first(made_up):
    answer = ask(made_up, "RTX 4090 at home")
    assert answer.works[0].name == "RTX 4090"
    assert answer.text == "Papers about RTX 4090, the best match first: 1."


def test_what_matches_nothing_has_the_nearest_names_or_suggestions(made_up):
    assert ask(made_up, "RTX4091").works[0].name == "RTX 4090"
    nothing = ask(made_up, "xqzzj wvvkp")
    assert nothing.understood_as is None
    assert nothing.works == ()
    assert nothing.suggestions
