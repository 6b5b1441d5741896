"""Batches whose groups are formed before the network reads them, by processes beside it.

Which spans a network takes for names is known only once it has read the words, so an accelerator
would wait for the grouping at every step. For most of the training, what teachers take for names,
with noise, stands for what the network would.
"""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch.utils.data import IterableDataset, get_worker_info

from stemma.extract.encoder.grouping import LEAST, group
from stemma.extract.encoder.paper_words import Span
from training.augmentation import Augmentation, varied_batches
from training.batch import Batch, Example, Targets

_NOISE = 0.8
"""The standard deviation of what is added to a teacher's logit."""
_ANNOTATED = 0.5
"""The share of the annotated spans that are taken for names in any case."""


@dataclass
class GuidedBatches(IterableDataset[tuple[Batch, Targets]]):
    """All examples once, in variants if there is an `augmentation`, `size` at once. Each worker
    process prepares a part of them. The batches hold tensors alone."""

    examples: Sequence[Example]
    preferred: Mapping[str, str]
    size: int
    seed: int
    augmentation: Augmentation | None

    def __iter__(self) -> Iterator[tuple[Batch, Targets]]:
        """Yield the batches of this process."""
        worker = get_worker_info()
        part, parts = (worker.id, worker.num_workers) if worker else (0, 1)
        if worker:
            torch.set_num_threads(1)
        chance = random.Random(f"{self.seed} {part}")
        papers = self.examples[part::parts]
        for some in varied_batches(papers, self.size, chance, self.augmentation):
            batch = Batch.of(some)
            groups = [
                group(each.document, likely_names(each, chance), self.preferred) for each in some
            ]
            yield replace(batch, examples=[]), Targets.of(batch, groups)


def likely_names(example: Example, chance: random.Random) -> list[tuple[Span, float]]:
    """Return spans that a network might take for names, in order, with their probabilities."""
    names: dict[Span, float] = {}
    if example.taught:
        for span, kinds in example.taught.spans.items():
            likely = float(kinds.sum())
            if _logit(likely) + chance.gauss(0, _NOISE) > _logit(LEAST):
                names[span] = likely
    if example.paper.complete:
        for span in example.spans():
            if chance.random() < _ANNOTATED:
                names[span] = 1.0
    return sorted(names.items())


def _logit(likely: float) -> float:
    likely = min(max(likely, 1e-4), 1 - 1e-4)
    return math.log(likely / (1 - likely))
