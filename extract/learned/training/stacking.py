"""Stacks: models that learn from what the models before them say of papers not learnt from."""

from collections.abc import Callable, Sequence
from multiprocessing import get_context
from typing import Any

import numpy as np

from stemma.extract.learned.lexicon import KINDS
from stemma.extract.learned.linear import Linear, Matrix
from stemma.extract.learned.relater import blend, separate, union
from stemma.extract.learned.training import boosting
from stemma.extract.learned.training.example import EntityExample, RelationExample
from stemma.extract.learned.training.regression import Table
from stemma.extract.learned.trees import Trees

FOLDS = 3
"""A paper is of the fold that its number gives, divided by this."""
_STRENGTH = [0.1, 0.05, 0.05, 0.05, 0.05, 0.1, 0.1, 0.05]
_SENTENCE_STRENGTH = [0.05] * 8
"""The weight of the data against the regularisation, by relation."""
_NEGLIGIBLE = 0.03
"""Features all of whose weights are below that are left out: half of what the file would hold."""
_ROUNDS = 150
_TREES: dict[str, Any] = {"num_leaves": 9, "learning_rate": 0.04, "reg_lambda": 3.0}
_Work = Callable[[int], Sequence[Matrix]]
_held: list[_Work] = []


class EntityStack:
    """Is a group of proposals an entity, is it the paper's own, and of which kind is it?"""

    def __init__(self, examples: Sequence[EntityExample]) -> None:
        self.examples = examples
        self.owner = _owner([len(e.groups) for e in examples])
        self.table = Table(w for e in examples for w in e.words)
        self.truth = np.vstack([e.truth for e in examples])
        self.kinds = np.array([k for e in examples for k in e.kinds])

    def words(self, fold: int | None = None) -> tuple[Linear, Linear]:
        """Fit on all papers, or on those not of `fold`: entity and own, then kind."""
        learnt = _others(self.owner, fold)
        return (
            self.table.fit(learnt, self.truth, [0.1, 0.1]),
            self.table.fit_classes(learnt & (self.kinds >= 0), self.kinds, 0.2),
        )

    def trees(self, fold: int | None = None) -> tuple[Trees, Trees]:
        """The same with the probabilities by words, which `run` sets: entity, then kind."""
        learnt = _others(self.owner, fold)
        named = learnt & (self.kinds >= 0)
        return (
            boosting.fit(self._rows()[learnt], self.truth[learnt][:, :1], 220),
            boosting.fit(
                self._kind_rows()[named], self.kinds[named], 100, softmax=True, num_leaves=9
            ),
        )

    def run(self, processes: int) -> None:
        """Give each example its probabilities out of fold: by words, then by trees."""

        def by_words(fold: int) -> Sequence[Matrix]:
            held = self.owner % FOLDS == fold
            return [self.table.probabilities(model, held) for model in self.words(fold)]

        def by_trees(fold: int) -> Sequence[Matrix]:
            held = self.owner % FOLDS == fold
            entity, kind = self.trees(fold)
            return [
                entity.probabilities(self._rows()[held]),
                kind.probabilities(self._kind_rows()[held]),
            ]

        owners = [self.owner, self.owner]
        words, kinds = _out_of_fold(by_words, owners, len(self.examples), processes)
        for k, example in enumerate(self.examples):
            example.by_words, example.kind_by_words = words[k], kinds[k]
        likely, kinds = _out_of_fold(by_trees, owners, len(self.examples), processes)
        for k, example in enumerate(self.examples):
            example.probabilities = likely[k][:, 0].tolist()
            example.chosen_kinds = [KINDS[i] for i in kinds[k].argmax(axis=1)]

    def _rows(self) -> Matrix:
        return np.vstack([e.rows() for e in self.examples if e.groups])

    def _kind_rows(self) -> Matrix:
        return np.vstack([e.kind_rows() for e in self.examples if e.groups])


