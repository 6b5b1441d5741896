"""Fine-tuning: a trained model that goes on to learn from annotated papers of a user."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from stemma.extract.encoder.network import Network
from stemma.extract.encoder.pieces import Vocabulary
from stemma.extract.encoder.trained_model import TrainedModel, save_description
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.calibrating import cross_validated, fit_calibration, stated
from stemma.extract.encoder.training.export import export, save_calibration
from stemma.extract.encoder.training.learning import steps_of
from stemma.extract.encoder.training.measuring import read
from stemma.extract.encoder.training.restoring import restored
from stemma.extract.encoder.training.staged import EPOCHS, FOLDS, Training
from stemma.extract.encoder.training.torch_network import StemmaNetwork
from stemma.extract.evaluation import Scores, evaluate
from stemma.extract.fingerprint import extractor_fingerprint
from stemma.schema import Extraction

LEAST_PAPERS = FOLDS
"""How few annotated papers can be cross-validated."""
ENOUGH_PAPERS = 100
"""From how many annotated papers on the calibration is fitted to them. With papers of the gold,
fitting to 50 changed F1 of relations by -0.010 on average and made confidences worse; to 100 it
changed F1 by -0.004, to 200 not at all, and confidences were better."""


class FineTuned(NamedTuple):
    """What came of it: F1 and so on of the model before, and of those that were trained on the
    other papers; whether the calibration is fitted to the papers."""

    before: Scores
    after: Scores
    own_calibration: bool


@dataclass
class FineTuning(Training):
    """Trains `model` on annotated `papers`. `on_step` hears of the steps of all networks."""

    model: TrainedModel = field(kw_only=True)
    papers: Sequence[Annotated] = field(kw_only=True)

    def __post_init__(self) -> None:
        """Count the steps of all networks: those of the folds, and that of all papers."""
        self._begin()
        self.vocabulary = Vocabulary(self.model.path / "vocabulary.json")
        count = len(self.papers)
        folds = (count - len(self.papers[fold::FOLDS]) for fold in range(FOLDS))
        total = sum(steps_of(papers, EPOCHS) for papers in (*folds, count))
        self._done, report = 0, self.on_step
        self.on_step = lambda step, steps: report(self._done + step, total)

    def _begin(self) -> None:
        """Make the folder; what it holds of a training on other papers is removed."""
        file, inputs = self.folder / "inputs.txt", self._inputs()
        if not file.exists() or file.read_text() != inputs:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            file.write_text(inputs)

    def _inputs(self) -> str:
        """Return a hash of all that decides what comes out."""
        digest = sha256(extractor_fingerprint(model=self.model.fingerprint).encode())
        for each in self.papers:
            texts = (each.paper.title, each.paper.abstract)
            digest.update(repr((texts, each.record, sorted(each.disputed))).encode())
        return digest.hexdigest()

    def start(self) -> StemmaNetwork:
        """Return the network of the model, with weights that can be trained."""
        return restored(self.model.path)

    def export(self, network: StemmaNetwork, folder: Path) -> None:
        """Write a network with the vocabulary of the model."""
        export(network, range(len(self.vocabulary)), folder)
        shutil.copy(self.model.path / "vocabulary.json", folder)

    def finished(self, name: str, papers: Sequence[Annotated]) -> StemmaNetwork:
        """Return the network, trained on papers."""
        network = super().finished(name, papers)
        self._done += steps_of(len(papers), EPOCHS)
        return network

    def write(self, folder: Path) -> FineTuned:
        """Write the model that has learned from all papers, and return what it is worth."""
        former = Network(self.model.path, threads=0)
        self.progress("measuring the model before")
        before = self._scores(
            stated(each, former.calibration) for each in read(former, self.papers)
        )
        of_paper = {id(each.paper): each for each in self.folds(self.papers)}
        readings = [of_paper[id(each)] for each in self.papers]
        enough = len(readings) >= ENOUGH_PAPERS
        if enough:
            self.progress("calibrating")
            calibration = fit_calibration(readings, former.calibration)
            found = cross_validated(readings, former.calibration)
        else:
            calibration = former.calibration
            found = (stated(each, calibration) for each in readings)
        result = FineTuned(before, self._scores(found), enough)
        self.export(self.finished("whole", self.papers), folder)
        save_calibration(calibration, folder)
        save_description(folder, self._description(result))
        return result

    def _scores(self, found: Iterable[Extraction]) -> Scores:
        return evaluate([each.record for each in self.papers], found).scores

    def _description(self, result: FineTuned) -> dict[str, Any]:
        """Return how the model was trained, for people to read."""
        rows = zip(result.before.figures(), result.after.figures(), strict=True)
        return {
            "from": self.model.fingerprint,
            "papers": len(self.papers),
            "own calibration": result.own_calibration,
            "F1 before and after": {
                before.name: [round(each.tally.f1, 3) for each in (before, after)]
                for before, after in rows
                if before.tally.gold
            },
        }
