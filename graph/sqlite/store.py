"""The store that keeps a graph in one SQLite file."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TypeVar

from stemma.graph.sqlite import checking
from stemma.graph.sqlite.reader import Memory, SqliteReader
from stemma.graph.sqlite.store_file import NoGraphError, Pool, StoreFile, damage_as_store_error
from stemma.graph.sqlite.writer import Writer
from stemma.graph.store import Finding, Store, StoreError
from stemma.schema import Catalogue, DecisionError
from stemma.schema.decision_file import DecisionFile


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


T = TypeVar("T")


class SqliteStore(Store):
    """A graph in the file `path`, which the first writer makes.

    `base` begins the IRIs of its data and is fixed when it is made. `catalogue` is what writers
    link with: if none is given, the shipped one with what was added to it before. A `snapshot`
    stays with the commit that was the last when it began. Any number of threads may read at once.
    """

    embedded = True

    def __init__(
        self, path: Path | str, base: str | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self._file = StoreFile(Path(path), base)
        self._catalogue = catalogue
        self._pool: Pool | None = None
        self._memory = Memory((0, ""))
        self._opening = Lock()

    @property
    def url(self) -> str:
        """The address of the store: the path of its file."""
        return str(self._file.path)

    @property
    def base(self) -> str:
        return self._answer(lambda reader: str(reader.base), self._file.new_base)

    @property
    def catalogue(self) -> Catalogue | None:
        """What writers link with: the one given, else the one before, with what was added to it.

        None where that is the shipped one.
        """
        return self._catalogue or self._answer(SqliteReader.extended_catalogue, None)

    def _answer(self, read: Callable[[SqliteReader], T], default: T) -> T:
        """Return what is read of the graph, if there is one."""
        with suppress(NoGraphError), self.snapshot() as reader:
            return read(reader)
        return default

    def _reader(self) -> SqliteReader:
        pool = self._pool
        if pool is None or not pool.is_current:
            with self._opening:
                if self._pool is None or not self._pool.is_current:
                    if self._pool:
                        self._pool.close()
                    self._pool = Pool(self._file)
                pool = self._pool
        connection, commit = pool.take()
        memory = self._memory
        if memory.commit != commit:
            memory = self._memory = Memory(commit)
        return SqliteReader(connection, memory, self._file, pool.give)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReader]:
        """Read the graph as it is now: all answers of this reader are from one commit."""
        with damage_as_store_error(self._file.path), closing(self._reader()) as reader:
            yield reader

    @contextmanager
    def writer(self) -> Iterator[Writer]:
        """Start to write. Raises StoreError if another process is writing."""
        with (
            damage_as_store_error(self._file.path),
            closing(Writer(self._file, self._catalogue)) as writer,
        ):
            yield writer

    def back_up(self, target: Path) -> Path | None:
        """Copy the graph and people's decisions, while the store may be in use.

        What is written meanwhile is no part of it. Raises StoreError where the copy cannot be made:
        nothing of it is left then.
        """
        decisions = StoreFile(target).decisions.path
        for path in (target, decisions):
            if path.exists():
                raise StoreError(f"{path} already exists: name a new file for the backup.")
        folder = target.absolute().parent
        try:
            with TemporaryDirectory(prefix=f".{target.name}-", dir=folder) as new:
                copy = Path(new) / target.name
                with (
                    self.snapshot() as reader,
                    damage_as_store_error(target),
                    closing(sqlite3.connect(copy)) as made,
                ):
                    reader.copy_to(made)
                _sync(copy)
                # Later decisions than those of the graph are applied by the next build.
                text = self.decisions.text()
                if text.data:
                    decisions.write_bytes(text.data)
                    _sync(decisions)
                copy.rename(target)
            _sync(folder)
        except OSError as error:
            decisions.unlink(missing_ok=True)
            raise StoreError(f"{target} cannot be written: {error.strerror or error}") from error
        return decisions if text.data else None

    def close(self) -> None:
        """Close what no reader uses; readers in use stay open."""
        pool, self._pool = self._pool, None
        if pool:
            pool.close()

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions, in a file beside the graph."""
        return self._file.decisions

    def lacks_decisions(self) -> bool:
        own = self.decisions.fingerprint()
        return self._answer(lambda reader: reader.meta("decision_file") != own, default=False)

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return self._answer(lambda reader: reader.already_read(reading), frozenset())

    def unapplied(self) -> dict[int, str]:
        """Return why decisions (numbers) do not apply, or only in part; not where they changed."""
        return {} if self.lacks_decisions() else self._answer(SqliteReader.unapplied, {})

    def check(self) -> Iterator[Finding]:
        """Check everything, also whether each decision is applied, and yield what is wrong."""
        faults = False
        for finding in checking.check(self._file, self._catalogue):
            faults |= finding.fault
            yield finding
        if not faults:
            yield from self._check_decisions()

    def _check_decisions(self) -> Iterator[Finding]:
        try:
            decisions = self.decisions.read()
        except DecisionError as error:
            yield Finding(str(error), "Until then nothing can be built or decided.")
            return
        if self.lacks_decisions():
            yield Finding(
                f"{self.decisions.path} has changed since the graph was written.",
                "`stemma decide apply` applies it, as does any build.",
                fault=False,
            )
            return
        for number, reason in self.unapplied().items():
            yield Finding(
                f"Decision {number}, {decisions[number - 1]}, is not applied, or only "
                f"partially applied: {reason}",
                f"Keep it for future papers, or undo it: `stemma decide undo {number}`.",
                fault=False,
            )
