"""What networks said of papers, in a file without the texts.

A paper is known by a hash of its title and by the number of its words: split into other words, it
is another paper.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from stemma.extract.evaluation.gold import annotation_key
from training.annotated import Annotated

STEPS = 255
"""Probabilities, which are the arrays of floats, are kept in this many steps."""
Arrays = Mapping[str, np.ndarray]


def write(papers: Iterable[tuple[Annotated, Arrays]], file: Path) -> None:
    """Write arrays of papers: all papers have arrays of the same names, of any length."""
    some = sorted(((_key(paper), arrays) for paper, arrays in papers), key=lambda each: each[0])
    held: dict[str, Any] = {
        "papers": np.array([key for (key, _), _ in some], np.uint64),
        "words": np.array([words for (_, words), _ in some], np.uint16),
    }
    for name in some[0][1]:
        parts = [arrays[name] for _, arrays in some]
        held[f"{name} shape"] = np.array([each.shape for each in parts], np.uint16)
        every = np.concatenate([each.ravel() for each in parts])
        is_probability = np.issubdtype(every.dtype, np.floating)
        held[name] = (
            np.round(every * STEPS).astype(np.uint8) if is_probability else every.astype(np.uint16)
        )
    with file.open("wb") as out:
        np.savez_compressed(out, **held)


class Stored:
    """The papers in a file."""

    def __init__(self, file: Path) -> None:
        """Raises OSError where there is no such file."""
        with np.load(file) as held:
            self._held = dict(held)
        keys = zip(self._held["papers"].tolist(), self._held["words"].tolist(), strict=True)
        self._rows = {key: row for row, key in enumerate(keys)}
        self._names = [name for name in self._held if f"{name} shape" in self._held]
        self._starts = {
            name: np.cumsum([0, *self._held[f"{name} shape"].prod(1, np.int64)])
            for name in self._names
        }

    def get(self, paper: Annotated) -> Arrays | None:
        """Return the arrays of a paper, None if it is not in the file."""
        row = self._rows.get(_key(paper))
        return None if row is None else {name: self._array(name, row) for name in self._names}

    def _array(self, name: str, row: int) -> np.ndarray:
        start, end = self._starts[name][row : row + 2]
        values = self._held[name][start:end].reshape(self._held[f"{name} shape"][row])
        array: np.ndarray = values / STEPS if values.dtype == np.uint8 else values.astype(np.int64)
        return array


def _key(paper: Annotated) -> tuple[int, int]:
    title = annotation_key(paper.marked.paper.title)
    hashed = blake2b(title.encode(), digest_size=8).digest()
    return int.from_bytes(hashed, "little"), len(paper.document.words)
