"""The questions that the documentation gives as examples."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "asking.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and "for example" not in line
]
EXAMPLES = [
    (question.strip(), re.findall(r"`(\w+)`", fields))
    for _, questions, fields in ROWS
    for question in questions.split(";")
]


def test_the_table_has_examples():
    assert len(ROWS) > 10
    assert len(EXAMPLES) > len(ROWS)


@pytest.mark.parametrize(("question", "fields"), EXAMPLES)
def test_a_question_of_the_table_has_an_answer_by_such_a_query(
    asked, question: str, fields: list[str]
):
    answer = asked(question)
    assert answer.understood_as, answer.text
    assert answer.works, answer.text
    assert any(re.search(rf"^  {field}\b", answer.query, re.M) for field in fields), answer.query
