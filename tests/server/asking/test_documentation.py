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


def test_the_page_is_short():
    words = [each for each in PAGE.read_text("utf-8").split() if any(map(str.isalnum, each))]
    assert len(words) <= 400
    assert len(EXAMPLES) > 2 * len(ROWS) > 20


@pytest.mark.parametrize("question", EXAMPLES)
def test_a_question_of_the_table_has_an_answer(asked, question: str):
    answer = asked(question)
    assert answer.understood_as, answer.text
    assert answer.works, answer.text
    is_search = question in EXAMPLES[-2:]
    assert answer.understood_as.startswith("papers about") == (
        is_search or "about LoRA" in question
    )
