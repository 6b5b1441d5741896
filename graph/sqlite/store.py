"""The store that keeps a graph in a folder, with SQLite."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from stemma.graph.cypher.value import Answer, Value
from stemma.graph.finding import Finding
from stemma.graph.sqlite import checking
from stemma.graph.sqlite.backup import back_up
from stemma.graph.sqlite.generations import GenerationFolder
from stemma.graph.sqlite.integrity import damage_as_store_error
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.sqlite.writer import SqliteWriter
from stemma.graph.store import Store, StoreError
from stemma.schema import Catalogue
from stemma.schema.catalogue import extended
from stemma.schema.decision_file import DecisionFile


class SqliteStore(Store):
    """A graph in the folder `path`, which the first writer makes.

    `base` begins the IRIs of its data and is fixed when it is made. `catalogue` is what writers
    link with: if none is given, the shipped one with what was added to it before. What is read
    comes from the newest generation; `snapshot` stays with one. Any number of threads may read at
    once.
    """

    embedded = True
    keeps_rdf = True

    def __init__(
        self, path: Path | str, base: str | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self._folder = GenerationFolder(Path(path), base)
        self._catalogue = catalogue
        self._reader: SqliteReader | None = None
        self._opening = Lock()

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self._folder.path)

    @property
    def base(self) -> str:
        return self._folder.base()

    @property
    def catalogue(self) -> Catalogue | None:
        """What writers link with: the one given, else the one before, with what was added to it.

        None where that is the shipped one.
        """
        if self._catalogue or self._folder.current() is None:
            return self._catalogue
        with self.snapshot() as reader:
            additions = reader.additions()
        return extended(Catalogue.shipped(), additions)[0] if additions else None

    def _current(self) -> SqliteReader:
        reader = self._reader
        if reader and self._folder.is_current(reader.held):
            return reader
        with self._opening:
            if not (self._reader and self._folder.is_current(self._reader.held)):
                self._reader = SqliteReader(
                    self._folder.open_current(), self._folder.base(), self._folder.decisions
                )
            return self._reader

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReader]:
        """Read the graph as it is now: all answers of this reader are from one generation."""
        reader = self._current()
        with damage_as_store_error(reader.path):
            yield reader

    @contextmanager
    def writer(self) -> Iterator[SqliteWriter]:
        """Start to write. Raises StoreError if another process is writing."""
        with self._folder.writing(), damage_as_store_error(self._folder.path):
            writer = SqliteWriter(self._folder, self._folder.base(), self.catalogue)
            try:
                yield writer
            finally:
                writer.close()

    def back_up(self, target: Path) -> Path | None:
        """Copy the graph and people's decisions, while the store may be in use."""
        return back_up(self._folder, target)

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
                "Cypher can only write to a graph in Neo4j: change a store in a folder with "
                "`stemma build`, `stemma remove` and `stemma decide`."
            )
        with self.snapshot() as reader:
            return embedded.ask(reader, query, parameters, progress)

    def close(self) -> None:
        """Release the newest generation; readers in use stay open."""
        self._reader = None

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions on this graph, in a file next to its folder."""
        return self._folder.decisions

    def lacks_decisions(self) -> bool:
        if self._folder.current() is None:
            return False
        with self.snapshot() as reader:
            return reader.decision_file != self.decisions.fingerprint()

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        if self._folder.current() is None:
            return frozenset()
        with self.snapshot() as reader:
            return reader.already_read(reading)

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return super().unapplied() if self._folder.current() else {}

    def _check_data(self) -> Iterator[Finding]:
        return checking.check(self._folder, self._catalogue)
