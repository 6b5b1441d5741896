"""Marks names token by token: a linear-chain conditional random field, trained with CRFsuite, run
with numpy."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, islice, pairwise
from typing import Any, cast

import numpy as np

from stemma.extract.learned import token_features, token_place
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.lexicon import KINDS, KnownNames, Lexicon
from stemma.extract.learned.token_features import OFFSETS, REACH, Pair
from stemma.extract.learned.token_place import Place

LABELS = ("O", *(f"B-{k}" for k in KINDS), *(f"I-{k}" for k in KINDS))
_GAP = [None] * REACH
_KEPT = 100_000  # rows of a table of scores before it starts anew

_STEPS_UNSCALED = 4
"""Steps after which products are scaled anew, before they get too small."""

Matrix = np.ndarray
PairKey = tuple[str | None, Pair]


class Scores:
    """Rows of scores by key, each computed once. Row 0 is all zeros; when the table is full it
    starts anew."""

    def __init__(self, *shape: int) -> None:
        self.table = np.zeros((1024, *shape), np.float32)
        self.rows: dict[Hashable, int] = {}

    def of(self, keys: Sequence[Hashable], score: Callable[[Any], Matrix]) -> list[int]:
        """Return the rows of `keys`, 0 for None; `score` is asked for all new ones at once."""
        rows = self.rows
        if len(rows) > _KEPT:
            rows.clear()
        rows[None] = 0
        found = list(map(rows.get, keys))
        if None in found:
            unknown = (key for key, row in zip(keys, found, strict=True) if row is None)
            fresh = list(dict.fromkeys(unknown))
            start, end = len(rows), len(rows) + len(fresh)
            while len(self.table) < end:
                self.table = np.concatenate([self.table, np.zeros_like(self.table)])
            self.table[start:end] = score(fresh)
            rows.update(zip(fresh, range(start, end), strict=True))
            found = list(map(rows.get, keys))
        return cast("list[int]", found)


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
        # Row 0 is all zeros, so that there is a sum over no features.
        self._rows = {feature: row for row, feature in enumerate(weights, 1)}
        self._table = np.array([np.zeros(labels), *weights.values()], np.float32)
        self._weighty = {f[len("+bg=") :] for f in weights if f.startswith(("+bg=", "-bg="))}
        self._words = Scores(2 * REACH + 1, labels)
        self._pairs = Scores(2, labels)
        self._pair_rows: dict[tuple[str | None, str | None], int] = {}
        self._places = Scores(labels)

    def marginals(self, document: Document) -> list[Matrix]:
        """For each sentence the probability of each label, (tokens, labels)."""
        return self.marginals_of([document])[0]

    def marginals_of(self, documents: Sequence[Document]) -> list[list[Matrix]]:
        """Return the same for each of several papers."""
        lines = [words for document in documents for words in document.words]
        if not lines:
            return [[] for _ in documents]
        rows = [
            row
            for document in documents
            for row in token_place.places(document, self.corpus, self.names, self.lexicon)
        ]
        found = iter(forward_backward(self._scores(lines, rows), self.transitions))
        return [list(islice(found, len(document.sentences))) for document in documents]

    def _scores(self, lines: Sequence[list[str]], places: Sequence[list[Place]]) -> list[Matrix]:
        # All sentences stand in one row, REACH empty places apart, so that each family is one
        # look-up.
        words: list[str | None] = [None] * REACH
        places_in_row: list[Place | None] = [None] * REACH
        bounds = []
        for line, rows in zip(lines, places, strict=True):
            bounds.append((len(words), len(words) + len(line)))
            words += [*line, *_GAP]
            places_in_row += [*rows, *_GAP]
        word_rows = self._words.of(words, self._word_scores)
        pair_rows = self._of_pairs(words)
        place_rows = self._places.of(places_in_row, self._place_scores)
        by_word = self._words.table.take(word_rows, axis=0)
        by_pair = self._pairs.table.take(pair_rows, axis=0)
        scores: Matrix = by_word[:, REACH] + self._places.table.take(place_rows, axis=0)
        scores[:-1] += by_pair[:, 0]
        scores[1:] += by_pair[:, 1]
        for offset in OFFSETS:
            if offset < 0:
                scores[-offset:] += by_word[:offset, REACH + offset]
            else:
                scores[:-offset] += by_word[offset:, REACH + offset]
        return [scores[start:end] for start, end in bounds]

    def _of_pairs(self, words: Sequence[str | None]) -> list[int]:
        """Return the rows of neighbours: few have weights of their own, all others share a row
        with those of their kind, so that rows are few however many pairs there are."""
        rows = self._pair_rows
        if len(rows) > _KEPT:
            rows.clear()
        pairs = list(pairwise(words))
        found = list(map(rows.get, pairs))
        if None in found:
            unknown = (pair for pair, row in zip(pairs, found, strict=True) if row is None)
            fresh = list(dict.fromkeys(unknown))
            keys = [self._pair_key(*pair) for pair in fresh]
            rows.update(zip(fresh, self._pairs.of(keys, self._pair_scores), strict=True))
            found = list(map(rows.get, pairs))
        return cast("list[int]", found)

    def _pair_key(self, left: str | None, right: str | None) -> PairKey | None:
        """Return what the scores of two neighbours depend on; None where a sentence ends."""
        if left is None or right is None:
            return None
        words, kind = token_features.pair(left, right, self.corpus)
        return (words if words in self._weighty else None, kind)

    def _word_scores(self, words: Iterable[str]) -> Matrix:
        items: list[list[str]] = []
        for word in words:
            near = token_features.near(word, self.corpus)
            items += [*near[:REACH], token_features.own(word, self.corpus), *near[REACH:]]
        return self._sums(items).reshape(-1, 2 * REACH + 1, len(LABELS))

    def _pair_scores(self, keys: Iterable[PairKey]) -> Matrix:
        features = [token_features.spelt_pair(*key) for key in keys]
        return self._sums(
            [side + feature for feature in found] for found in features for side in "+-"
        ).reshape(-1, 2, len(LABELS))

    def _place_scores(self, keys: Iterable[Place]) -> Matrix:
        return self._sums(map(token_place.spelt, keys))

    def _sums(self, items: Iterable[Iterable[str]]) -> Matrix:
        """Return the sum of the weights of each item's features, (items, labels)."""
        row = self._rows.get
        held = [[0, *filter(None, map(row, features))] for features in items]
        starts = [0, *accumulate(map(len, held))][:-1]
        weights = self._table.take(list(chain.from_iterable(held)), axis=0)
        return np.add.reduceat(weights, starts, axis=0)


