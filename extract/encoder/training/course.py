"""The course of training: from a pretrained encoder to a network, its thresholds and its figures.

Four stages, each continuing from the one before: papers of conferences and invented ones; papers on
language models and their systems, from here on rounding numbers as the runtime does; more of these,
of some of which lineage alone was judged; the gold.
Only the last is cross-validated, for only the gold counts in figures: each of its papers is read by
a network that has not learnt from it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch

from stemma.extract.document import found_in
from stemma.extract.encoder.component import interpret
from stemma.extract.encoder.grouping import preferred_forms
from stemma.extract.encoder.network import Thresholds
from stemma.extract.encoder.pieces import Vocabulary
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.batch import Example
from stemma.extract.encoder.training.learning import Reading, learn, read
from stemma.extract.encoder.training.material import (
    JUDGED,
    MORE_SYSTEMS,
    SYSTEMS,
    Material,
    recognised,
)
from stemma.extract.encoder.training.pretrained import Pretrained
from stemma.extract.encoder.training.thresholds import fit_thresholds
from stemma.extract.encoder.training.torch_network import StemmaNetwork
from stemma.schema import Catalogue, Extraction

FOLDS = 3
_REPEATED = 2000
"""Papers of stages before that the second and the third repeat, so that they are not forgotten."""


@dataclass
class Course:
    """Trains in `folder`, which keeps the network after each stage; what is there is not trained
    again. `progress` hears how far it is."""

    folder: Path
    progress: Callable[[str], None] = print

    def __post_init__(self) -> None:
        """Find the pretrained encoder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pretrained = Pretrained.installed()
        self.vocabulary = Vocabulary(self.pretrained.tokenizer)
        self.preferred = preferred_forms(Catalogue.shipped())
        self.material = Material.default()

    @cached_property
    def gold(self) -> list[Example]:
        """The papers that count."""
        return self._examples(self.material.papers())

    @cached_property
    def _conferences(self) -> list[Example]:
        return self._examples(self.material.more_papers())

    @cached_property
    def _systems(self) -> list[Example]:
        return self._examples(self.material.systems_papers(SYSTEMS))

    @cached_property
    def _more_systems(self) -> list[Example]:
        return self._examples(self.material.systems_papers(MORE_SYSTEMS, JUDGED))

    def _examples(self, papers: Sequence[Annotated]) -> list[Example]:
        return [each for paper in papers if (each := Example.of(paper, self.vocabulary))]

    def base(self) -> StemmaNetwork:
        """Return the network after all stages but the last."""

        def first() -> StemmaNetwork:
            network = StemmaNetwork()
            network.encoder.load_pretrained(self.pretrained.weights)
            return self._learn("conferences", network, self._conferences, epochs=2)

        def second() -> StemmaNetwork:
            network = self._rounding(self._kept("conferences", first))
            repeated = random.Random(1).sample(self._conferences, _REPEATED)
            papers = [*self._systems, *repeated]
            return self._learn("systems", network, papers, epochs=3, rate=0.6)

        def third() -> StemmaNetwork:
            network = self._rounding(self._kept("systems", second))
            before = [*self._systems, *self._conferences]
            papers = [*self._more_systems, *random.Random(2).sample(before, _REPEATED)]
            return self._learn("more-systems", network, papers, epochs=2, rate=0.6)

        return self._rounding(self._kept("more-systems", third))

    def fold(self, number: int) -> StemmaNetwork:
        """Return a network that has not learnt from the gold papers of a fold."""
        papers = [each for k, each in enumerate(self.gold) if k % FOLDS != number]
        name = f"fold-{number}"
        return self._rounding(self._kept(name, lambda: self._last(name, papers)))

    def whole(self) -> StemmaNetwork:
        """Return the network that has learnt from all papers."""
        return self._rounding(self._kept("whole", lambda: self._last("whole", self.gold)))

    def _last(self, name: str, papers: Sequence[Example]) -> StemmaNetwork:
        return self._learn(name, self.base(), papers, epochs=3, rate=0.35)

    def out_of_fold(self) -> list[Reading]:
        """Return what is read in each gold paper by a network that has not learnt from it."""
        readings: list[Reading] = []
        for number in range(FOLDS):
            network = self.fold(number)
            readings += read(network, self.gold[number::FOLDS], self.preferred)
        order = {id(each): k for k, each in enumerate(self.gold)}
        return sorted(readings, key=lambda each: order[id(each.example)])

    def words(self) -> Iterator[str]:
        """Yield the words of all papers, for the vocabulary that is shipped."""
        for examples in (self.gold, self._more_systems, self._systems, self._conferences):
            for each in examples:
                yield from each.document.words

    def _learn(
        self,
        name: str,
        network: StemmaNetwork,
        papers: Sequence[Example],
        *,
        epochs: float,
        rate: float = 1.0,
    ) -> StemmaNetwork:
        self.progress(f"{name}: learning from {len(papers)} papers")
        checkpoint = self.folder / f"{name}.checkpoint"
        learnt = learn(
            network,
            papers,
            self.preferred,
            epochs=epochs,
            rate=rate,
            checkpoint=checkpoint,
            progress=lambda text: self.progress(f"{name}: {text}"),
        )
        checkpoint.unlink()
        return learnt

    @staticmethod
    def _rounding(network: StemmaNetwork) -> StemmaNetwork:
        network.round_to_int8()
        return network

    def _kept(self, name: str, train: Callable[[], StemmaNetwork]) -> StemmaNetwork:
        file = self.folder / f"{name}.pt"
        if file.exists():
            network = StemmaNetwork()
            network.load_state_dict(torch.load(file, weights_only=True))
            return network
        network = train()
        partial = file.with_suffix(".part")
        torch.save(network.state_dict(), partial)
        partial.rename(file)
        return network


def extractions(readings: Sequence[Reading]) -> Iterator[Extraction]:
    """Yield what was found in each paper, by thresholds that were set on the papers of the other
    half."""
    halves = [fit_thresholds(readings[k::2]) for k in range(2)]
    for k, each in enumerate(readings):
        yield _extraction(each, halves[1 - k % 2])


def _extraction(reading: Reading, thresholds: Thresholds) -> Extraction:
    example, groups, related = reading
    doc = recognised(example.paper.paper)
    interpret(doc, example.document, groups, related, thresholds)
    return Extraction(example.paper.paper, *found_in(doc), "cross-validation")
