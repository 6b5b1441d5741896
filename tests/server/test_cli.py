"""The command line, as a user types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from command import answer, refused, stemma
from stemma.server.cli.app import app

EXAMPLES = Path(__file__).parents[2] / "examples"
COMMANDS = list(get_command(app).commands)


def test_a_lineage_is_written_in_the_format_of_the_file_extension(example_store, tmp_path):
    def written(name: str, *options: str) -> str:
        answer("lineage", "LoRA", "-s", example_store, "-o", str(tmp_path / name), *options)
        return (tmp_path / name).read_text()

    assert written("lora.mmd").startswith("flowchart")
    assert (descendants := written("lora.txt")).startswith("LoRA (technique, 2021-06-17)")
    ancestors = written("lora.txt", "--direction", "ancestors", "--force")
    both = written("lora.txt", "--direction", "both", "--force")
    assert both == f"Ancestors:\n{ancestors}Descendants:\n{descendants}"
    assert json.loads(written("lora.json"))["root"]["name"] == "LoRA"
    data = json.loads(written("both.json", "--direction", "both"))
    assert [own["direction"] for own in data.values()] == ["ANCESTORS", "DESCENDANTS"]
    assert written("other.txt", "--format", "mermaid").startswith("flowchart")
    assert "{{LoRA: Low-Rank Adapt" in written("lora.bib"), "the paper that introduces the root"


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (["lineage", " "], 1, "error: The name is empty."),
        (["lineage", "ZeRO-Infinty"], 1, "ZeRO-Infinity"),
        (["show", "\udcff\udcfe"], 2, "error: an argument is not in UTF-8"),
        (["compare", "LoRA", "lora"], 2, "are the same, "),
        (["export"], 2, "--format"),
        (["export", "-o", "a.svg"], 2, "stemma lineage draws pictures"),
        (["lineage", "LoRA", "-o", "lora.pdf"], 2, "unknown file extension '.pdf'"),
        (["lineage", "LoRA", "--relation", "BUILD_ON"], 2, "BUILDS_ON?"),
        (["lineage", "LoRA", "-f", "svg", "--after", "entity/x"], 2, "a picture has no pages"),
        (["lineage", "LoRA", "--direction", "both", "--after", "entity/x"], 2, "to one direction"),
        (["show", "https://arxiv.org/abs/2001.00001v2"], 1, "stemma fetch arxiv:2001.00001, then"),
        (["export", "-o", "missing/graph.ttl"], 1, "There is no folder missing"),
        (["export", "-f", "csv"], 1, "-o FOLDER"),
        (["lineage", "LoRA", "--relation", "uses"], 2, "not a lineage relation: USES"),
        (["lineage", "LoRA", "--since", "2030", "--until", "2020"], 2, "is after the last (2020)"),
        (["show", "-s", "nowhere.db"], 1, "stemma build"),
        (["serve", "-s", "nowhere.db", "--workers", "2"], 1, "There is no graph"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(example_store, tmp_path, command, status, said):
    store = () if "-s" in command else ("-s", example_store)
    assert said in refused(*command, *store, status=status, cwd=tmp_path)
    assert not [*tmp_path.iterdir()]


def test_filters_that_leave_nothing_are_named(example_store):
    command = ("lineage", "LoRA", "--since", "2030", "-s", example_store)
    assert "what builds on it is excluded by --since" in answer(*command)
    assert json.loads(answer(*command, "-f", "json"))["emptiedBy"] == ["YEARS"]
    assert "nothing" not in answer("lineage", "LoRA", "--first", "0", "-s", example_store)


def test_of_a_cut_off_file_of_extractions_what_stands_before_the_cut_is_loaded(tmp_path):
    paper = {"title": "Nibbler", "abstract": "We present Nibbler, which builds on PyTorch."}
    (tmp_path / "papers.json").write_text(json.dumps(paper))
    answer("extract", "papers.json", "-o", "out.jsonl.gz", cwd=tmp_path)
    whole = tmp_path / "out.jsonl.gz"
    (tmp_path / "cut.jsonl.gz").write_bytes(whole.read_bytes()[:-8])
    done = stemma("load", "cut.jsonl.gz", "nowhere.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 paper added" in done.stdout
    assert "cut.jsonl.gz: cut off or damaged" in done.stderr
    assert "nowhere.jsonl: cannot be read" in done.stderr
    assert "no papers" in refused("load", "nowhere.jsonl", "-s", "none.db", cwd=tmp_path)
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("command", [(), *([each] for each in COMMANDS)], ids=" ".join)
def test_help_cuts_nothing_in_a_narrow_terminal_and_begins_as_the_list_of_commands(
    command, monkeypatch
):
    def shown(width: int) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        return answer(*command, "--help")

    assert shown(80).split() == shown(400).split()
    if command:
        first = " ".join(shown(80).split("\n\n")[1].split())
        assert f" {command[0]} {first} " in f"{' '.join(answer('--help').split())} "


@pytest.mark.process
def test_a_terminal_without_utf8_gets_what_it_has_characters_for(example_store):
    command = [sys.executable, "-m", "stemma.server", "lineage", "LoRA", "--store", example_store]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"AdaLoRA" in done.stdout
    assert rb"\u201cLoRA gives each weight matrix" in done.stdout
