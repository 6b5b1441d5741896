"""The course of training: which networks learn from which papers, and for how long.

Teachers come first: three larger networks learn from the annotated papers, and read all papers,
annotated or not. Three more learn from what the first ones say as well (Furlanello et al.,
Born-Again Neural Networks, 2018), and what they say goes into `taught.npz`. The network that is
shipped learns from annotations and teachers, rounding numbers as the runtime does, and last from
the gold. Its effect is measured by cross-validation: networks trained on two thirds of the gold
read the rest.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import torch

from stemma.extract.encoder.grouping import preferred_forms
from stemma.extract.encoder.network import Network
from stemma.extract.encoder.paper_words import Vocabulary
from stemma.extract.encoder.trained_model import TrainedModel
from stemma.schema import Catalogue
from training.annotated import Annotated
from training.augmentation import Augmentation
from training.batch import TAUGHT, Example
from training.export import cut_vocabulary, export
from training.learning import Plan, learn, save
from training.network import StemmaNetwork
from training.papers import Papers
from training.pretrained import Pretrained
from training.reading import Reading, read
from training.restore import restore
from training.stored import Stored, write
from training.taught import FILE, Taught
from training.teaching import teach

FOLDS = 3
"""Parts of the annotated papers that are read by networks trained on the others."""
EPOCHS_OF_STUDENT = 58
_LAST = Plan(epochs=3, rates=(5e-5, 3e-4))
_TEACHERS = 3
_HEIRS = (0.4, 0.55, 0.7)
"""How much the first teachers count for the second ones, beside an annotation."""
_GUIDED = 0.86
"""The share of the training in which the groups are those that teachers see."""
Prepare = Callable[[StemmaNetwork], object]


@dataclass
class TrainingStages:
    """Trains in stages, and keeps the network after a stage in `folder`: what is there is not
    trained again."""

    folder: Path
    progress: Callable[[str], None] = print
    device: torch.device = field(
        default_factory=lambda: torch.device("cuda" if torch.cuda.is_available() else "cpu")
    )

    def __post_init__(self) -> None:
        """Make the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)

    @cached_property
    def preferred(self) -> dict[str, str]:
        """The preferred names of the catalogue; see `group`."""
        return preferred_forms(Catalogue.shipped())

    def learn(
        self,
        name: str,
        network: StemmaNetwork,
        prepare: Prepare,
        papers: Callable[[], Sequence[Example]],
        plan: Callable[[], Plan],
    ) -> StemmaNetwork:
        """Give `network` its weights after a stage. Where they are not kept, `prepare` gives it the
        weights that it learns from `papers` with."""
        file, checkpoint = self.folder / f"{name}.pt", self.folder / f"{name}.checkpoint"
        if not file.exists():
            prepare(network)
            examples = papers()
            self.progress(f"{name}: learning from {len(examples)} papers on {self.device}")
            learnt = learn(
                network.to(self.device),
                examples,
                self.preferred,
                plan(),
                checkpoint,
                lambda text: self.progress(f"{name}: {text}"),
            )
            save(learnt.state_dict(), file)
            checkpoint.unlink()
        network.load_state_dict(torch.load(file, weights_only=True, map_location="cpu"))
        network.to(self.device)
        return network


