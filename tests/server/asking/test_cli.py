"""Questions on the command line."""

import json
import re

import pytest

from command import answer, stemma


def test_a_question_is_answered_in_a_sentence(example_store: str):
    printed = answer("ask", "what builds on zero infinity?", "-s", example_store)
    told = " ".join(printed.split())
    assert "3 works build or improve on ZeRO-Infinity: ZeRO-Inference (2022), Fuyou (2024)" in told
    assert "is based on the offloading of ZeRO-Infinity" in told
    assert "Understood as: works that build or improve on ZeRO-Infinity" in told


def test_an_answer_is_data_too(example_store: str):
    data = json.loads(answer("ask", "which papers run on H100", "-s", example_store, "-f", "json"))
    assert len(data["works"]) == 4
    assert data["statements"][0]["evidence"][0]["text"]
    assert data["understoodAs"] == "papers that run on NVIDIA H100"
    assert "papers(all:" in answer("ask", "which papers run on H100", "--query", "-s",
                                   example_store)  # fmt: skip


def test_what_is_not_understood_has_status_one_and_shows_what_can_be_asked(example_store: str):
    done = stemma("ask", "what builds on Fuyuo", "-s", example_store)
    assert done.returncode == 1
    assert "Did you mean Fuyou?" in done.stdout
    assert "stemma ask 'what builds on Fuyou?'" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_list_says_what_orders_it(example_store: str):
    lines = answer("ask", "most used hardware", "-s", example_store).splitlines()
    row = next(line for line in lines if line.startswith("GPU "))
    assert re.fullmatch(r"GPU +hardware +[0-9]+ papers", row.rstrip())


def test_a_path_is_described_step_by_step(example_store: str):
    lines = answer("path", "Fuyou", "ZeRO", "-s", example_store).splitlines()
    steps = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert steps == ["Fuyou", "ZeRO-Infinity", "ZeRO"]
    data = json.loads(answer("path", "Fuyou", "ZeRO", "-s", example_store, "-f", "json"))
    assert data["start"] == {"id": "entity/fuyou", "name": "Fuyou"}
    assert [edge["parent"]["name"] for edge in data["edges"]] == ["ZeRO-Infinity", "ZeRO"]
    none = stemma("path", "Fuyou", "ZeRO", "--max-length", "1", "-s", example_store)
    assert none.stderr == "No path of at most 1 step connects Fuyou and ZeRO.\n"


def test_a_lineage_by_date_goes_by_year(example_store: str):
    printed = answer("lineage", "FlashAttention", "--order", "date", "-s", example_store)
    assert printed.index("── 2023") < printed.index("── 2024")
    assert "FlashAttention-2 builds on" in printed


def test_two_works_stand_side_by_side(example_store: str):
    printed = answer("compare", "Punica", "S-LoRA", "-s", example_store)
    assert "NVIDIA A100" in printed
    data = json.loads(answer("compare", "SGLang", "vLLM", "-s", example_store, "-f", "json"))
    assert data["left"]["work"]["name"] == "SGLang"
    assert data["statements"][0]["relation"] == "COMPARES_WITH"


@pytest.mark.parametrize("command", ["ask", "path", "compare"])
def test_every_command_explains_itself_with_an_example(command: str):
    assert "Example" in answer(command, "--help")
