"""The command line, as a user types it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from command import answer, stemma
from stemma.server.cli.app import app

EXAMPLES = Path(__file__).parents[2] / "examples"
COMMANDS = list(get_command(app).commands)


def test_a_lineage_prints_as_data_and_as_a_diagram(example_store: str) -> None:
    data = json.loads(answer("lineage", "ZeRO-Infinity", "-s", example_store, "-f", "json"))
    fuyou = next(node for node in data["nodes"] if node["work"]["name"] == "Fuyou")
    assert fuyou["work"]["published"] == "2024-03-11"
    assert answer("lineage", "LoRA", "-s", example_store, "-f", "mermaid").startswith("flowchart")


def test_a_lineage_is_written_in_the_format_of_the_file_extension(
    example_store: str, tmp_path: Path
) -> None:
    def written(name: str, *options: str) -> str:
        answer("lineage", "LoRA", "-s", example_store, "-o", str(tmp_path / name), *options)
        return (tmp_path / name).read_text()

    assert written("lora.mmd").startswith("flowchart")
    assert written("lora.txt").startswith("LoRA (technique)")
    assert json.loads(written("lora.json"))["root"]["name"] == "LoRA"
    assert written("other.txt", "--format", "mermaid").startswith("flowchart")
    assert "{{LoRA: Low-Rank Adapt" in written("lora.bib"), "the paper that introduces the root"
    done = stemma("lineage", "LoRA", "-s", example_store, "-o", str(tmp_path / "lora.pdf"))
    assert done.returncode == 2
    assert "unknown file extension '.pdf'" in done.stderr
    assert not (tmp_path / "lora.pdf").exists()


def test_an_empty_name_is_called_so(example_store: str) -> None:
    done = stemma("lineage", " ", "--store", example_store)
    assert (done.returncode, done.stderr.strip()) == (1, "error: The name is empty.")


def test_a_name_in_another_encoding_is_refused(example_store: str) -> None:
    for command in ("show", "search"):
        done = stemma(command, "\udcff\udcfe", "-s", example_store)
        assert (done.returncode, done.stderr.strip()) == (2, "error: an argument is not in UTF-8")


def test_lineage_and_export_name_each_other_for_their_formats(example_store: str) -> None:
    def refused(*arguments: str) -> str:
        done = stemma(*arguments, "-s", example_store)
        assert done.returncode == 2
        return " ".join(done.stderr.replace("│", " ").split())

    assert "stemma lineage draws pictures" in refused("export", "-o", "a.svg")
    assert "stemma export --of NAME" in refused("lineage", "LoRA", "-o", "a.csv")


def test_a_relation_may_be_written_in_words(example_store: str) -> None:
    def edges(relation: str) -> str:
        chosen = ("--relation", relation, "-s", example_store, "-f", "json")
        return answer("lineage", "ZeRO-Infinity", *chosen)

    assert edges("improves on") == edges("improves-on") == edges("IMPROVES_ON")
    done = stemma("lineage", "ZeRO-Infinity", "--relation", "BUILD_ON", "-s", example_store)
    assert done.returncode == 2
    assert "BUILDS_ON?" in done.stderr


def test_a_work_is_not_compared_with_itself(example_store: str) -> None:
    done = stemma("compare", "LoRA", "lora", "-s", example_store)
    assert done.returncode == 2
    assert "are the same, " in done.stderr


def test_an_unknown_name_is_an_error_that_suggests_the_nearest(example_store: str) -> None:
    done = stemma("lineage", "ZeRO-Infinty", "--store", example_store)
    assert done.returncode == 1
    assert "ZeRO-Infinity" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_store_says_how_to_make_one(tmp_path: Path) -> None:
    done = stemma("show", cwd=tmp_path)
    assert done.returncode == 1
    assert "stemma build" in done.stderr
    assert not (tmp_path / "stemma.db").exists()


def test_of_a_cut_off_file_of_extractions_what_stands_before_the_cut_is_loaded(
    tmp_path: Path,
) -> None:
    paper = {"title": "Nibbler", "abstract": "We present Nibbler, which builds on PyTorch."}
    (tmp_path / "papers.json").write_text(json.dumps(paper))
    answer("extract", "papers.json", "--fast", "-o", "out.jsonl.gz", cwd=tmp_path)
    whole = tmp_path / "out.jsonl.gz"
    (tmp_path / "cut.jsonl.gz").write_bytes(whole.read_bytes()[:-8])
    done = stemma("load", "cut.jsonl.gz", "nowhere.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 paper added" in done.stdout
    assert "cut.jsonl.gz: cut off or damaged" in done.stderr
    assert "nowhere.jsonl: cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_usage_has_status_two() -> None:
    assert stemma("lineage").returncode == 2
    assert stemma("show", "--no-such-option").returncode == 2
    wrong = stemma("lineage", "LoRA", "--direction", "up")
    assert wrong.returncode == 2
    assert "Invalid value for '--direction': 'up' is not one of" in wrong.stderr


def test_the_list_of_commands_says_what_each_says_first() -> None:
    listed = " ".join(answer("--help").split())
    for command in COMMANDS:
        explained = answer(command, "--help").split("\n\n")
        assert f" {command} {' '.join(explained[1].split())} " in f"{listed} "


@pytest.mark.parametrize("command", [(), *([each] for each in COMMANDS)], ids=" ".join)
def test_help_cuts_nothing_in_a_narrow_terminal(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def words(width: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        return answer(*command, "--help").split()

    assert words(80) == words(400)


def test_what_fast_costs_is_reported_with_the_measured_figures() -> None:
    page = (EXAMPLES.parent / "docs" / "extraction.md").read_text("utf-8")
    rows = [re.split(r" *\| *", line)[1:-1] for line in page.splitlines() if line[:1] == "|"]
    (names,) = (row for row in rows if row[0].startswith("F1"))
    fast, whole = (
        dict(zip(names, row, strict=True))
        for row in rows
        if row[0] in ("with the network", "rules alone (`--fast`)")
    )
    told = " ".join(re.findall(r"[\w.]+", answer("build", "--help")))
    for name in ("entities", "relations", "lineage"):
        assert f"from {float(whole[name]):.2f} to {fast[name]} for {name}" in told


@pytest.mark.process
def test_a_terminal_without_utf8_gets_what_it_has_characters_for(example_store):
    command = [sys.executable, "-m", "stemma.server", "lineage", "LoRA", "--store", example_store]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"AdaLoRA" in done.stdout
    assert rb"\u201cLoRA gives each weight matrix" in done.stdout
