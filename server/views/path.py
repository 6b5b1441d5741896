"""Views of paths: how two works are related, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from stemma.graph import Reader
from stemma.graph.path import Path
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema.quantity import quantity
from stemma.server.views.statement import EdgeView, works_of_edges
from stemma.server.views.view import View, derived
from stemma.server.views.work import NameView


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PathView(View[Path]):
    """The shortest way between two works over lineage or comparisons."""

    cites = True
    start: NameView = derived("The work at which the path begins.")
    goal: NameView = derived("The work at which it ends.")
    rows_of = ("edges", EdgeView)
    edges: tuple[EdgeView, ...] = derived("The steps in order; none where there is no path.")

    @classmethod
    def of(cls, reader: Reader, path: Path, selection: Selection = EVERYTHING) -> Self:
        """Return the view of a path whose edges were selected by `selection`."""
        works = reader.works({path.start, path.goal, *works_of_edges(path.edges)})
        return cls(model=path, named=works, selection=selection)

    def __iter__(self) -> Iterator[EdgeView]:
        return iter(self.edges)

    def __len__(self) -> int:
        return len(self.edges)

    def __str__(self) -> str:
        steps = quantity(len(self.edges), "step") if self.edges else "none is known"
        return f"path from {self.start} to {self.goal}: {steps}"
