"""What filters leave out is reported."""

import json

import pytest

from command import stemma
from stemma import Stemma


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("lineage", "LoRA", "--relation", "uses"), "not a lineage relation: USES"),
        (("lineage", "LoRA", "--min-confidence", "2"), "Invalid value for '--min-confidence'"),
        (("lineage", "LoRA", "--since", "2030", "--until", "2020"), "is after the last (2020)"),
    ],
)
def test_the_command_line_refuses_what_nothing_can_pass(
    example_store: str, arguments: tuple[str, ...], reason: str
) -> None:
    done = stemma(*arguments, "-s", example_store)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_line_names_what_left_out_all(example_store: str) -> None:
    done = stemma("lineage", "LoRA", "--since", "2030", "-s", example_store)
    assert "what builds on it is excluded by --since" in done.stdout
    ancestors = ("ZeRO-Infinity", "--direction", "ancestors", "--no-catalogue")
    done = stemma("lineage", *ancestors, "--min-confidence", "1", "-s", example_store)
    assert "what it builds on is excluded by" in done.stdout
    done = stemma("lineage", "LoRA", "--since", "2030", "-f", "json", "-s", example_store)
    assert json.loads(done.stdout)["emptiedBy"] == ["YEARS"]


def test_a_question_says_so(graph: Stemma) -> None:
    answer = graph.ask("what builds on LoRA since 2030?")
    assert answer.text.startswith("Nothing since 2030 is known to match")
    assert "Left out" not in answer.text
    impossible = graph.ask("what builds on LoRA since 2030 until 2020?")
    assert "The first year (2030) is after the last (2020)." in impossible.text