def strings(
    document: Document,
    corpus: CorpusStatistics,
    catalogue: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None = None,
) -> list[list[list[str]]]:
    """All features of every token, by sentence: what the tagger is trained on."""
    keys = token_place.places(document, corpus, catalogue, lexicon, own_names)
    result = [[token_place.spelt(key) for key in row] for row in keys]
    for sentence, rows in zip(document.sentences, result, strict=True):
        words = sentence.words
        near = [token_features.near(word, corpus) for word in words]
        for i, word in enumerate(words):
            rows[i] += token_features.own(word, corpus)
            for k, offset in enumerate(OFFSETS):
                if 0 <= i + offset < len(words):
                    rows[i] += near[i + offset][k]
        for i in range(len(words) - 1):
            pair = token_features.pair(words[i], words[i + 1], corpus)
            features = token_features.spelt_pair(*pair)
            rows[i] += ["+" + feature for feature in features]
            rows[i + 1] += ["-" + feature for feature in features]
    return result


def forward_backward(scores: Sequence[Matrix], transitions: Matrix) -> list[Matrix]:
    """Return the marginal label probabilities of linear chains, each (tokens, labels).

    All chains run side by side, padded at the end, and each from both its ends at once.
    """
    lengths = np.array([len(s) for s in scores])
    longest, labels = int(lengths.max()), transitions.shape[0]
    ends = np.cumsum(lengths)
    chain_of = np.repeat(np.arange(len(scores)), lengths)
    from_start = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
    from_end = np.repeat(lengths, lengths) - 1 - from_start
    every = np.concatenate(scores)
    own = np.exp(every - every.max(axis=1, keepdims=True))
    likely = np.ones((longest, 2, len(scores), labels))
    likely[from_start, 0, chain_of] = own
    likely[from_end, 1, chain_of] = own
    forth = np.exp(transitions - transitions.max())
    steps = np.stack([forth, forth.T])
    # What comes to each label from before it, without its own score.
    coming = np.ones_like(likely)
    for t in range(1, longest):
        np.matmul(coming[t - 1] * likely[t - 1], steps, out=coming[t])
        if t % _STEPS_UNSCALED == 0:
            coming[t] /= coming[t].sum(axis=2, keepdims=True)
    both = coming[from_start, 0, chain_of] * likely[from_start, 0, chain_of]
    both *= coming[from_end, 1, chain_of]
    both /= both.sum(axis=1, keepdims=True)
    return np.split(both, ends[:-1])
