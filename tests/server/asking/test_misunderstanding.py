"""What is not understood is said, and never answered by halves."""

import pytest


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what builds on LoRA with a smaller footprint", "a smaller footprint"),
        ("which papers do not use CUDA", "“not”"),
        ("papers about LoRA without quantization", "“without”"),
        ("what builds on vLLM or SGLang", "or SGLang"),
        ("what builds on ZeRO-Infinty", "ZeRO-Infinty"),
        ("papers about LoRA in the last month", "month"),
        ("the three best papers about LoRA", "LoRA"),
    ],
)
def test_a_part_that_is_not_understood_is_named(asked, question: str, told: str):
    answer = asked(question)
    assert answer.understood_as is None
    assert told in answer.text
    assert answer.suggestions


def test_an_unknown_name_lists_the_nearest(asked):
    answer = asked("what builds on ZeRO-Infinty")
    assert answer.works[0].name == "ZeRO-Infinity"
    assert answer.suggestions[0] == "what builds on ZeRO-Infinity?"


def test_a_question_round_is_turned_back(asked):
    answer = asked("papers that do not use LoRA")
    assert answer.works == ()
    assert answer.suggestions == ("papers that use LoRA",)


def test_what_makes_no_difference_is_reported(asked):
    answer = asked("how is Fuyou related to ZeRO since 2024")
    assert answer.works
    assert "“since 2024” has no effect" in answer.text
    assert "has no effect" in asked("which papers directly run on H100").text


def test_who_did_better_is_left_to_the_sentences(asked):
    answer = asked("what outperforms vLLM")
    assert answer.works == asked("what compares with vLLM").works
    assert "all comparisons are listed" in answer.text


@pytest.mark.parametrize("question", ["", "  ?!", "why is the sky blue in the evening", "x" * 600])
def test_every_suggestion_has_an_answer(asked, question: str):
    answer = asked(question)
    assert answer.understood_as is None
    assert len(answer.suggestions) >= 8
    for suggested in answer.suggestions:
        assert asked(suggested).works, suggested
