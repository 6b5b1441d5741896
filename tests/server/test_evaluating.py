"""The command that measures the extraction, and a setting that takes another trained model."""

import json
import shutil
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from command import answer, refused, stemma
from stemma.extract.encoder.trained_model import SHIPPED

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
    data = json.loads(run(gold, "--errors", "--format", "json").stdout)
    assert (data["papers"], data["missing"]) == (1, [])
    first, *_ = data["errors"]
    assert (first["title"], first["label"], first["entity"]) == (TITLE, "missed dataset", "Vapour")
    assert data["figures"]["dataset"]["missed"] == data["figures"]["INTRODUCES"]["recall"] == 1
    bins = sum(each["statements"] for each in data["calibration"]["bins"])
    assert data["calibration"]["statements"] == bins


def test_errors_are_listed_and_papers_that_are_not_there_named(gold):
    absent = {**GOLD, "title": "Nowhere To Be Found"}
    gold.write_text(f"{json.dumps(GOLD)}\n{json.dumps(absent)}\nnot JSON\n")
    done = run(gold, "--errors")
    assert done.returncode == 0
    assert "missed dataset: Vapour" in done.stdout
    assert "gold: “It holds on Vapour.”" in done.stdout
    assert "Nowhere To Be Found" in done.stderr
    assert "gold.jsonl:3" in done.stderr
    gold.write_text(json.dumps(absent))
    assert run(gold).returncode == 1


# Another model.


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with a paper, and with a model that is never sure enough of a relation."""
    (tmp_path / "papers.jsonl").write_text(json.dumps(PAPER))
    file = shutil.copytree(SHIPPED, tmp_path / "my-model") / "calibration.json"
    calibration = json.loads(file.read_bytes())
    thresholds = calibration["relation_thresholds"]
    calibration["relation_thresholds"] = dict.fromkeys(thresholds, 1.1)
    file.write_text(json.dumps(calibration))
    return tmp_path


def configure(folder: Path) -> None:
    """Name the model in the settings of the folder."""
    (folder / "stemma.toml").write_text('[build]\ntrained-model = "my-model"\n')


def test_an_extraction_with_another_model_differs_and_says_so(folder):
    build = ("build", "papers.jsonl")
    shipped = json.loads(answer("extract", "papers.jsonl", cwd=folder))
    assert "1 paper added" in answer(*build, cwd=folder)
    configure(folder)
    assert "1 updated" in answer(*build, cwd=folder), "what was read is read again"
    assert "Nothing new" in answer(*build, cwd=folder)
    own = json.loads(answer("extract", "papers.jsonl", cwd=folder))
    assert "INTRODUCES" in {each["type"] for each in shipped["relations"]}
    assert {each["type"] for each in own["relations"]} == {"MENTIONS"}
    assert own["extractor"] != shipped["extractor"]


def test_what_is_no_model_is_refused(folder):
    configure(folder)
    (folder / "my-model" / "reader.onnx").unlink()
    for command in ("build", "extract"):
        assert "reader.onnx" in refused(command, "papers.jsonl", cwd=folder, status=2)
    assert not (folder / "stemma.db").exists()
