"""The setting that takes another trained model than the shipped one."""

import json
import shutil
from pathlib import Path

import pytest

from command import answer, refused
from stemma.extract.encoder.trained_model import SHIPPED

PAPER = {
    "title": "Nibbler: Training Large Models in Small Bites",
    "abstract": "We present Nibbler, a training framework. It is faster than DeepSpeed on an A100.",
}


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


def test_what_is_no_model_is_refused_and_rules_alone_take_none(folder):
    configure(folder)
    for option, named in (("--fast", "--fast"), ("-j1", "reader.onnx")):
        for command in ("build", "extract"):
            assert named in refused(command, "papers.jsonl", option, cwd=folder, status=2)
        (folder / "my-model" / "reader.onnx").unlink(missing_ok=True)
    assert not (folder / "stemma.db").exists()
