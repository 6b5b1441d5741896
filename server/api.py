"""The Python API: a graph, and the questions that one asks of it."""

from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from stemma.graph import (
    LineageDirection,
    Statistics,
    Work,
    open_store,
    trace,
)
from stemma.graph.comparing import compare
from stemma.graph.criteria import Years
from stemma.graph.path import find_path
from stemma.graph.timeline import draw_timeline
from stemma.schema import Decision, Entity, EntityKind, Paper, RelationType, Statement
from stemma.server import asking
from stemma.server.build import BuildReport, build
from stemma.server.deciding import Outcome, decide, undo
from stemma.server.notebook import (
    NotebookAnswer,
    NotebookComparison,
    NotebookLineage,
    NotebookPath,
    NotebookTimeline,
)


class Stemma:
    """A graph of papers and what they name.

    >>> graph = Stemma("stemma.db")
    >>> graph.build("examples")
    >>> for edge in graph.lineage("ZeRO-Infinity").edges:
    ...     print(edge.child, "→", edge.parent, edge.statements[0].evidence[0].text)

    Names are found in any spelling; UnknownNameError suggests the nearest, AmbiguousNameError
    lists the candidates. A notebook shows a lineage as a picture and other answers as tables;
    `to_networkx()` and `to_pandas()` (with the extra ``pandas``) are for going on.
    """

    def __init__(self, store: str = "stemma.db") -> None:
        self.store = open_store(store)

    def build(
        self,
        *paths: str | Path,
        year: int | None = None,
        processes: int = 1,
        fast: bool = False,
    ) -> BuildReport:
        """Read papers from files and folders into the graph; what it knows is passed over.

        `fast` extracts by rules alone, without the trained model.
        """
        files = [Path(path) for path in paths]
        return build(self.store, files, year=year, processes=processes, fast=fast)

    def lineage(
        self,
        of: str,
        direction: LineageDirection | str = LineageDirection.DESCENDANTS,
        *,
        max_depth: int = 3,
        relations: Iterable[RelationType | str] = (),
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
        first: int = 100,
        after: str | None = None,
    ) -> NotebookLineage:
        """Return what builds on a work (descendants), or what it builds on (ancestors)."""
        with self.store.snapshot() as reader:
            found = trace(
                reader,
                reader.resolve(of),
                LineageDirection(direction),
                max_depth=max_depth,
                relations=tuple(RelationType(relation) for relation in relations),
                min_confidence=min_confidence,
                include_catalogue=include_catalogue,
                first=first,
                after=after,
            )
            return NotebookLineage.of(found, reader)

    def timeline(
        self,
        of: str,
        direction: LineageDirection | str = LineageDirection.DESCENDANTS,
        *,
        max_depth: int = 3,
        relations: Iterable[RelationType | str] = (),
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
        kinds: Iterable[EntityKind | str] = (),
        since: int | None = None,
        until: int | None = None,
        first: int = 100,
    ) -> NotebookTimeline:
        """Return a lineage by year; `kinds`, `since` and `until` choose what is shown."""
        with self.store.snapshot() as reader:
            found = draw_timeline(
                reader,
                reader.resolve(of),
                LineageDirection(direction),
                max_depth,
                tuple(RelationType(relation) for relation in relations),
                min_confidence,
                include_catalogue,
                tuple(EntityKind(kind) for kind in kinds),
                Years(since, until),
                first,
            )
            return NotebookTimeline.of(found, reader)

    def path(
        self,
        start: str,
        goal: str,
        *,
        max_length: int = 6,
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
        comparisons: bool = True,
    ) -> NotebookPath:
        """Return how two works are related: the shortest way over lineage, as edges in order.

        Where there is none, `comparisons` lets it lead over works that are compared as well. A
        paper stands for what it introduces. It has no edges where there is no way.
        """
        with self.store.snapshot() as reader:
            found = find_path(
                reader,
                reader.resolve(start),
                reader.resolve(goal),
                max_length,
                min_confidence,
                include_catalogue,
                comparisons,
            )
            return NotebookPath.of(found, reader)

    def compare(self, left: str, right: str) -> NotebookComparison:
        """Return two works side by side: what they share, and what is said of both."""
        with self.store.snapshot() as reader:
            found = compare(reader, reader.resolve(left), reader.resolve(right))
            return NotebookComparison.of(found, reader)

    def ask(self, question: str) -> NotebookAnswer:
        """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

        What is not understood is said in the answer; its `understood_as` is None then.
        """
        with self.store.snapshot() as reader:
            return NotebookAnswer.of(asking.ask(reader, question), reader)

    def work(self, name: str) -> Work:
        """Return the paper or entity with this name, title or id."""
        with self.store.snapshot() as reader:
            found = reader.resolve(name)
            return reader.works([found])[found]

    def entity(self, name: str) -> Entity:
        """Return the entity with this name or id. Raises LookupError where it is none."""
        work = self.work(name)
        if not isinstance(work, Entity):
            raise LookupError(f"{name!r} is a paper; use paper()")
        return work

    def paper(self, title: str) -> Paper:
        """Return the paper with this title or id. Raises LookupError where it is none."""
        work = self.work(title)
        if not isinstance(work, Paper):
            raise LookupError(f"{title!r} is an entity; use entity()")
        return work

    def statements(self, of: str, relations: Iterable[RelationType | str] = ()) -> list[Statement]:
        """Return the statements that a work is subject or entity of, the surest first."""
        chosen = tuple(RelationType(relation) for relation in relations)
        with self.store.snapshot() as reader:
            found = reader.resolve(of)
            return reader.statements([found], chosen).get(found, [])

    def search(self, text: str, kinds: Collection[EntityKind] = (), first: int = 20) -> list[Work]:
        """Return works whose names or titles match `text`, the best first."""
        return self.store.search(text, kinds, first)

    def decide(self, decision: Decision) -> Outcome:
        """Write down what somebody decided (`stemma.schema.Merge` and others), and apply it."""
        return decide(self.store, decision)

    def decisions(self) -> tuple[Decision, ...]:
        """Return what was decided, in the order in which it is applied."""
        return self.store.decisions.read()

    def undo(self, number: int) -> Outcome:
        """Take back the decision of this number, from 1."""
        return undo(self.store, number)

    def statistics(self) -> Statistics:
        """Count what the graph holds."""
        return self.store.statistics()

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
