"""How like sentences are to a question in what they mean, whatever the words; in so little time
that each sentence of a page of papers can be compared.

A text is the sum of the vectors of its pieces of words. `training/similarity.py` made these so that
texts are as like as a sentence encoder says, and titles are like their own abstracts.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Self

import numpy as np

from stemma.extract.sentence_encoder import vocabulary
from stemma.graph.reader import Cache
from stemma.server.asking.parser import unpacked

ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
VECTORS = Path(__file__).with_name("similarity.npz")
_WORD, _PLAIN = re.compile(r"\w+"), re.compile(r"[a-z]{4,}")
_LIKE, _MOST_WORDS = 0.88, 100_000
"""How like a misspelt word is the one that is meant; and words whose vectors are remembered."""


class TextVectors:
    """The vectors of pieces of words, (pieces, dimensions), from a file that training wrote."""

    def __init__(self) -> None:
        self._tokenizer = vocabulary()
        with np.load(VECTORS) as held:
            pieces = unpacked(held)["pieces"]
        # The last is of nothing, so that there is something to add up where a text has no words.
        self._pieces = np.concatenate([pieces, np.zeros_like(pieces[:1])])
        self._words = Cache[str, np.ndarray](_MOST_WORDS)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Self:
        """Return the shipped vectors, loaded once."""
        return cls()

    def sums(self, texts: Sequence[str]) -> np.ndarray:
        """Return the sums of the vectors of texts, (texts, dimensions)."""
        words = [_WORD.findall(text.lower()) for text in texts]
        known = self._words.get_many(dict.fromkeys(chain([""], *words)), self._read)
        number = {each: n for n, each in enumerate(known)}.__getitem__
        return _added(np.array([*known.values()]), [[0, *map(number, own)] for own in words])

    def _read(self, words: list[str]) -> dict[str, np.ndarray]:
        read = self._tokenizer.encode_batch_fast(words, add_special_tokens=False)
        return dict(zip(words, _added(self._pieces, [[*e.ids, -1] for e in read]), strict=True))

    def knows(self, word: str) -> bool:
        """Return whether a word is in the vocabulary as a whole, perhaps in the plural."""
        whole = (word, word.removesuffix("s"), f"{word}s")
        return any(self._tokenizer.token_to_id(each) is not None for each in whole)

    def spelt(self, word: str) -> str:
        """Return the word of the vocabulary that a misspelt one is most like; "" if none is."""
        words = filter(_PLAIN.fullmatch, self._tokenizer.get_vocab())
        return next(iter(get_close_matches(word, sorted(words), 1, _LIKE)), "")

    def like(self, text: str, others: Sequence[str]) -> list[float]:
        """Return how like other texts are to one, from -1 to 1."""
        directions = _directions(self.sums([text, *others]))
        return [*map(float, directions[1:] @ directions[0])]


def _added(rows: np.ndarray, numbers: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the sums of rows, (rows, dimensions), by lists of numbers of rows."""
    flat = np.fromiter(chain(*numbers), np.int64)
    starts = np.cumsum([0, *map(len, numbers)])[:-1]
    result: np.ndarray = np.add.reduceat(rows[flat], starts)
    return result


def _directions(vectors: np.ndarray) -> np.ndarray:
    """Return vectors, (texts, dimensions), of length 1; those of nothing stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: np.ndarray = vectors / np.maximum(lengths, 1e-9)
    return result
