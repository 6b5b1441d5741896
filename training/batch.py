"""Batches: papers as the tensors that the network learns from."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from stemma.extract.encoder.grouping import Group, mentions_of
from stemma.extract.encoder.network import FEATURES, RELATIONS, WIDEST, features
from stemma.extract.encoder.paper_words import KINDS, PaperWords, PieceWindow, Span, Vocabulary
from training.annotated import Annotated
from training.network import Groups, OnDevice
from training.taught import Taught

TAUGHT = 0.85
"""How much teachers count beside an annotation."""
_STATED = 0.4
"""The probability of a relation at which training uses the sentence that teachers chose."""
_MULTIPLE = 8
"""Sequences are filled up to a multiple of this, which accelerators read faster."""
_SORTED_TOGETHER = 32
"""Batches whose papers are sorted by length, so that little is filled up."""


@dataclass(slots=True)
class Example:
    """A paper, and what of it the encoder reads at once: the first window. `share`: how much
    teachers count where there is an annotation of the usual weight as well."""

    paper: Annotated
    window: PieceWindow
    taught: Taught | None = None
    share: float = TAUGHT

    @classmethod
    def of(cls, paper: Annotated, vocabulary: Vocabulary) -> "Example | None":
        """Return the example, None where there are no words."""
        windows = vocabulary.windows(paper.document)
        return cls(paper, windows[0]) if windows else None

    @property
    def words(self) -> int:
        """The number of words that are read."""
        return len(self.window.first)

    @property
    def taught_share(self) -> float:
        """How much teachers count beside the annotation, 0 if they have not read the paper."""
        weight = self.paper.marked.weight
        return max(0.0, 1 - weight * (1 - self.share)) if self.taught else 0.0

    @property
    def document(self) -> PaperWords:
        return self.paper.document

    def spans(self) -> dict[Span, int]:
        """Return the annotated spans that are read -> number of the entity."""
        return {span: k for span, k in self.paper.spans.items() if span[1] <= self.words}


@dataclass(slots=True)
class Batch(OnDevice):
    """Papers, filled up to the longest: (papers, pieces) and (papers, words).

    `sentences`: (papers, words, sentences), 1 where a word is in a sentence; `allowed`: (papers,
    words, WIDEST), the spans that lie in one, of papers whose entities are annotated.
    """

    examples: list[Example]
    pieces: Tensor
    shapes: Tensor
    tags: Tensor
    mask: Tensor
    first: Tensor
    last: Tensor
    sentences: Tensor
    allowed: Tensor

    @classmethod
    def of(cls, examples: Sequence[Example]) -> "Batch":
        """Make a batch of examples, filled up to the longest."""
        windows = [each.window for each in examples]
        sentences = _filled([e.document.sentences[: e.words] for e in examples], -1)
        words = sentences.shape[1]
        further = torch.nn.functional.pad(sentences, (0, WIDEST), value=-2)
        allowed = torch.stack(
            [(sentences >= 0) & (further[:, w : w + words] == sentences) for w in range(WIDEST)], 2
        )
        for b, each in enumerate(examples):
            if not each.paper.complete and each.taught is None:
                allowed[b] = False
        return cls(
            list(examples),
            _filled([window.pieces for window in windows]),
            _filled([window.shapes for window in windows]),
            _filled([window.tags for window in windows]),
            _filled([[1] * len(window.pieces) for window in windows]).bool(),
            _filled([window.first for window in windows]),
            _filled([window.last for window in windows]),
            torch.nn.functional.one_hot(sentences + 1)[..., 1:].float(),
            allowed,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The number of papers, and of sentences of the paper that has most."""
        return self.sentences.shape[0], self.sentences.shape[2]

    def kinds(self) -> Tensor:
        """Return how likely each span is of no kind, and of each kind, (papers, words, WIDEST,
        1 + kinds)."""
        result = np.zeros((*self.allowed.shape, 1 + len(KINDS)), np.float32)
        for b, example in enumerate(self.examples):
            paper, taught = example.paper, example.taught
            if taught:
                share = example.taught_share if paper.complete else 1.0
                for (begin, end), likely in taught.spans.items():
                    result[b, begin, end - begin - 1, 1:] = share * likely
            if paper.complete:
                share, kinds = 1 - example.taught_share, paper.kinds
                for (begin, end), k in example.spans().items():
                    result[b, begin, end - begin - 1, kinds[k] + 1] += share
        result[..., 0] = 1 - result.sum(-1)
        return torch.from_numpy(result)


def _filled(rows: Sequence[Sequence[int]], fill: int = 0) -> Tensor:
    longest = max(map(len, rows))
    result = np.full((len(rows), longest + -longest % _MULTIPLE), fill, np.int64)
    for k, row in enumerate(rows):
        result[k, : len(row)] = row
    return torch.from_numpy(result)


