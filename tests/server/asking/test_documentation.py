"""The questions that the documentation gives as examples."""

from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "asking.md"
ROWS = [
    line.strip("|").split("|")
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and "for example" not in line
]
EXAMPLES = [question.strip() for _, questions in ROWS for question in questions.split(";")]


@pytest.mark.parametrize("question", EXAMPLES)
def test_a_question_of_the_table_has_an_answer(asked, question):
    answer = asked(question)
    assert answer.understood_as, answer.text
    assert answer.works, answer.text
    is_search = question in EXAMPLES[-2:] or "about LoRA" in question
    assert answer.understood_as.startswith("papers about") == is_search
