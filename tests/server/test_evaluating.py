"""The command that measures the extraction."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from command import stemma

TITLE = "Nibbler: Training Large Models in Small Bites"
PAPER = {
    "title": TITLE,
    "abstract": "We present Nibbler, a training framework. It runs on NVIDIA A100 GPUs.",
}
GOLD = {
    "title": TITLE,
    "entities": [
        {"name": "Nibbler", "kind": "framework", "mentions": ["Nibbler"]},
        {"name": "Vapour", "kind": "dataset", "mentions": ["Vapour"]},
    ],
    "relations": [
        {"type": "INTRODUCES", "entity": "Nibbler", "evidence": "We present Nibbler"},
        {"type": "EVALUATED_ON", "entity": "Vapour", "evidence": "It holds on Vapour."},
    ],
}


@pytest.fixture
def gold(tmp_path) -> Path:
    (tmp_path / "papers.jsonl").write_text(json.dumps(PAPER))
    file = tmp_path / "gold.jsonl"
    file.write_text(json.dumps(GOLD))
    return file


def run(gold: Path, *options: str) -> CompletedProcess[str]:
    return stemma("evaluate", gold.name, "papers.jsonl", *options, cwd=gold.parent)


def test_figures_and_calibration_are_printed(gold):
    done = run(gold)
    assert done.returncode == 0, done.stderr
    figures = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line}
    assert figures["dataset"] == ["0.000", "0.000", "0.000", "1"]
    assert figures["framework"][1] == "1.000"
    assert "expected calibration error" in done.stdout
    data = json.loads(run(gold, "--format", "json").stdout)
    assert (data["papers"], data["missing"], "errors" in data) == (1, [], False)
    assert data["figures"]["dataset"]["missed"] == data["figures"]["INTRODUCES"]["recall"] == 1
    bins = sum(each["statements"] for each in data["calibration"]["bins"])
    assert data["calibration"]["statements"] == bins


def test_errors_are_listed_where_they_are_asked_for(gold):
    said = run(gold, "--errors").stdout
    assert "missed dataset: Vapour" in said
    assert "gold: “It holds on Vapour.”" in said
    first, *_ = json.loads(run(gold, "--errors", "--format", "json").stdout)["errors"]
    assert (first["title"], first["sort"], first["entity"]) == (TITLE, "missed entity", "Vapour")


def test_papers_that_are_not_there_are_named(gold):
    absent = {**GOLD, "title": "Nowhere To Be Found"}
    gold.write_text(f"{json.dumps(GOLD)}\n{json.dumps(absent)}\nnot JSON\n")
    done = run(gold)
    assert done.returncode == 0
    assert "Nowhere To Be Found" in done.stderr
    assert "gold.jsonl:3" in done.stderr
    gold.write_text(json.dumps(absent))
    assert run(gold).returncode == 1
