"""A model goes on to learn from annotations: what is shipped is read back, trained, written."""

# ruff: noqa: E402

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training is not installed: make .venv/model")

from command import answer, stemma
from stemma.extract import ModelError, TrainedModel
from stemma.extract.encoder.network import RELATIONS, Network, RelationScores
from stemma.extract.encoder.trained_model import FILES, SHIPPED
from stemma.extract.encoder.training import finetuning
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.calibrating import fit_calibration
from stemma.extract.encoder.training.export import export
from stemma.extract.encoder.training.finetuning import FineTuning
from stemma.extract.encoder.training.measuring import Reading, read
from stemma.extract.encoder.training.own_papers import own_papers
from stemma.extract.encoder.training.restoring import restored
from stemma.extract.encoder.training.torch_network import StemmaNetwork
from stemma.schema import RelationType

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
        (tmp_path / file).write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return tmp_path


@pytest.fixture
def papers(folder: Path) -> list[Annotated]:
    found: list[Annotated] = [
        *own_papers(folder / "gold.jsonl", [folder / "papers.jsonl"], pytest.fail)
    ]
    assert len(found) == len(NAMES)
    return found


def test_what_is_shipped_is_exported_again_from_the_restored_network(
    tmp_path: Path, papers: list[Annotated]
) -> None:
    network = restored(SHIPPED)
    export(network, range(network.encoder.piece.num_embeddings), tmp_path)
    with np.load(SHIPPED / "embeddings.npz") as ours, np.load(tmp_path / "embeddings.npz") as again:
        assert (ours["piece"] == again["piece"]).all()
    shutil.copy(SHIPPED / "vocabulary.json", tmp_path)
    for ours, again in zip(
        *(read(Network(each), papers) for each in (SHIPPED, tmp_path)), strict=True
    ):
        assert [each.spans.keys() for each in ours.groups] == [
            each.spans.keys() for each in again.groups
        ]
        for expected, scores in zip(ours.related, again.related, strict=True):
            assert scores == pytest.approx(expected, abs=1e-3)


def test_weights_are_placed_within_their_steps_by_chance() -> None:
    one, other = (restored(SHIPPED, seed).state_dict() for seed in (1, 2))
    for name in ("encoder.piece", "encoder.layers.0.up", "spans.begins", "relater.mention"):
        a, b = one[f"{name}.weight"], other[f"{name}.weight"]
        assert not torch.equal(a, b), name
        assert torch.equal(a.abs().amax(1), b.abs().amax(1)) or name == "relater.mention"


def test_a_folder_with_another_network_cannot_be_restored(tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(SHIPPED / name, tmp_path)
    shutil.copy(SHIPPED / "reader.onnx", tmp_path / "relater.onnx")
    with pytest.raises(ModelError, match="cannot be trained"):
        restored(tmp_path)


def test_a_model_is_trained_and_then_read_with(folder: Path) -> None:
    printed = answer("train", "gold.jsonl", "papers.jsonl", "-o", "my-model", cwd=folder)
    rows = {line.split()[0]: line.split()[1:] for line in printed.splitlines()}
    assert rows["INTRODUCES"][2] == str(len(NAMES))
    assert "lineage" not in rows
    assert {each.name for each in folder.iterdir()} == {"gold.jsonl", "papers.jsonl", "my-model"}
    description = json.loads((folder / "my-model" / "model.json").read_bytes())["training"]
    assert description["papers"] == len(NAMES)
    assert description["from"] == TrainedModel.read(SHIPPED).fingerprint
    assert description["own calibration"] is False
    option = ("--trained-model", "my-model")
    found = json.loads(answer("extract", "papers.jsonl", *option, cwd=folder).splitlines()[0])
    assert {"type": "INTRODUCES", "entity": "Heron"}.items() <= found["relations"][0].items()


@pytest.fixture
def no_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the shipped model in place of those that are trained, which takes seconds less."""

    def export(self: FineTuning, network: StemmaNetwork, folder: Path) -> None:
        shutil.copytree(SHIPPED, folder, dirs_exist_ok=True)

    monkeypatch.setattr(FineTuning, "export", export)


@pytest.mark.usefixtures("no_graphs")
def test_a_former_model_alone_is_replaced(folder: Path) -> None:
    command = ("train", "gold.jsonl", "papers.jsonl", "-o", "my-model")
    (folder / "my-model").mkdir()
    assert stemma(*command, cwd=folder).returncode == 0
    done = stemma(*command, cwd=folder)
    assert done.returncode == 1
    assert "already exists" in done.stderr
    done = stemma(*command, "--force", cwd=folder)
    assert done.returncode == 0
    assert "takes 100 papers" in done.stderr
    (folder / "my-model" / "model.json").unlink()
    assert stemma(*command, "--force", cwd=folder).returncode == 1


def test_too_few_papers_are_an_error(folder: Path) -> None:
    (folder / "papers.jsonl").write_text("")
    done = stemma("train", "gold.jsonl", "papers.jsonl", "-o", "my-model", cwd=folder)
    assert done.returncode == 1
    assert "gold.jsonl:4: none of the papers has this title: Plover" in done.stderr
    assert "at least 3" in done.stderr
    assert not (folder / "my-model").exists()


@pytest.mark.usefixtures("no_graphs")
def test_a_training_that_was_stopped_continues(folder: Path, papers: list[Annotated]) -> None:
    told: list[str] = []
    model = TrainedModel.read(SHIPPED)

    def training() -> FineTuning:
        return FineTuning(folder / "kept", told.append, model=model, papers=papers)

    def stop(step: int, steps: int) -> None:
        if "fold-1" in told[-1]:
            raise KeyboardInterrupt

    stopped = training()
    stopped.on_step = stop
    with pytest.raises(KeyboardInterrupt):
        list(stopped.folds(papers))
    assert [each.partition(":")[0] for each in told if "learning" in each] == ["fold-0", "fold-1"]
    told.clear()
    assert len(list(training().folds(papers))) == len(papers)
    assert [each.partition(":")[0] for each in told if "learning" in each] == ["fold-1", "fold-2"]

    papers.reverse()
    training()
    assert [each.name for each in (folder / "kept").iterdir()] == ["inputs.txt"]


def test_progress_counts_the_steps_of_all_networks(folder: Path, papers: list[Annotated]) -> None:
    steps: list[tuple[int, int]] = []
    training = FineTuning(
        folder / "kept",
        lambda text: None,
        on_step=lambda step, total: steps.append((step, total)),
        model=TrainedModel.read(SHIPPED),
        papers=papers * 12,
    )
    training.finished("fold-0", papers * 8)
    training.finished("fold-1", papers * 8)
    assert steps == [(step, 27) for step in range(1, 13)]


def test_a_stop_leaves_no_half_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: FineTuning, folder: Path) -> None:
        (folder / "half").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(finetuning.FineTuning, "write", stop)
    done = stemma("train", "gold.jsonl", "papers.jsonl", "-o", "my-model", cwd=folder)
    assert done.returncode != 0
    assert "The same command continues" in done.stderr
    assert not (folder / "my-model").exists()


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
