"""What a question is divided into, and what of it is said for company."""

import pytest

from stemma.server.asking.clauses import clauses

CLAUSES = {
    "What is Kiln built on and what does it beat?": [
        "What is Kiln built on",
        "what does Kiln beat",
    ],
    "How many papers run on A100, and how many on H100?": [
        "How many papers run on A100",
        "How many papers run on H100",
    ],
    "Which papers use Kiln (the Potter one)? Please list papers in this collection.": [
        "Which papers use Kiln",
        "list papers",
    ],
    "I want to get into glazing. Which datasets are there?": ["Which datasets for glazing"],
    "I keep reading about Kiln, what is it": ["what is Kiln"],
    "Alternatives to Kiln, i.e. who compares with it?": ["Alternatives to Kiln"],
    "Kiln or Oven: how do they differ, and does one improve on the other": [
        "Kiln or Oven: how do they differ"
    ],
    "Do kilns fly? Is there anything on that": ["Do kilns fly"],
    "papers that use Kiln and are evaluated on Clay": [
        "papers that use Kiln and are evaluated on Clay"
    ],
    "Kiln vs. Oven": ["Kiln vs. Oven"],
    "?": ["?"],
}


@pytest.mark.parametrize("question", CLAUSES)
def test_each_clause_can_be_understood_alone(question):
    found = clauses(question, lambda clause: "Kiln" if "Kiln" in clause else "")
    assert found == CLAUSES[question]
