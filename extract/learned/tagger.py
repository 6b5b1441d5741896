"""Marks names token by token: a linear-chain conditional random field, trained with CRFsuite, run
with numpy."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from stemma.extract.learned import token_features
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.lexicon import KINDS, KnownNames, Lexicon
from stemma.extract.learned.token_features import REACH, Local

LABELS = ("O", *(f"B-{k}" for k in KINDS), *(f"I-{k}" for k in KINDS))
_OFFSETS = [o for o in range(-REACH, REACH + 1) if o]
_KEPT = 100_000  # rows of a table of scores before it starts anew

_STEPS_UNSCALED = 4
"""Steps after which products are scaled anew, before they get too small."""

Matrix = np.ndarray


class Scores:
    """Rows of scores by key, computed once. Row 0 is all zeros; when the table is full it starts
    anew."""

    def __init__(self, *shape: int) -> None:
        self.table = np.zeros((1024, *shape), np.float32)
        self.rows: dict[Hashable, int] = {}

    def add(self, key: Hashable, scores: Matrix) -> int:
        """Keep the scores of a new key, and return its row, from 1."""
        row = len(self.rows) + 1
        if row >= len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        self.table[row] = scores
        self.rows[key] = row
        return row

    def trim(self) -> None:
        """Forget everything if there is too much of it."""
        if len(self.rows) > _KEPT:
            self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.rows.clear()
        self.table = np.zeros((1024, *self.table.shape[1:]), np.float32)


class Tagger:
    """`weights`: feature -> one weight a label; `transitions[a, b]`: of label b after label a."""

    def __init__(
        self,
        weights: Mapping[str, Matrix],
        transitions: Matrix,
        corpus: CorpusStatistics,
        names: KnownNames,
        lexicon: Lexicon,
    ) -> None:
        self.weights, self.transitions = weights, transitions
        self.corpus, self.names, self.lexicon = corpus, names, lexicon
        labels = len(LABELS)
        self._words = Scores(2 * REACH + 1, labels)
        self._pairs = Scores(2, labels)
        self._pair_rows: dict[tuple[str, str], int] = {}
        self._locals = Scores(labels)

    def marginals(self, document: Document) -> list[Matrix]:
        """For each sentence the probability of each label, (tokens, labels)."""
        if not document.sentences:
            return []
        rows = token_features.local(document, self.corpus, self.names, self.lexicon)
        return forward_backward(self._scores(document, rows), self.transitions)

    def _scores(self, document: Document, features: Sequence[Sequence[Local]]) -> list[Matrix]:
        # All sentences stand in one row, REACH empty places apart, so that each family is one
        # look-up.
        known_word, known_local = self._words.rows.get, self._locals.rows.get
        known_pair = self._pair_rows.get
        gap = [0] * REACH
        words, pairs, locals_ = list(gap), list(gap), list(gap)
        bounds = []
        for sentence, rows in zip(document.sentences, features, strict=True):
            tokens = sentence.words
            start = len(words)
            words += [known_word(w) or self._words.add(w, self._word(w)) for w in tokens]
            pairs += [known_pair(p) or self._pair(*p) for p in pairwise(tokens)]
            locals_ += [
                known_local(k) or self._locals.add(k, self._sum(token_features.spelt(k)))
                for k in rows
            ]
            bounds.append((start, len(words)))
            words += gap
            pairs += [0, *gap]
            locals_ += gap
        by_word, by_pair = self._words.table[words], self._pairs.table[pairs]
        scores: Matrix = by_word[:, REACH] + self._locals.table[locals_] + by_pair[:, 0]
        scores[1:] += by_pair[:-1, 1]
        for offset in _OFFSETS:
            if offset < 0:
                scores[-offset:] += by_word[:offset, REACH + offset]
            else:
                scores[:-offset] += by_word[offset:, REACH + offset]
        for cache in (self._words, self._pairs, self._locals):
            cache.trim()
        if len(self._pair_rows) > _KEPT or not self._pairs.rows:
            self._pair_rows.clear()
            self._pairs.clear()
        return [scores[start:end] for start, end in bounds]

    def _sum(self, features: Iterable[str]) -> Matrix:
        total = np.zeros(len(LABELS), np.float32)
        for feature in features:
            if (weights := self.weights.get(feature)) is not None:
                total += weights
        return total

    def _word(self, word: str) -> Matrix:
        by_offset = [
            self._sum(
                token_features.near(word, o, self.corpus)
                if o
                else token_features.own(word, self.corpus)
            )
            for o in range(-REACH, REACH + 1)
        ]
        return np.array(by_offset)

    def _pair(self, left: str, right: str) -> int:
        words, kinds = token_features.pair(left, right, self.corpus)
        # Few pairs have weights of their own; the others share a row with those of their kind.
        if "+" + words in self.weights or "-" + words in self.weights:
            kinds = (words, *kinds)
        row = self._pairs.rows.get(kinds) or self._pairs.add(kinds, self._by_sides(kinds))
        self._pair_rows[left, right] = row
        return row

    def _by_sides(self, features: Sequence[str]) -> Matrix:
        return np.array([self._sum([side + f for f in features]) for side in "+-"])


def strings(
    document: Document,
    corpus: CorpusStatistics,
    catalogue: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None = None,
) -> list[list[list[str]]]:
    """All features of every token, by sentence: what the tagger is trained on."""
    keys = token_features.local(document, corpus, catalogue, lexicon, own_names)
    result = [[token_features.spelt(key) for key in row] for row in keys]
    for sentence, rows in zip(document.sentences, result, strict=True):
        words = sentence.words
        for i, word in enumerate(words):
            rows[i] += token_features.own(word, corpus)
            for offset in _OFFSETS:
                if 0 <= i + offset < len(words):
                    rows[i] += token_features.near(words[i + offset], offset, corpus)
        for i in range(len(words) - 1):
            pair, kinds = token_features.pair(words[i], words[i + 1], corpus)
            rows[i] += ["+" + feature for feature in (pair, *kinds)]
            rows[i + 1] += ["-" + feature for feature in (pair, *kinds)]
    return result


def forward_backward(scores: Sequence[Matrix], transitions: Matrix) -> list[Matrix]:
    """Return the marginal label probabilities of linear chains, each (tokens, labels).

    All chains run side by side, padded at the end, and each from both its ends at once.
    """
    lengths = np.array([len(s) for s in scores])
    longest, labels = int(lengths.max()), transitions.shape[0]
    likely = np.ones((longest, 2, len(scores), labels))
    for k, score in enumerate(scores):
        own = np.exp(score - score.max(axis=1, keepdims=True))
        likely[: len(score), 0, k] = own
        likely[: len(score), 1, k] = own[::-1]
    forth = np.exp(transitions - transitions.max())
    steps = np.stack([forth, forth.T])
    # What comes to each label from before it, without its own score.
    coming = np.ones_like(likely)
    for t in range(1, longest):
        np.matmul(coming[t - 1] * likely[t - 1], steps, out=coming[t])
        if t % _STEPS_UNSCALED == 0:
            coming[t] /= coming[t].sum(axis=2, keepdims=True)
    result = []
    for k, n in enumerate(lengths.tolist()):
        both = coming[:n, 0, k] * likely[:n, 0, k] * coming[:n, 1, k][::-1]
        result.append(both / both.sum(axis=1, keepdims=True))
    return result
