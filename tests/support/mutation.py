"""Mutations: what chance does to a file, and which of its bytes stay as they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_MOST_AT_ONCE = 4


@dataclass(frozen=True)
class Mutated:
    """Bytes after some mutations, and the places in the original that they touched.

    A place is a stretch (start, end) of which something changed, or before whose start (where both
    are one) something was put in.
    """

    data: bytes
    touched: tuple[tuple[int, int], ...]

    def spares(self, start: int, end: int) -> bool:
        """Return whether a stretch of the original is unchanged in `data`."""
        return all(
            after <= start or before >= end if before < after else not start <= before < end
            for before, after in self.touched
        )


def mutate(data: bytes, others: Sequence[bytes], chance: Random) -> Mutated:
    """Flip bytes, cut off the end, repeat a stretch, or put in one of another file: one or more."""
    places: list[tuple[int, int, bytes]] = []
    for _ in range(chance.randint(1, _MOST_AT_ONCE)):
        start = chance.randrange(len(data))
        end = min(len(data), start + chance.choice((1, 4, 40, 400)))
        kind = chance.choice(("flip", "flip", "cut off", "repeat", "splice", "put in"))
        if kind == "flip":
            flipped = bytes([data[start] ^ 1 << chance.randrange(8)])
            places.append((start, start + 1, flipped))
        elif kind == "cut off":
            places.append((start, len(data), b""))
        elif kind == "repeat":
            places.append((end, end, data[start:end] * chance.choice((1, 2, 50))))
        else:
            other = chance.choice(others)
            begin = chance.randrange(len(other))
            piece = other[begin : begin + chance.choice((1, 4, 40, 400))]
            places.append((start, end if kind == "splice" else start, piece))
    changed, untouched_to = [], 0
    touched: list[tuple[int, int]] = []
    for start, end, piece in sorted(places):
        if start >= untouched_to:
            changed += [data[untouched_to:start], piece]
            untouched_to = end
            touched.append((start, end))
    return Mutated(b"".join([*changed, data[untouched_to:]]), tuple(touched))
