"""What all stores do alike: each question is answered by a snapshot of its own."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from stemma.graph.filters import EVERYTHING, WHOLE_LINEAGE, LineageFilter, WorkFilter
from stemma.graph.lineage_edge import LineageEdge
from stemma.graph.store import (
    LineageDirection,
    Page,
    PageOrder,
    Reader,
    Statistics,
    Work,
    WorkType,
)
from stemma.schema import EntityKind, PartialDate, RelationType, Statement


class SnapshotStore(ABC):
    """A store that answers each question from a snapshot, and lets go of itself after `with`."""

    embedded = False
    """Whether it answers in this process, without waiting for anybody."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Reader]:
        """Hold the graph as it is now."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the store."""

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
        with self.snapshot() as reader:
            return reader.generation

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        """Return the works with these ids."""
        with self.snapshot() as reader:
            return reader.works(ids)

    def resolve(self, name: str) -> str:
        """Return the id of the work with this id, name, alias or title."""
        with self.snapshot() as reader:
            return reader.resolve(name)

    def search(
        self,
        text: str,
        kinds: Collection[EntityKind] = (),
        first: int = 20,
        general: bool | None = None,
    ) -> list[Work]:
        """Return works whose names, aliases or titles match `text`, the best first."""
        with self.snapshot() as reader:
            return reader.search(text, kinds, first, general)

    def matching(
        self, text: str, kinds: Collection[EntityKind] = (), general: bool | None = None
    ) -> list[str]:
        """Return the ids of all works that `search` would find, in its order."""
        with self.snapshot() as reader:
            return reader.matching(text, kinds, general)

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        """Return, for each work, the statements with it as subject or entity, the surest first."""
        with self.snapshot() as reader:
            return reader.statements(of, relations, first)

    def entities_named(
        self, papers: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        """Return, for each paper, the ids of the entities of its statements, the surest first."""
        with self.snapshot() as reader:
            return reader.entities_named(papers, relations)

    def papers_naming(
        self, entities: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        """Return, for each entity, the ids of the papers with statements on it, oldest first."""
        with self.snapshot() as reader:
            return reader.papers_naming(entities, relations)

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return, for each entity, the ids of those that have it as a broader one."""
        with self.snapshot() as reader:
            return reader.narrower(ids)

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children or parents."""
        with self.snapshot() as reader:
            return reader.lineage_edges(ids, direction, filter)

    def neighbours(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[str]]:
        """Return the far ends of what `lineage_edges` returns, without fetching any evidence."""
        with self.snapshot() as reader:
            return reader.neighbours(ids, direction, filter)

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        """Return the main contribution (an entity's id) of each paper that introduces any."""
        with self.snapshot() as reader:
            return reader.contributions(papers)

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        """Return when works were published: entities with the first paper that introduces them."""
        with self.snapshot() as reader:
            return reader.published(ids)

    def page(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        after: str | None = None,
        first: int = 20,
        before: str | None = None,
        backward: bool = False,
    ) -> Page:
        """Return the first, or the last, works between those with the ids `after` and `before`."""
        with self.snapshot() as reader:
            return reader.page(type, filter, order, after, first, before, backward)

    def statistics(self) -> Statistics:
        """Count what the graph holds."""
        with self.snapshot() as reader:
            return reader.statistics()

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or not whole."""
        with self.snapshot() as reader:
            return reader.unapplied()
