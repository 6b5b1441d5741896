"""A model goes on to learn from annotations: what is shipped is read back, trained, written."""

# ruff: noqa: E402

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training is not installed: make .venv/model")

from stemma.extract import Extractor, ModelError, TrainedModel
from stemma.extract.encoder.network import RELATIONS, Network, RelationScores
from stemma.extract.encoder.trained_model import FILES, SHIPPED
from stemma.schema import Extraction, Paper, RelationType
from training.__main__ import main
from training.annotated import Annotated
from training.calibration import fit_calibration
from training.course import TrainingStages, tuning
from training.export import export
from training.readers import read_annotations
from training.reading import Reading, read
from training.restore import restore

pytestmark = pytest.mark.slow
NAMES = ["Heron", "Osprey", "Tern", "Plover"]


def annotation(name: str) -> dict[str, Any]:
    """An annotation with everything but lineage."""
    kinds = {name: "framework", "Adam": "technique", "GPU": "hardware", "ImageNet": "dataset"}
    types = {name: "INTRODUCES", "Adam": "USES", "GPU": "RUNS_ON", "ImageNet": "EVALUATED_ON"}
    return {
        "title": f"{name}: Training with Less Memory",
        "entities": [{"name": n, "kind": k, "mentions": [n]} for n, k in kinds.items()],
        "relations": [
            {"type": t, "entity": n, "evidence": abstract(name).partition(".")[0]}
            for n, t in types.items()
        ],
    }


def abstract(name: str) -> str:
    return f"We present {name}, which keeps the states of Adam on a GPU. We test it on ImageNet."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with invented papers and their annotations."""
    lines = [annotation(name) for name in NAMES]
    papers = [{"title": each["title"], "abstract": abstract(name)}
              for name, each in zip(NAMES, lines, strict=True)]  # fmt: skip
    for file, records in ("gold.jsonl", lines), ("papers.jsonl", papers):
        (tmp_path / file).write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return tmp_path


@pytest.fixture
def papers(folder: Path) -> list[Annotated]:
    found: list[Annotated] = [
        *read_annotations(folder / "gold.jsonl", [folder / "papers.jsonl"], pytest.fail)
    ]
    assert len(found) == len(NAMES)
    return found


def test_what_is_shipped_is_exported_again_from_the_restored_network(
    tmp_path: Path, papers: list[Annotated]
) -> None:
    network = restore(SHIPPED)
    export(network, range(network.encoder.piece.num_embeddings), tmp_path)
    with np.load(SHIPPED / "embeddings.npz") as ours, np.load(tmp_path / "embeddings.npz") as again:
        assert (ours["piece"] == again["piece"]).all()
    shutil.copy(SHIPPED / "vocabulary.json", tmp_path)
    for ours, again in zip(
        *(read(Network(each), papers) for each in (SHIPPED, tmp_path)), strict=True
    ):
        assert [each.keys() for each in ours.groups] == [each.keys() for each in again.groups]
        for expected, scores in zip(ours.related, again.related, strict=True):
            assert scores == pytest.approx(expected, abs=1e-3)


def test_weights_are_placed_within_their_steps_by_chance() -> None:
    one, other = (restore(SHIPPED, seed).state_dict() for seed in (1, 2))
    for name in ("encoder.piece", "encoder.layers.0.up", "spans.begins", "relater.mention"):
        a, b = one[f"{name}.weight"], other[f"{name}.weight"]
        assert not torch.equal(a, b), name
        assert torch.equal(a.abs().amax(1), b.abs().amax(1)) or name == "relater.mention"


def test_a_folder_with_another_network_cannot_be_restore(tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(SHIPPED / name, tmp_path)
    shutil.copy(SHIPPED / "reader.onnx", tmp_path / "relater.onnx")
    with pytest.raises(ModelError, match="cannot be trained"):
        restore(tmp_path)


def ended(folder: Path, *arguments: str) -> object:
    """Run a command in a folder, and return its exit code, or the reason why it failed."""
    with pytest.raises(SystemExit) as end, contextlib.chdir(folder):
        main(list(arguments))
    return end.value.code


TUNE = ("tune", "gold.jsonl", "papers.jsonl", "-o", "my-model")


@pytest.mark.long
def test_a_model_is_trained_and_then_read_with(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(folder, *TUNE) == 0
    printed = capsys.readouterr()
    rows = {line.split()[0]: line.split()[1:] for line in printed.out.splitlines()}
    assert rows["F1"] == ["before", "after", "gold"]
    assert rows["INTRODUCES"][2] == str(len(NAMES))
    assert "BUILDS_ON" not in rows
    assert "takes 100 papers" in printed.err
    model = TrainedModel.read(folder / "my-model")
    description = json.loads((folder / "my-model" / "model.json").read_bytes())["training"]
    assert description == {"from": TrainedModel.read(SHIPPED).fingerprint, "papers": len(NAMES)}
    paper = Paper("paper/heron", annotation("Heron")["title"], abstract("Heron"))
    (extraction,) = Extractor(model=model).extract([paper])
    assert isinstance(extraction, Extraction)
    first = extraction.relations[0]
    assert (first.type, first.entity) == (RelationType.INTRODUCES, "Heron")
    assert "already exists" in str(ended(folder, *TUNE))


def test_too_few_papers_are_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "papers.jsonl").write_text("")
    assert "at least 3" in str(ended(folder, *TUNE))
    reported = capsys.readouterr().err
    assert "gold.jsonl:4: none of the papers has this title: Plover" in reported
    assert not (folder / "my-model").exists()


@pytest.fixture
def no_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the shipped model in place of those that are trained, which takes seconds less."""

    def export(network: object, kept: object, folder: Path) -> None:
        shutil.copytree(SHIPPED, folder, dirs_exist_ok=True)

    monkeypatch.setattr("training.course.export", export)


@pytest.mark.long
@pytest.mark.usefixtures("no_graphs")
def test_a_training_that_was_stopped_continues(folder: Path, papers: list[Annotated]) -> None:
    told: list[str] = []

    def progress(text: str) -> None:
        told.append(text)
        if is_stopping and text.startswith("fold-1: step"):
            raise KeyboardInterrupt

    def learnt() -> list[str]:
        return [text.partition(":")[0] for text in told if "learning" in text]

    last = tuning(TrainingStages(folder / "kept", progress), TrainedModel.read(SHIPPED))
    is_stopping = True
    with pytest.raises(KeyboardInterrupt):
        last.readings(papers)
    assert learnt() == ["fold-0", "fold-1"]
    told.clear()
    is_stopping = False
    readings = last.readings(papers)
    assert [each.paper for each in readings] == papers
    assert learnt() == ["fold-1", "fold-2"]


def readings(papers: list[Annotated]) -> Iterator[Reading]:
    """More papers than there are, with probabilities by chance."""
    chance = np.random.default_rng(1)
    for paper, groups, related in read(Network(SHIPPED), papers) * 10:
        scores = (chance.random(each.shape) for each in related)
        yield Reading(paper, groups, RelationScores(*scores))


def test_a_relation_that_is_seldom_annotated_keeps_its_threshold(papers: list[Annotated]) -> None:
    shipped = Network(SHIPPED).calibration
    own = fit_calibration(list(readings(papers)), shipped)
    for each in RelationType:
        kept = own.curves[each] == shipped.curves[each]
        assert kept == (each in {"BUILDS_ON", "IMPROVES_ON", "COMPARES_WITH", "MENTIONS"}), each
        if kept and each in own.relation_thresholds:
            assert own.relation_thresholds[each] == shipped.relation_thresholds[each]
    assert set(own.curves) == set(RELATIONS)
