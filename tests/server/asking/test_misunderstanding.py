"""Questions that are not understood: the answer says so, and is never partial."""

import pytest


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what builds on LoRA with a smaller footprint", "a smaller footprint"),
        ("what does Fuyou not build on", "“not”"),
        ("timeline of LoRA without quantization", "“without”"),
        ("what does Fuyou or LoRA build on", "or LoRA"),
        ("what builds on ZeRO-Infinty", "ZeRO-Infinty"),
        ("papers about LoRA in the last month", "month"),
        ("the three best papers about LoRA", "which work is best"),
        ("best GPUs for everyone", "which work is best"),
        ("what is the fastest quantization", "which work is best"),
        ("which of these papers use LoRA", "“these”"),
        ("most cited papers", "does not rank by citations"),
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


@pytest.mark.parametrize(
    ("question", "meant", "note"),
    [
        ("wich papers run on A100", "which papers run on A100", "“wich” as “which”"),
        ("what bulids on LoRA", "what builds on LoRA", "“bulids” as “builds”"),
        ("what improvd on LoRA since 2024", "what improved on LoRA since 2024", "“improvd”"),
        ("tecniques wich are used with LoRA", "techniques used with LoRA", "“wich” as “which”"),
        ("wat is Medusa", "what is Medusa", "“wat” as “what”"),
    ],
)
def test_a_misspelt_word_is_read_as_a_similar_one_and_that_is_reported(
    asked, question: str, meant: str, note: str
):
    answer = asked(question)
    assert answer.works
    assert answer.works == asked(meant).works
    assert note in answer.text


def test_suggestions_use_the_usual_name_of_a_work(asked):
    assert asked("best GPUs for everyone").suggestions[0] == "what is GPU?"


def test_a_misspelt_name_is_left_to_the_user(asked):
    answer = asked("wich papers compare with vLM")
    assert answer.understood_as is None


def test_the_question_without_what_is_not_understood_is_suggested(asked):
    assert asked("which papers run on a shiny A100").suggestions[0] == "which papers run on A100?"
    assert (
        asked("show me the fancy timeline of LoRA").suggestions[0] == "show me the timeline of LoRA"
    )


def test_no_half_question_is_suggested(asked):
    for question in ("colour of LoRA", "state of the art on GLUE"):
        assert asked(question).suggestions[0].split()[0] not in {"of", "on"}


def test_a_question_with_or_is_suggested_for_each(asked):
    answer = asked("what does Fuyou or LoRA build on")
    assert "“or” is not supported" in answer.text
    assert answer.suggestions[:2] == ("what does Fuyou build on?", "what does LoRA build on?")


def test_a_question_without_the_best_is_suggested(asked):
    assert asked("the best papers about LoRA").suggestions[0] == "the papers about LoRA"


def test_the_suggestions_begin_with_those_that_share_words(asked):
    assert "most influential works" in asked("most cited papers").suggestions[:3]
    assert asked("good datasets").suggestions[0] == "which datasets do papers evaluate on?"


def test_words_of_questions_are_not_taken_for_misspelt_names(asked):
    answer = asked("which framework is most")
    assert "Did you mean" not in answer.text


def test_words_of_questions_are_not_sought_in_titles(asked):
    assert "in the title" not in asked("top papers that use LoRA").text
    assert "No author" not in asked("papers about LoRA grouped by date").text


def test_a_negated_question_suggests_the_positive_one(asked):
    answer = asked("what does Fuyou not build on")
    assert answer.works == ()
    assert answer.suggestions == ("what does Fuyou build on",)


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
