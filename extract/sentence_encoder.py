"""The sentence encoder: what a question means, or a paper by its title and the beginning of its
abstract, as a vector. Texts that mean alike have vectors of like directions, whatever their words.

It was trained to agree with larger encoders, see `training/sentences.py`. What the embeddings of
the encoder that reads papers have lost of everyday words is added to them.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np
from tokenizers import Tokenizer

from stemma.extract.encoder.trained_model import SHIPPED, session
from stemma.schema.model import VECTOR_SIZE

WEIGHTS, EMBEDDINGS = (Path(__file__).with_suffix(each) for each in (".onnx", ".npz"))
LEVELS = np.array([-1.51, -0.453, 0.453, 1.51], np.float32)
"""What two bits stand for, in standard deviations (Lloyd and Max)."""
DIMENSIONS = 2 * VECTOR_SIZE
LONGEST = 64
"""Pieces of words that are read of a text: what follows in an abstract adds nothing to a search."""
_CHARACTERS = 2_000
"""Characters in which so many pieces are."""
_ROWS = 8192
"""Vectors that are compared at once."""
_STEP = 0.4
"""The size of a step of four bits, in standard deviations of the numbers of a vector."""


@lru_cache(maxsize=1)
def vocabulary() -> Tokenizer:
    """Return what splits words into the pieces that the shipped encoder knows, loaded once."""
    return Tokenizer.from_file(str(SHIPPED / "vocabulary.json"))


@lru_cache(maxsize=1)
def _tables() -> list[np.ndarray]:
    with np.load(SHIPPED / "embeddings.npz") as shipped, np.load(EMBEDDINGS) as added:
        return [shipped["piece"], shipped["scale"], *(added[name] for name in added)]


def embedded(pieces: Sequence[int]) -> np.ndarray:
    """Return the embeddings of the shipped encoder for pieces, (pieces, DIMENSIONS)."""
    table, scale, *_ = _tables()
    return np.asarray(table[pieces].astype(np.float32) * scale[pieces, None])


def everyday(pieces: Sequence[int]) -> np.ndarray:
    """Return the embeddings for pieces with what those of the shipped encoder have lost of words of
    everyday life, (pieces, DIMENSIONS)."""
    *_, matrix, size, steps = _tables()
    bits = steps[pieces, :, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
    lost = LEVELS[bits].reshape(len(pieces), -1) * size[pieces]
    return np.asarray(embedded(pieces) @ matrix + lost)


class SentenceEncoder:
    """The network, with weights from a file that training wrote."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._session = session(weights)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Self:
        """Return the shipped encoder, loaded once."""
        return cls()

    def vector(self, text: str) -> np.ndarray:
        """Return the vector of a text, (DIMENSIONS,), of length 1."""
        (found,) = self._session.run(None, {"embedded": everyday(self.pieces_of(text))})
        return np.asarray(found)

    @staticmethod
    def pieces_of(text: str) -> list[int]:
        """Return the numbers of the pieces of a text, between those that begin and end one."""
        begin, end = (vocabulary().token_to_id(each) or 0 for each in ("[CLS]", "[SEP]"))
        # Lone surrogates are no text to the tokenizer.
        clean = text[:_CHARACTERS].encode(errors="replace").decode()
        read = vocabulary().encode(clean, add_special_tokens=False).ids
        return [begin, *read[: LONGEST - 2], end]


def packed(vector: np.ndarray) -> bytes:
    """Return a vector (DIMENSIONS,) in four bits a number, in VECTOR_SIZE bytes."""
    steps = np.clip(np.round(vector / (_STEP * vector.std())), -8, 7).astype(np.int8) + 8
    return bytes((steps[::2] | (steps[1::2] << 4)).astype(np.uint8))


def vector_of(title: str, abstract: str) -> bytes:
    """Return the packed vector of a paper, by what stands first in it."""
    return packed(SentenceEncoder.shipped().vector(f"{title}. {abstract}"))


def likeness(vector: np.ndarray, others: Iterable[bytes]) -> np.ndarray:
    """Return how like packed vectors are to one of length 1, from -1 to 1, (others,)."""
    rows = np.frombuffer(b"".join(others), np.uint8).reshape(-1, VECTOR_SIZE)
    found = np.zeros(len(rows), np.float32)
    for start in range(0, len(rows), _ROWS):
        own = rows[start : start + _ROWS]
        low, high = ((own & 15).astype(np.float32), (own >> 4).astype(np.float32))
        found[start : start + _ROWS] = low @ vector[::2] + high @ vector[1::2]
    # Packed vectors are of one length but for rounding: their numbers are in standard deviations.
    return np.asarray((found - 8 * vector.sum()) * _STEP / math.sqrt(DIMENSIONS))