@dataclass
class LastStage:
    """Trains a network on annotated papers last. `start` gives a network the weights from before;
    `words` are those whose pieces the exported vocabulary has, None for all pieces."""

    stages: TrainingStages
    tokenizer: Path
    start: Prepare
    words: Callable[[], Iterable[str]] | None = None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The pieces that the network knows."""
        return Vocabulary(self.tokenizer)

    def train(self, name: str, papers: Sequence[Annotated], folder: Path) -> Network:
        """Train a network on `papers`, and export it into `folder`."""
        network = StemmaNetwork(len(self.vocabulary))
        network.round_to_int8()
        self.stages.learn(
            name, network, self.start, lambda: examples(papers, self.vocabulary), lambda: _LAST
        )
        folder.mkdir(parents=True, exist_ok=True)
        if self.words:
            kept: Sequence[int] = cut_vocabulary(self.tokenizer, self.words(), folder)
        else:
            shutil.copy(self.tokenizer, folder / "vocabulary.json")
            kept = range(len(self.vocabulary))
        export(network, kept, folder)
        return Network(folder, threads=0)

    def readings(self, papers: Sequence[Annotated]) -> list[Reading]:
        """Return the readings of papers, each by a network that is trained on the other thirds."""
        result: list[Reading] = []
        for fold in range(FOLDS):
            others = [each for k, each in enumerate(papers) if k % FOLDS != fold]
            folder = self.stages.folder / f"fold-{fold}"
            result += read(self.train(f"fold-{fold}", others, folder), papers[fold::FOLDS])
        order = {id(each): k for k, each in enumerate(papers)}
        return sorted(result, key=lambda each: order[id(each.paper)])


def tuning(stages: TrainingStages, model: TrainedModel) -> LastStage:
    """Return a last stage of training that begins with the weights of a trained model."""

    def start(network: StemmaNetwork) -> None:
        network.load_state_dict(restore(model.path).state_dict())

    return LastStage(stages, model.path / "vocabulary.json", start)


def examples(papers: Iterable[Annotated], vocabulary: Vocabulary) -> list[Example]:
    """Return the examples to train on: the words of papers that the network reads."""
    return [each for paper in papers if (each := Example.of(paper, vocabulary))]


@dataclass
class Course:
    """The whole course, from pretrained encoders on. `epochs` are those of the longest stage."""

    stages: TrainingStages
    epochs: float = EPOCHS_OF_STUDENT
    source: Papers = field(default_factory=Papers)

    def __post_init__(self) -> None:
        """Find the pretrained encoder."""
        self.pretrained = Pretrained.installed()
        self.vocabulary = Vocabulary(self.pretrained.tokenizer)

    def last_stage(self) -> LastStage:
        """Return the last stage, after which the network is shipped."""
        return LastStage(self.stages, self.pretrained.tokenizer, self._rounded, self._words)

    def _words(self) -> set[str]:
        return {word for each in self._papers for word in each.document.words}

    def teach(self, file: Path = FILE) -> None:
        """Train the teachers, and write to `file` what they say of all papers."""
        first = self.stages.folder / "first-taught.npz"
        if not first.exists():
            self._write([self._teacher(number) for number in range(_TEACHERS)], first)
        heirs = [self._heir(number, share, first) for number, share in enumerate(_HEIRS)]
        self._write(heirs, file)

    def larger_network(self) -> StemmaNetwork:
        """Return a network of the size of a teacher."""
        return StemmaNetwork(size=768, layers=12, relative=True)

    def load_larger(self, network: StemmaNetwork) -> None:
        """Give a teacher its pretrained weights."""
        network.encoder.load_pretrained(self.pretrained.larger())

    @cached_property
    def _conferences(self) -> list[Example]:
        return examples(self.source.conferences(), self.vocabulary)

    @cached_property
    def _systems(self) -> list[Example]:
        return examples(self.source.systems(), self.vocabulary)

    @cached_property
    def _papers(self) -> list[Example]:
        """All papers but those of the gold."""
        others = examples(self.source.unannotated(), self.vocabulary)
        return [*self._conferences, *self._systems, *others]

    def _taught(self, file: Path, share: float) -> list[Example]:
        """Return all papers, those on systems twice, with what teachers say of them, which counts
        `share` beside annotations."""
        stored = Stored(file)
        for each in self._papers:
            arrays = stored.get(each.paper)
            each.taught, each.share = Taught.of(arrays) if arrays else None, share
        count = sum(each.taught is not None for each in self._papers)
        self.stages.progress(f"{len(self._papers)} papers, {count} of which teachers have read")
        return [*self._papers, *self._systems]

    def _pretrained(self, network: StemmaNetwork) -> None:
        network.encoder.load_pretrained(self.pretrained.state())

    def _exact(self, network: StemmaNetwork) -> None:
        plan = Plan(epochs=3, rates=(2e-4, 1e-3), size=64, guided=1)
        self.stages.learn(
            "exact", network, self._pretrained, lambda: self._taught(FILE, TAUGHT), lambda: plan
        )

    def _rounded(self, network: StemmaNetwork) -> None:
        """Give a network what it learns from annotations and teachers."""

        def prepare(network: StemmaNetwork) -> None:
            network.round_to_int8(rounds=False)
            self._exact(network)
            network.round_to_int8()

        def plan() -> Plan:
            variants = Augmentation.of(self._papers, self.vocabulary, changed=0.6, masked=0.1)
            return Plan(self.epochs, (3e-4, 1.2e-3), 96, guided=_GUIDED, augmentation=variants)

        self.stages.learn("rounded", network, prepare, lambda: self._taught(FILE, TAUGHT), plan)

    def _teacher(self, number: int) -> StemmaNetwork:
        rates, name = (7e-5, 7e-4), f"teacher-{number}"

        def first(network: StemmaNetwork) -> None:
            self.stages.learn(
                f"{name}-first",
                network,
                self.load_larger,
                lambda: self._conferences,
                lambda: Plan(1, rates, seed=number),
            )

        return self.stages.learn(
            name,
            self.larger_network(),
            first,
            lambda: [*self._conferences, *self._systems, *self._systems],
            lambda: Plan(2, rates, seed=number),
        )

    def _heir(self, number: int, share: float, first: Path) -> StemmaNetwork:
        """Return a teacher that has learned from what the first ones say."""

        def plan() -> Plan:
            variants = Augmentation.of(self._papers, self.vocabulary)
            return Plan(5, (9e-5, 8e-4), 64, number, guided=1, augmentation=variants)

        return self.stages.learn(
            f"heir-{number}",
            self.larger_network(),
            self.load_larger,
            lambda: self._taught(first, share),
            plan,
        )

    def _write(self, teachers: Sequence[StemmaNetwork], file: Path) -> None:
        self.stages.progress(f"the teachers read {len(self._papers)} papers")
        said = teach(teachers, self._papers, self.stages.preferred)
        write(((example.paper, taught.arrays()) for example, taught in said), file)
