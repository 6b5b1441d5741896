"""The store protocol: what every store of a graph can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from stemma.graph.reader import Reader, Statistics
from stemma.schema import Catalogue
from stemma.schema.decision_file import DecisionFile
from stemma.schema.namespace import DATA

if TYPE_CHECKING:
    from stemma.graph.sqlite.writer import Writer


class StoreError(Exception):
    """A store cannot be opened, read or written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check, and its remedy. Without a `fault`, nothing stored is lost."""

    what: str
    remedy: str
    fault: bool = True


class Store(ABC):
    """A graph in one place: it is read in snapshots, and written by one writer at a time.

    `embedded` stores answer in this process, without waiting for a server, and SPARQL as well:
    their readers have a `dataset`. Another is a copy for queries, which is not written to: whatever
    concerns building and deciding raises StoreError there.
    """

    embedded = False

    @property
    @abstractmethod
    def url(self) -> str:
        """The address of the store, without passwords."""

    @property
    def base(self) -> str:
        """What the IRIs of its data begin with."""
        return DATA

    @property
    def catalogue(self) -> Catalogue | None:
        """The catalogue that its writers link with, if it keeps one; else it is the shipped one."""
        return None

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions on this graph, which every commit applies."""
        raise self._is_copy()

    def lacks_decisions(self) -> bool:
        """Whether the decisions have changed since the graph was written."""
        return False

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        with self.snapshot() as reader:
            return reader.unapplied()

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read completely in this way."""
        raise self._is_copy()

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Reader]:
        """Read the graph as it is now: all answers of this reader are from one generation."""

    def writer(self) -> AbstractContextManager[Writer]:
        """Start to write; what is not committed at the end is dropped.

        Raises StoreError if another process is writing.
        """
        raise self._is_copy()

    def _is_copy(self) -> StoreError:
        return StoreError(
            f"{self.url} is a copy for queries, which Stemma does not build or change there: build "
            "and decide in a local store (--store stemma.db), then run "
            f"`stemma push {self.url} --store stemma.db`."
        )

    def statistics(self) -> Statistics:
        """Count what the graph holds. Raises StoreError where there is no graph."""
        with self.snapshot() as reader:
            return reader.statistics()

    @abstractmethod
    def back_up(self, target: Path) -> Path | None:
        """Copy the graph and people's decisions to a new folder, and return the file of these.

        Raises StoreError where that cannot be done.
        """

    @abstractmethod
    def check(self) -> Iterator[Finding]:
        """Check everything that is stored, and yield what is wrong.

        Raises StoreError where there is no store.
        """

    @abstractmethod
    def close(self) -> None:
        """Release what the store holds open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
