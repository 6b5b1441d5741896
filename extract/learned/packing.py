"""Words and weights as arrays of bytes, for the file that the model is shipped in."""

from collections.abc import Iterable, Mapping

import numpy as np

_STEPS = 127


def joined(words: Iterable[str]) -> np.ndarray:
    """Return words, none of which breaks its line, as one array of bytes."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def split(array: np.ndarray) -> list[str]:
    """Return the inverse of `joined`."""
    text = array.tobytes().decode()
    return text.split("\n") if text else []


def packed(weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return arrays of bytes and of the largest weight of each column.

    Steps grow with the weight, as its square root does, since most weights are small and many
    small ones are added up: a weight of 0.01 beside one of 2 is kept within 0.001.
    """
    largest = np.maximum(np.abs(weights).max(axis=0, initial=0.0), np.finfo(np.float32).tiny)
    steps = np.rint(_STEPS * np.sqrt(np.abs(weights) / largest))
    return {
        "weights": np.copysign(steps, weights).astype(np.int8),
        "largest": largest.astype(np.float32),
    }


def unpacked(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the inverse of `packed`, as floats of 32 bits."""
    steps = arrays["weights"].astype(np.float32) / _STEPS
    weights: np.ndarray = np.copysign(steps * steps, steps) * arrays["largest"]
    return weights
