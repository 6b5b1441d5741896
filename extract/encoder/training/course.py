"""The course of training: which networks learn from which papers, and for how long.

Teachers come first: three larger networks learn from the annotated papers, and read all papers,
annotated or not. Three more learn from what the first ones say as well (Furlanello et al.,
Born-Again Neural Networks, 2018), and what they say goes into `taught.npz`. The network that is
shipped learns from annotations and teachers, rounding numbers as the runtime does, and last from
the gold. Its effect is measured by cross-validation: networks trained on two thirds of the gold
read the rest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from stemma.extract.encoder.pieces import Vocabulary
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.augmentation import Augmentation
from stemma.extract.encoder.training.batch import TAUGHT, Example
from stemma.extract.encoder.training.export import cut_vocabulary, export
from stemma.extract.encoder.training.learning import Rates
from stemma.extract.encoder.training.material import Material
from stemma.extract.encoder.training.measuring import Reading
from stemma.extract.encoder.training.pretrained import Pretrained
from stemma.extract.encoder.training.staged import Training
from stemma.extract.encoder.training.taught import TaughtPapers, write_taught
from stemma.extract.encoder.training.teaching import teach
from stemma.extract.encoder.training.torch_network import StemmaNetwork
from stemma.extract.evaluation.annotation_key import annotation_key

EPOCHS_OF_STUDENT = 58
_TEACHERS = 3
_HEIRS = (0.4, 0.55, 0.7)
"""How much the first teachers count for each of the second ones, beside an annotation."""
_GUIDED = 0.86
"""The share of the training in which the groups are those that teachers see."""


@dataclass
class Course(Training):
    """The whole course, from pretrained encoders on. `epochs` are those of the longest stage."""

    epochs: float = EPOCHS_OF_STUDENT

    def __post_init__(self) -> None:
        """Find the pretrained encoder and the papers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pretrained = Pretrained.installed()
        self.vocabulary = Vocabulary(self.pretrained.tokenizer)
        self.material = Material.default()

    @cached_property
    def _conferences(self) -> list[Example]:
        return self.examples(self.material.more_papers())

    @cached_property
    def _systems(self) -> list[Example]:
        return self.examples(self.material.systems_papers())

    @cached_property
    def _gold(self) -> list[Annotated]:
        return self.material.papers()

    @cached_property
    def papers(self) -> list[Example]:
        """All papers but those of the gold."""
        others = self.examples(self.material.unannotated_papers())
        return [*self._conferences, *self._systems, *others]

    def network(self) -> StemmaNetwork:
        """Return the network trained on annotations, teachers and all of the gold."""
        return self.finished("whole", self._gold)

    def readings(self) -> Iterator[Reading]:
        """Yield what is read in the papers of the gold."""
        return self.folds(self._gold)

    def export(self, network: StemmaNetwork, folder: Path) -> None:
        """Write a network as it is shipped."""
        folder.mkdir(exist_ok=True)
        export(network, cut_vocabulary(self.pretrained.tokenizer, self._words(), folder), folder)

    def _words(self) -> Iterator[str]:
        """Yield the words of all papers, for the vocabulary that is shipped."""
        for each in self.papers:
            yield from each.document.words

    def start(self) -> StemmaNetwork:
        """Return the network trained on annotations and teachers."""

        def papers() -> list[Example]:
            self._take(TaughtPapers())
            return [*self.papers, *self._systems]

        def first() -> StemmaNetwork:
            network = StemmaNetwork()
            network.encoder.load_pretrained(self.pretrained.state())
            rates = Rates(2e-4, 1e-3)
            return self.learnt("exact", network, papers(), epochs=3, rates=rates, size=64, guided=1)

        def second() -> StemmaNetwork:
            network = self.kept("exact", first, StemmaNetwork())
            network.round_to_int8()
            return self.learnt(
                "rounded",
                network,
                papers(),
                epochs=self.epochs,
                rates=Rates(3e-4, 1.2e-3),
                size=96,
                guided=_GUIDED,
                augmentation=replace(Augmentation.of(self.papers), changed=0.6, masked=0.1),
            )

        network = self.kept("rounded", second, StemmaNetwork())
        network.round_to_int8()
        return network

    def teach(self, file: Path) -> None:
        """Train the teachers, and write to `file` what they say of all papers."""
        first = self.folder / "first-taught.npz"
        if not first.exists():
            self._write([self._teacher(number) for number in range(_TEACHERS)], first)
        taught = TaughtPapers(first)
        self._write([self._heir(number, taught) for number in range(len(_HEIRS))], file)

    def _write(self, teachers: Sequence[StemmaNetwork], file: Path) -> None:
        self.progress(f"the teachers read {len(self.papers)} papers")
        write_taught(
            (
                (annotation_key(example.paper.paper.title), example.words, taught)
                for example, taught in teach(teachers, self.papers, self.preferred)
            ),
            file,
        )

    def _take(self, taught: TaughtPapers, share: float = TAUGHT) -> None:
        """Let all papers be taught by what is held, which counts `share` beside annotations."""
        for each in self.papers:
            each.taught = taught.get(annotation_key(each.paper.paper.title), each.words)
            each.share = share
        count = sum(each.taught is not None for each in self.papers)
        self.progress(f"{len(self.papers)} papers, {count} of which teachers have read")

    def _heir(self, number: int, taught: TaughtPapers) -> StemmaNetwork:
        """Return a teacher that has learned from what the first ones say."""
        network = StemmaNetwork(size=768, layers=12, relative=True)

        def train() -> StemmaNetwork:
            network.encoder.load_pretrained(self.pretrained.larger())
            self._take(taught, _HEIRS[number])
            return self.learnt(
                f"heir-{number}",
                network,
                [*self.papers, *self._systems],
                epochs=5,
                rates=Rates(9e-5, 8e-4),
                size=64,
                seed=number,
                guided=1,
                augmentation=Augmentation.of(self.papers),
            )

        return self.kept(f"heir-{number}", train, network)

    def _teacher(self, number: int) -> StemmaNetwork:
        network = StemmaNetwork(size=768, layers=12, relative=True)
        rates = Rates(7e-5, 7e-4)

        def first() -> StemmaNetwork:
            network.encoder.load_pretrained(self.pretrained.larger())
            name = f"teacher-{number}-first"
            return self.learnt(name, network, self._conferences, epochs=1, rates=rates, seed=number)

        def second() -> StemmaNetwork:
            start = self.kept(f"teacher-{number}-first", first, network)
            papers = [*self._conferences, *self._systems, *self._systems]
            name = f"teacher-{number}"
            return self.learnt(name, start, papers, epochs=2, rates=rates, seed=number)

        return self.kept(f"teacher-{number}", second, network)
