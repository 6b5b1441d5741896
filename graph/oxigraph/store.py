"""The store that keeps a graph in a folder, with Oxigraph."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from stemma.graph.oxigraph.folder import Folder
from stemma.graph.oxigraph.reader import OxigraphReader
from stemma.graph.oxigraph.writer import OxigraphWriter
from stemma.graph.store import (
    EVERYTHING,
    LineageDirection,
    LineageEdge,
    Page,
    PageOrder,
    Statistics,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.schema import Catalogue, EntityKind, PartialDate, RelationType, Statement
from stemma.schema.decision_file import DecisionFile


class OxigraphStore:
    """A graph in the folder `path`, which the first writer makes.

    `base` begins the IRIs of its data and is fixed when it is made. `catalogue` is what writers
    link with, the shipped one if none is given. What is read comes from the newest generation;
    `snapshot` stays with one. Any number of threads may read at once.
    """

    def __init__(
        self, path: Path | str, base: str | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self._folder = Folder(Path(path), base)
        self._catalogue = catalogue
        self._reader: OxigraphReader | None = None
        self._opening = Lock()

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self._folder.path)

    @property
    def base(self) -> str:
        """What the IRIs of its data begin with."""
        return self._folder.base()

    def _current(self) -> OxigraphReader:
        reader = self._reader
        if reader and reader.generation == self._folder.current():
            return reader
        with self._opening:
            if not self._reader or self._reader.generation != self._folder.current():
                self._reader = OxigraphReader(self._folder.open_current(), self._folder.base())
            return self._reader

    @contextmanager
    def snapshot(self) -> Iterator[OxigraphReader]:
        """Hold the graph as it is now: all that is asked of this reader sees one generation."""
        yield self._current()

    @contextmanager
    def writer(self) -> Iterator[OxigraphWriter]:
        """Begin to write. Raises StoreError where somebody else is writing."""
        with self._folder.writing():
            writer = OxigraphWriter(self._folder, self._folder.base(), self._catalogue)
            try:
                yield writer
            finally:
                writer.close()

    def close(self) -> None:
        """Let go of the store."""
        self._reader = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def generation(self) -> str:
        """What changes whenever the graph does."""
        return self._current().generation

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions on this graph, in a file beside its folder."""
        return self._folder.decisions

    def lacks_decisions(self) -> bool:
        """Tell whether the decisions have changed since the graph was written."""
        if self._folder.current() is None:
            return False
        return self._current().decision_file != self.decisions.fingerprint()

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        if self._folder.current() is None:
            return frozenset()
        return self._current().already_read(reading)

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        """Return the works with these ids."""
        return self._current().works(ids)

    def resolve(self, name: str) -> str:
        """Return the id of the work with this id, name, alias or title."""
        return self._current().resolve(name)

    def search(self, text: str, kinds: Collection[EntityKind] = (), first: int = 20) -> list[Work]:
        """Return works whose names, aliases or titles match `text`, the best first."""
        return self._current().search(text, kinds, first)

    def statements(
        self, of: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[Statement]]:
        """Return, for each work, the statements with it as subject or entity, the surest first."""
        return self._current().statements(of, relations)

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return, for each entity, the ids of those that have it as a broader one."""
        return self._current().narrower(ids)

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        relations: Collection[RelationType] = (),
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children or parents."""
        return self._current().lineage_edges(
            ids, direction, relations, min_confidence, include_catalogue
        )

    def neighbours(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        relations: Collection[RelationType] = (),
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
    ) -> dict[str, list[str]]:
        """Return the far ends of what `lineage_edges` returns, without fetching any evidence."""
        return self._current().neighbours(
            ids, direction, relations, min_confidence, include_catalogue
        )

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        """Return the main contribution (an entity's id) of each paper that introduces any."""
        return self._current().contributions(papers)

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        """Return when works were published: entities with the first paper that introduces them."""
        return self._current().published(ids)

    def page(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        after: str | None = None,
        first: int = 20,
    ) -> Page:
        """Return the works that follow the one with id `after`, at most `first` of them."""
        return self._current().page(type, filter, order, after, first)

    def statistics(self) -> Statistics:
        """Count what the graph holds."""
        return self._current().statistics()

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or not whole."""
        return self._current().unapplied() if self._folder.current() else {}
