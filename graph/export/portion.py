"""Portions: what is exported, which is a whole graph or one lineage of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stemma.graph.lineage import trace
from stemma.graph.reader import Reader, Work, WorkType
from stemma.graph.selection import LineageDirection, Selection
from stemma.schema import RelationType
from stemma.schema.batches import batched
from stemma.schema.name import PAPER

Progress = Callable[[int, int], None]
"""Called with how much was written, and of how much."""
_BATCH = 500
_ALL = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Portion:
    """What is exported of the graph that `reader` reads.

    `works` are the ids of the works that it is about, None if all are. Without `abstracts`, papers
    come with their titles, and with the sentences that statements quote. RDF is the plain graph,
    or the `full` one, which also has how papers were read.
    """

    reader: Reader
    works: frozenset[str] | None = None
    abstracts: bool = True
    progress: Progress = lambda done, total: None
    full: bool = False

    def batches(self, type_: WorkType) -> Iterator[list[Work]]:
        """Yield the works of a type in a stable order, some at a time."""
        if self.works is None:
            ids = self.reader.ids(type_, Selection(first=_ALL))
        else:
            papers = type_ is WorkType.PAPER
            ids = sorted(id_ for id_ in self.works if id_.startswith(PAPER) is papers)
        return (list(self.reader.works(some).values()) for some in batched(ids, _BATCH))

    def __contains__(self, work: str) -> bool:
        return self.works is None or work in self.works

    def __len__(self) -> int:
        if self.works is not None:
            return len(self.works)
        counted = self.reader.statistics()
        return counted.papers + counted.entities


def works_of_lineage(
    reader: Reader, of: str, direction: LineageDirection, max_depth: int
) -> frozenset[str]:
    """Return the works of a lineage, with the papers that state it and that introduce them.

    Raises UnknownNameError or AmbiguousNameError where `of` names no work.
    """
    lineage = trace(
        reader, reader.resolve(of), Selection(direction=direction, max_depth=max_depth, first=_ALL)
    )
    works = {lineage.root.id, *(node.work.id for node in lineage.nodes)}
    introducing = reader.statements(works, [RelationType.INTRODUCES])
    stated = [statement for statements in introducing.values() for statement in statements]
    stated += [statement for edge in lineage.edges for statement in edge.statements]
    return frozenset(works | {statement.subject for statement in stated})
