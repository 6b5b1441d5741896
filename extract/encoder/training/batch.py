"""Batches: papers as the tensors that the network learns from."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from stemma.extract.encoder.document import Document, Span
from stemma.extract.encoder.grouping import Group, mentions_of
from stemma.extract.encoder.network import FEATURES, RELATIONS, WIDEST, features
from stemma.extract.encoder.pieces import Vocabulary, Window
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.torch_network import Groups

_SORTED_TOGETHER = 32
"""Batches whose papers are sorted by length, so that little is filled up."""


@dataclass(slots=True)
class Example:
    """A paper, and what of it the encoder reads at once: the first window."""

    paper: Annotated
    window: Window
    kinds: list[int]
    relations: list[dict[int, list[int]]]

    @classmethod
    def of(cls, paper: Annotated, vocabulary: Vocabulary) -> "Example | None":
        """Return the example, None where there are no words."""
        windows = vocabulary.windows(paper.document)
        return cls(paper, windows[0], paper.kinds, paper.relations()) if windows else None

    @property
    def words(self) -> int:
        """How many words are read."""
        return len(self.window.first)

    @property
    def document(self) -> Document:
        """The document."""
        return self.paper.document

    def spans(self) -> dict[Span, int]:
        """Return the annotated spans that are read -> number of the entity."""
        return {span: k for span, k in self.paper.spans.items() if span[1] <= self.words}

    def matches(self, groups: Sequence[Group]) -> list[int | None]:
        """Return which annotated entity each group is."""
        return [self._match(each) for each in groups]

    def _match(self, group: Group) -> int | None:
        marked, names = self.paper.spans, self.paper.names
        for span in group.spans:
            if span in marked:
                return marked[span]
        for span in group.spans:
            if len(form := self.document.form(span)) > 3 and form in names:
                return names[form]
        return None


@dataclass(slots=True)
class Batch:
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
        """Fill up."""
        windows = [each.window for each in examples]
        sentences = _filled([e.document.sentences[: e.words] for e in examples], -1)
        words = sentences.shape[1]
        further = torch.nn.functional.pad(sentences, (0, WIDEST), value=-2)
        allowed = torch.stack(
            [(sentences >= 0) & (further[:, w : w + words] == sentences) for w in range(WIDEST)],
            2,
        )
        for b, each in enumerate(examples):
            if each.paper.judged is not None:
                allowed[b] = False
        return cls(
            list(examples),
            _filled([each.pieces for each in windows]),
            _filled([each.shapes for each in windows]),
            _filled([each.tags for each in windows]),
            _filled([[1] * len(each.pieces) for each in windows]).bool(),
            _filled([each.first for each in windows]),
            _filled([each.last for each in windows]),
            torch.nn.functional.one_hot(sentences + 1)[..., 1:].float(),
            allowed,
        )

    def kinds(self) -> Tensor:
        """Return the annotated kind of each span, (papers, words, WIDEST): 0 for none."""
        result = torch.zeros(self.allowed.shape, dtype=torch.long)
        for b, example in enumerate(self.examples):
            for (begin, end), k in example.spans().items():
                result[b, begin, end - begin - 1] = example.kinds[k] + 1
        return result


def _filled(rows: Sequence[Sequence[int]], fill: int = 0) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])


def groups_of(batch: Batch, groups: Sequence[Sequence[Group]]) -> Groups:
    """Return the groups of all papers of a batch, filled up."""
    mentions = [mentions_of(each) for each in groups]
    most = max(1, *map(len, groups))
    total = max(1, *(len(each.group) for each in mentions))
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
class Truth:
    """What is annotated of each group: (papers, groups), and so on; `counts` are those that are
    groups at all, `named` those of papers whose entities are annotated, `kind` is -100 where there
    is no entity, `settled` is 0 where a relation is disputed or was not judged, and where there is
    no group."""

    counts: Tensor
    named: Tensor
    entity: Tensor
    kind: Tensor
    relations: Tensor
    settled: Tensor
    evidence: Tensor

    @classmethod
    def of(cls, batch: Batch, groups: Sequence[Sequence[Group]], shape: torch.Size) -> "Truth":
        """`shape`: that of the evidence, (papers, groups, relations, sentences)."""
        papers, most = shape[:2]
        truth = cls(
            torch.zeros(papers, most),
            torch.zeros(papers, most),
            torch.zeros(papers, most),
            torch.full((papers, most), -100),
            torch.zeros(papers, most, len(RELATIONS)),
            torch.zeros(papers, most, len(RELATIONS)),
            torch.zeros(shape, dtype=torch.bool),
        )
        for b, example in enumerate(batch.examples):
            last = example.document.sentences[example.words - 1]
            judged = example.paper.judged
            for g, k in enumerate(example.matches(groups[b])):
                truth.counts[b, g] = 1
                if judged is None:
                    truth.named[b, g] = 1
                    truth.settled[b, g] = 1
                elif k is not None:
                    truth.settled[b, g, list(judged)] = 1
                if k is None:
                    continue
                truth.entity[b, g] = 1
                if judged is None:
                    truth.kind[b, g] = example.kinds[k]
                for entity, relation in example.paper.disputed:
                    if entity == k:
                        truth.settled[b, g, relation] = 0
                for relation, stating in example.relations[k].items():
                    truth.relations[b, g, relation] = 1
                    for sentence in stating:
                        if sentence <= last:
                            truth.evidence[b, g, relation, sentence] = True
        return truth


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
