"""The store that keeps a graph in one SQLite file."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from stemma.graph.cypher.value import Answer, Value
from stemma.graph.finding import Finding
from stemma.graph.sqlite import checking
from stemma.graph.sqlite.backup import back_up
from stemma.graph.sqlite.file import NoGraphError, StoreFile, damage_as_store_error
from stemma.graph.sqlite.pool import Pool
from stemma.graph.sqlite.reader import Memory, SqliteReader
from stemma.graph.sqlite.writer import Writer
from stemma.graph.store import Store, StoreError
from stemma.schema import Catalogue
from stemma.schema.decision_file import DecisionFile

T = TypeVar("T")


class SqliteStore(Store):
    """A graph in the file `path`, which the first writer makes.

    `base` begins the IRIs of its data and is fixed when it is made. `catalogue` is what writers
    link with: if none is given, the shipped one with what was added to it before. A `snapshot`
    stays with the commit that was the last when it began. Any number of threads may read at once.
    """

    embedded = True
    keeps_rdf = True

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
        """Where it is."""
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
        with damage_as_store_error(self._file.path):
            reader = self._reader()
            try:
                yield reader
            finally:
                reader.end()

    @contextmanager
    def writer(self) -> Iterator[Writer]:
        """Start to write. Raises StoreError if another process is writing."""
        with damage_as_store_error(self._file.path):
            writer = Writer(self._file, self._catalogue)
            try:
                yield writer
            finally:
                writer.close()

    def back_up(self, target: Path) -> Path | None:
        """Copy the graph and people's decisions, while the store may be in use."""
        with self.snapshot() as reader:
            return back_up(reader, target)

    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Value],
        write: bool = False,
        progress: Callable[[int], None] = lambda papers: None,
    ) -> Answer:
        """Answer a query by an embedded database, for which the package ladybug is needed."""
        from stemma.graph.cypher import embedded  # noqa: PLC0415 - loads what it needs alone

        if write:
            raise StoreError(
                "Cypher can only write to a graph in Neo4j: change a store in a file with "
                "`stemma build`, `stemma remove` and `stemma decide`."
            )
        with self.snapshot() as reader:
            return embedded.ask(reader, query, parameters, progress)

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
        return self._answer(lambda reader: reader.decision_file != own, default=False)

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return self._answer(lambda reader: reader.already_read(reading), frozenset())

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return self._answer(SqliteReader.unapplied, {})

    def _check_data(self) -> Iterator[Finding]:
        return checking.check(self._file, self._catalogue)
