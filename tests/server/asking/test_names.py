"""Names in questions: whatever they consist of, the longest known one is meant."""

from itertools import pairwise

import pytest

from described import describe
from stemma.graph import open_store
from stemma.schema import (
    Entity,
)
from stemma.server.asking import ask

AWKWARD = ["On", "What If", "Compare", "Papers with Code", "Built on Sand in 2023", "Not",
           "Chat and Ask", "The Heap", "Who Introduced What", "Since 2020", "C++", "Moore's Law",
           "Timeline of Things", "vLLM"]  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory):
    """Papers that introduce things with awkward names, each after the one before it."""
    store = open_store(str(tmp_path_factory.mktemp("names") / "stemma.db"))
    with store, store.writer() as writer:
        for before, name in zip([None, *AWKWARD], AWKWARD, strict=False):
            lines = [f"framework {name}: INTRODUCES"]
            if before:
                lines.append(f"framework {before}: BUILDS_ON")
            writer.put([describe(f"{name}: a study", "", *lines)], "1")
        writer.put((describe(f"Attention Is {number} Things") for number in (1, 2)), "1")
        writer.commit()
        with store.snapshot() as held:
            yield held


@pytest.mark.parametrize(("before", "name"), list(pairwise(AWKWARD)))
@pytest.mark.parametrize(
    "asked", ["what directly builds on {}?", "what is directly based on {}", "{}'s direct children"]
)
def test_a_name_may_contain_words_of_the_grammar(reader, asked: str, before: str, name: str):
    answer = ask(reader, asked.format(before))
    assert [work.name for work in answer.works] == [name], answer.text


@pytest.mark.parametrize(("before", "name"), list(pairwise(AWKWARD)))
def test_two_names_may_contain_the_word_between_them(reader, before: str, name: str):
    for question in (f"how is {name} related to {before}", f"how are {before} and {name} related"):
        assert {work.name for work in ask(reader, question).works} == {before, name}
    assert {work.name for work in ask(reader, f"compare {before} and {name}").works} == {
        before,
        name,
    }


@pytest.mark.parametrize("name", AWKWARD)
def test_quotation_marks_make_anything_a_name(reader, name: str):
    for opening, closing in ('""', "“”"):
        answer = ask(reader, f"what is {opening}{name}{closing}?")
        assert isinstance(answer.works[0], Entity)
        assert answer.works[0].name == name


@pytest.mark.parametrize("name", AWKWARD)
def test_an_id_is_a_name_too(reader, name: str):
    (work,) = ask(reader, name).works
    assert ask(reader, f"what is {work.id}?").works == (work,)


def test_articles_and_nouns_around_a_name_do_not_matter(reader):
    for named in ("vLLM", "the vLLM framework", "the framework vLLM", "VLLM", "v-llm"):
        assert [w.name for w in ask(reader, f"what does {named} directly build on?").works] == [
            "Timeline of Things"
        ]


def test_a_title_is_a_name(reader):
    (work,) = ask(reader, "what is Attention Is 1 Things?").works
    assert work.id == "paper/attention-is-1-things"