def groups_of(batch: Batch, groups: Sequence[Sequence[Group]]) -> Groups:
    """Return the groups of all papers of a batch, filled up."""
    mentions = [mentions_of(each) for each in groups]
    most = max(1, *map(len, groups))
    total = max(1, *(len(mention.group) for mention in mentions))
    shape = (len(groups), total)
    begin, end = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    group = np.full(shape, most, np.int64)
    counted = np.zeros((len(groups), most, FEATURES), np.float32)
    present = np.zeros((len(groups), most), bool)
    present[:, 0] = True
    for b, (each, example) in enumerate(zip(mentions, batch.examples, strict=True)):
        if count := len(each.group):
            begin[b, :count], end[b, :count], group[b, :count] = each
            present[b, : len(groups[b])] = True
            titles = sum(example.document.in_title)
            sentences = np.array(example.document.sentences[: example.words])
            counted[b, : len(groups[b])] = features(each, sentences, titles)
    return Groups(*map(torch.from_numpy, (begin, end, group, counted, present)))


@dataclass(slots=True)
class Truth(OnDevice):
    """The training targets of each group: (papers, groups), and so on.

    `counts` are those that are groups at all, `named` those of which it is known whether they are
    entities; `kind` (papers, groups, kinds) is 0 where there is no entity; `settled` is 0 where a
    relation is disputed or was not judged, and where there is no group.
    """

    counts: Tensor
    named: Tensor
    entity: Tensor
    kind: Tensor
    relations: Tensor
    settled: Tensor
    evidence: Tensor

    @classmethod
    def of(cls, batch: Batch, groups: Sequence[Sequence[Group]]) -> "Truth":
        """Return the labels of groups: annotations, and probabilities by teachers."""
        papers, sentences = batch.shape
        most = max(1, *map(len, groups))
        counts, named, entity = np.zeros((3, papers, most), np.float32)
        kind = np.zeros((papers, most, len(KINDS)), np.float32)
        relations, settled = np.zeros((2, papers, most, len(RELATIONS)), np.float32)
        evidence = np.zeros((papers, most, len(RELATIONS), sentences), bool)
        for b, example in enumerate(batch.examples):
            counts[b, : len(groups[b])] = 1
            row = _Row(named[b], entity[b], kind[b], relations[b], settled[b], evidence[b])
            if example.taught:
                row.add_taught(example.taught, groups[b])
            row.add_annotated(example, groups[b])
        parts = (counts, named, entity, kind, relations, settled, evidence)
        return cls(*map(torch.from_numpy, parts))


class _Row(NamedTuple):
    """What `Truth` has of one paper: (groups,), and so on."""

    named: np.ndarray
    entity: np.ndarray
    kind: np.ndarray
    relations: np.ndarray
    settled: np.ndarray
    evidence: np.ndarray

    def add_taught(self, taught: Taught, groups: Sequence[Group]) -> None:
        """Set what teachers say; what they did not look at is nothing to them."""
        self.named[: len(groups)] = self.settled[: len(groups)] = 1
        for g, k in enumerate(taught.matches(groups)):
            if k is None:
                continue
            self.entity[g] = taught.entity[k]
            self.kind[g] = taught.kind[k] * taught.entity[k]
            self.relations[g] = taught.relations[k]
            for r in np.flatnonzero(taught.relations[k] > _STATED).tolist():
                self.evidence[g, r, taught.evidence[k, r]] = True

    def add_annotated(self, example: Example, groups: Sequence[Group]) -> None:
        """Add what is annotated, and let teachers count less beside it."""
        paper, share = example.paper, example.taught_share
        last = example.document.sentences[example.words - 1]
        for g, k in enumerate(paper.matches(groups)):
            known = paper.settled(k)
            self.settled[g, known] = 1
            self.relations[g, known] *= share
            if paper.complete:
                self.named[g] = 1
                self.entity[g] *= share
                self.kind[g] *= share
            if k is None:
                continue
            if paper.complete:
                self.entity[g] += 1 - share
                self.kind[g, paper.kinds[k]] += 1 - share
            for r, stating in paper.relations[k].items():
                if r in known:
                    self.relations[g, r] += 1 - share
                if read := [sentence for sentence in stating if sentence <= last]:
                    self.evidence[g, r] = False
                    self.evidence[g, r, read] = True


@dataclass(slots=True)
class Targets(OnDevice):
    """Groups, and what a network should say of them and of the spans of their papers."""

    groups: Groups
    kinds: Tensor
    truth: Truth

    @classmethod
    def of(cls, batch: Batch, groups: Sequence[Sequence[Group]]) -> "Targets":
        """Compute the targets of a batch, on the CPU."""
        return cls(groups_of(batch, groups), batch.kinds(), Truth.of(batch, groups))


def batches(
    examples: Sequence[Example], size: int, shuffled: random.Random | None = None
) -> Iterator[list[Example]]:
    """Yield all examples, `size` at once, those of like length together."""
    order = list(examples)
    if shuffled is None:
        order.sort(key=lambda each: len(each.window.pieces))
        yield from (order[i : i + size] for i in range(0, len(order), size))
        return
    shuffled.shuffle(order)
    made = []
    step = size * _SORTED_TOGETHER
    for start in range(0, len(order), step):
        some = sorted(order[start : start + step], key=lambda each: len(each.window.pieces))
        made += [some[i : i + size] for i in range(0, len(some), size)]
    shuffled.shuffle(made)
    yield from made
