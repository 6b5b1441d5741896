"""Questions on the command line."""

import json
import re

from command import answer, stemma


def test_a_question_is_answered_by_a_line_and_a_list_with_sentences(example_store):
    printed = answer("ask", "what builds on zero infinity?", "-s", example_store)
    first, _, *listed = printed.splitlines()
    assert first == "What builds or improves on ZeRO-Infinity, in all: 3."
    assert listed[0].split() == ["ZeRO-Inference", "framework", "2022-06-30"]
    assert "is based on the offloading of ZeRO-Infinity" in " ".join(printed.split())
    written = answer("ask", "papers by Tri Dao in 2022", "-s", example_store)
    assert "Tri Dao, Daniel Y. Fu, Stefano Ermon and 2 more" in written
    ordered = answer("ask", "most used hardware", "-s", example_store)
    assert (number := re.search(r"^GPU +hardware +([0-9]+ papers) *$", ordered, re.MULTILINE))
    as_json = answer("ask", "most used hardware", "-f", "json", "-s", example_store)
    assert f"GPU: {number[1]}" in json.loads(as_json)["notes"]


def test_what_matches_nothing_has_status_one_and_shows_what_can_be_asked(example_store):
    done = stemma("ask", "xqzzj", "wvvkp", "-s", example_store)
    assert done.returncode == 1
    assert "stemma ask 'most used hardware'" in done.stdout


def test_a_path_is_described_step_by_step(example_store):
    lines = answer("path", "Fuyou", "ZeRO", "-s", example_store).splitlines()
    steps = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert steps == ["Fuyou", "ZeRO-Infinity", "ZeRO"]
    none = stemma("path", "Fuyou", "ZeRO", "--max-length", "1", "-s", example_store)
    assert none.stderr == "No path of at most 1 step connects Fuyou and ZeRO.\n"


def test_a_lineage_by_date_goes_by_year(example_store):
    printed = answer("lineage", "FlashAttention", "--order", "date", "-s", example_store)
    assert printed.index("── 2023") < printed.index("── 2024")
    assert "FlashAttention-2 builds on" in printed


def test_two_works_stand_side_by_side(example_store):
    assert "NVIDIA A100" in answer("compare", "Punica", "S-LoRA", "-s", example_store)