class RelationStack:
    """How does a paper relate to an entity?"""

    def __init__(self, examples: Sequence[RelationExample]) -> None:
        self.examples = examples
        features = [(e, k) for e in examples for k in range(len(e.entities))]
        self.owner = _owner([len(e.entities) for e in examples])
        self.table = Table(union(e.features[k]) for e, k in features)
        self.truth = np.vstack([e.truth for e in examples])
        self.of_sentences = Table(s for e, k in features for s in separate(e.features[k]))
        self.counts = [[len(rows) for rows in e.stating] for e in examples]
        self.sentence_owner = _owner([sum(counts) for counts in self.counts])
        self.stating = np.vstack([rows for e in examples for rows in e.stating])

    def words(self, fold: int | None = None) -> tuple[Linear, Linear]:
        """Fit on all papers, or on those not of `fold`: by all that is said, and by sentence."""
        rows = [_others(owner, fold) for owner in (self.owner, self.sentence_owner)]
        return (
            self.table.fit(rows[0], self.truth, _STRENGTH, 3, _NEGLIGIBLE),
            self.of_sentences.fit(rows[1], self.stating, _SENTENCE_STRENGTH, 3, _NEGLIGIBLE),
        )

    def trees(self, fold: int | None = None) -> Trees:
        """The same with the probabilities by words, which `run` sets."""
        learnt = _others(self.owner, fold)
        return boosting.fit(self._rows()[learnt], self.truth[learnt], _ROUNDS, **_TREES)

    def run(self, processes: int) -> None:
        """Give each example its probabilities out of fold: by words, then by trees."""

        def by_words(fold: int) -> Sequence[Matrix]:
            whole, each = self.words(fold)
            return [
                self.table.probabilities(whole, self.owner % FOLDS == fold),
                self.of_sentences.probabilities(each, self.sentence_owner % FOLDS == fold),
            ]

        def by_trees(fold: int) -> Sequence[Matrix]:
            return [self.trees(fold).probabilities(self._rows()[self.owner % FOLDS == fold])]

        words, sentences = _out_of_fold(
            by_words, [self.owner, self.sentence_owner], len(self.examples), processes
        )
        for k, example in enumerate(self.examples):
            example.by_words = words[k]
            example.by_sentence = np.split(sentences[k], np.cumsum(self.counts[k])[:-1])
        (likely,) = _out_of_fold(by_trees, [self.owner], len(self.examples), processes)
        for k, example in enumerate(self.examples):
            if example.entities:
                example.probabilities = blend(likely[k], example.by_words, example.by_sentence)

    def _rows(self) -> Matrix:
        return np.vstack([e.rows() for e in self.examples if e.entities])


def _owner(sizes: Sequence[int]) -> Matrix:
    """Return for each item the number of its paper."""
    return np.repeat(np.arange(len(sizes)), sizes)


def _others(owner: Matrix, fold: int | None) -> Matrix:
    """Return which items are not of `fold`."""
    learnt: Matrix = np.ones(len(owner), bool) if fold is None else owner % FOLDS != fold
    return learnt


def _out_of_fold(
    work: _Work, owners: Sequence[Matrix], papers: int, processes: int
) -> list[list[Matrix]]:
    """Return each result of `work` by paper; a process inherits `work` with all that it holds."""
    _held[:] = [work]
    with get_context("fork").Pool(processes) as pool:
        found = pool.map(_fold, range(FOLDS), chunksize=1)
    _held.clear()
    results = []
    for owner, parts in zip(owners, zip(*found, strict=True), strict=True):
        whole = np.empty((len(owner), parts[0].shape[1]), np.float32)
        for fold, part in enumerate(parts):
            whole[owner % FOLDS == fold] = part
        results.append(np.split(whole, np.searchsorted(owner, np.arange(1, papers))))
    return results


def _fold(fold: int) -> Sequence[Matrix]:
    return _held[0](fold)
