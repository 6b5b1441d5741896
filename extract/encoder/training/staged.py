"""Trainings in stages, and the last one: from annotated papers that are measured as well."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import torch

from stemma.extract.encoder.grouping import preferred_forms
from stemma.extract.encoder.network import Network
from stemma.extract.encoder.pieces import Vocabulary
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.augmentation import Augmentation
from stemma.extract.encoder.training.batch import Example
from stemma.extract.encoder.training.learning import Rates, learn, save
from stemma.extract.encoder.training.measuring import Reading, read
from stemma.extract.encoder.training.torch_network import StemmaNetwork
from stemma.schema import Catalogue

FOLDS = 3
"""Parts of the annotated papers; each is read by a network trained on the others."""
EPOCHS = 3
_RATES = Rates(5e-5, 3e-4)


OnStep = Callable[[int, int], object]


def processor() -> torch.device:
    """Return what is trained on: an accelerator where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class Training(ABC):
    """Trains in `folder`, which keeps the network after each stage; what is there is not trained
    again. `progress` hears how far it is, `on_step` after each step how many of a stage are done,
    of how many."""

    folder: Path
    progress: Callable[[str], None] = print
    device: torch.device = field(default_factory=processor)
    on_step: OnStep = lambda step, steps: None
    vocabulary: Vocabulary = field(init=False)

    @cached_property
    def preferred(self) -> dict[str, str]:
        """See `group`."""
        return preferred_forms(Catalogue.shipped())

    @abstractmethod
    def start(self) -> StemmaNetwork:
        """Return the network that the last stage starts from."""

    @abstractmethod
    def export(self, network: StemmaNetwork, folder: Path) -> None:
        """Write a network as it is shipped."""

    def examples(self, papers: Iterable[Annotated]) -> list[Example]:
        """Return what is read of papers."""
        return [each for paper in papers if (each := Example.of(paper, self.vocabulary))]

    def finished(self, name: str, papers: Sequence[Annotated]) -> StemmaNetwork:
        """Return the network, trained on annotated papers last."""

        def last() -> StemmaNetwork:
            network, examples = self.start(), self.examples(papers)
            return self.learnt(name, network, examples, epochs=EPOCHS, rates=_RATES)

        network = StemmaNetwork(len(self.vocabulary))
        network.round_to_int8()
        return self.kept(name, last, network)

    def folds(self, papers: Sequence[Annotated]) -> Iterator[Reading]:
        """Yield what is read in papers, one fold after the other, by networks trained on the other
        folds, exported as the shipped network is."""
        for fold in range(FOLDS):
            others = [each for k, each in enumerate(papers) if k % FOLDS != fold]
            folder = self.folder / f"fold-{fold}"
            self.export(self.finished(f"fold-{fold}", others), folder)
            yield from read(Network(folder, threads=0), papers[fold::FOLDS])

    def learnt(
        self,
        name: str,
        network: StemmaNetwork,
        papers: Sequence[Example],
        *,
        epochs: float,
        rates: Rates,
        size: int = 16,
        seed: int = 1,
        augmentation: Augmentation | None = None,
        guided: float = 0,
    ) -> StemmaNetwork:
        """Return the network after it learned from papers; see `learn`."""
        self.progress(f"{name}: learning from {len(papers)} papers on {self.device}")
        checkpoint = self.folder / f"{name}.checkpoint"
        learnt = learn(
            network.to(self.device),
            papers,
            self.preferred,
            epochs=epochs,
            rates=rates,
            size=size,
            seed=seed,
            augmentation=augmentation,
            guided=guided,
            checkpoint=checkpoint,
            progress=lambda text: self.progress(f"{name}: {text}"),
            on_step=self.on_step,
        )
        checkpoint.unlink()
        return learnt

    def kept(
        self, name: str, train: Callable[[], StemmaNetwork], network: StemmaNetwork
    ) -> StemmaNetwork:
        """Return the network after a stage, in `network` where it was trained before."""
        file = self.folder / f"{name}.pt"
        if not file.exists():
            save(train().state_dict(), file)
        network.load_state_dict(torch.load(file, weights_only=True, map_location="cpu"))
        network.to(self.device)
        return network
