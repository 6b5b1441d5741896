"""Trained models: another one than the shipped is used, and has another fingerprint."""

import json
import shutil
from pathlib import Path

import pytest
import spacy

import pipelines
from stemma.extract import Extractor, ModelError, TrainedModel, extractor_fingerprint, load
from stemma.extract.encoder.trained_model import DESCRIPTION, FILES, SHIPPED, save_description
from stemma.extract.pipeline import CONFIG
from stemma.schema import Extraction, Paper

PAPER = Paper(
    "paper/heron",
    "Heron: Training with Less Memory",
    "We present Heron, which extends Kelpie. Heron is 2x faster than DeepSpeed on an A100.",
)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the shipped model."""
    return shutil.copytree(SHIPPED, tmp_path / "my-model")


def change(folder: Path) -> Path:
    """Let a model state nothing but that it is sure of."""
    file = folder / "calibration.json"
    calibration = json.loads(file.read_bytes())
    thresholds = calibration["relation_thresholds"]
    calibration["relation_thresholds"] = dict.fromkeys(thresholds, 0.999)
    file.write_text(json.dumps(calibration))
    return folder


def read(extractor: Extractor, processes: int = 1) -> Extraction:
    found, *_ = extractor.extract([PAPER] * (1 if processes == 1 else 40), processes)
    assert isinstance(found, Extraction)
    return found


def test_a_copy_of_the_shipped_model_reads_the_same(copied: Path) -> None:
    own = Extractor(model=TrainedModel.read(copied))
    assert read(own) == read(pipelines.extractor())
    assert own.fingerprint == extractor_fingerprint()


def test_a_model_that_was_replaced_is_not_read_with(copied: Path) -> None:
    own = Extractor(model=TrainedModel.read(copied))
    change(copied)
    with pytest.raises(ModelError, match="holds a different model"):
        read(own)


@pytest.mark.long
def test_all_processes_read_with_it(copied: Path) -> None:
    own = Extractor(model=TrainedModel.read(change(copied)))
    assert read(own, processes=2) == read(own)


def test_every_file_counts_for_the_fingerprint_but_not_how_a_model_was_trained(copied: Path):
    save_description(copied, {"papers": 400})
    ours, shipped = (json.loads((each / DESCRIPTION).read_bytes()) for each in (copied, SHIPPED))
    assert ours["network"] == shipped["network"], "that of this version"
    prints = {TrainedModel.read(SHIPPED).fingerprint}
    assert TrainedModel.read(copied).fingerprint in prints
    for name in FILES:
        with (copied / name).open("ab") as file:
            file.write(b"\n")
        prints.add(TrainedModel.read(copied).fingerprint)
    assert len(prints) == 1 + len(FILES)


@pytest.mark.parametrize("by", ["config", "argument, and saved"])
def test_pipelines_take_it(copied: Path, tmp_path: Path, by: str) -> None:
    folder = change(copied)
    if by == "config":
        config, encoder = tmp_path / "own.cfg", 'factory = "stemma_encoder"\n'
        text = CONFIG.read_text("utf-8").replace(encoder, f'{encoder}model = "{folder}"\n')
        config.write_text(text)
        nlp = load(config=config)
    else:
        load(model=str(folder)).to_disk(tmp_path / "saved")
        nlp = spacy.load(tmp_path / "saved")
    types = {each.type.value for each in nlp(f"{PAPER.title}\n\n{PAPER.abstract}")._.relations}
    assert types and "COMPARES_WITH" not in types


def test_a_pipeline_without_the_encoder_takes_none(copied: Path, tmp_path: Path) -> None:
    config = tmp_path / "own.cfg"
    config.write_text('[nlp]\nlang = "en"\n\n[components]\n')
    with pytest.raises(ValueError, match="stemma_encoder"):
        load(config=config, model=copied)


def test_what_is_no_model_is_refused(copied: Path) -> None:
    def reason(path: Path) -> str:
        with pytest.raises(ModelError) as refused:
            TrainedModel.read(path)
        return str(refused.value)

    assert "is not a folder" in reason(copied / DESCRIPTION)
    (copied / DESCRIPTION).write_text("{}")
    assert "model.json is damaged" in reason(copied)
    save_description(copied)
    (copied / "relater.onnx").unlink()
    assert "it has no relater.onnx" in reason(copied)


def test_a_model_for_other_relations_is_refused(copied: Path) -> None:
    description = json.loads((copied / DESCRIPTION).read_bytes())
    description["stemma"] = "0.0.1"
    description["network"]["relations"].remove("USES")
    (copied / DESCRIPTION).write_text(json.dumps(description))
    with pytest.raises(ModelError, match=r"with Stemma 0\.0\.1.*\(relations\): train it again"):
        TrainedModel.read(copied)
    with pytest.raises(ModelError):
        load(model=copied)
