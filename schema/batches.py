"""Batches of items."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield all items in lists of `size`, the last of which may be shorter.

    Python 3.12 has the same in itertools.
    """
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
