"""Stages of long work, and the seconds that each takes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


class Stages:
    """Measures stages, which may lie within each other: time counts for the innermost one."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time that is spent within as that of a stage."""
        self._count()
        self._open.append(name)
        try:
            yield
        finally:
            self._count()
            self._open.pop()

    def each(self, name: str, items: Iterable[T]) -> Iterator[T]:
        """Pass items on, and count the time that it takes to get them."""
        remaining = iter(items)
        while True:
            with self.stage(name):
                try:
                    item = next(remaining)
                except StopIteration:
                    return
            yield item

    def _count(self) -> None:
        now = perf_counter()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now
