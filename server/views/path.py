"""Views of paths: how two works are related, step by step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from stemma.graph import Reader, Work
from stemma.graph.path import Path
from stemma.graph.store_filters import WHOLE_LINEAGE, LineageFilter
from stemma.schema.quantity import quantity
from stemma.server.views.statement import EdgeView, works_of_edges
from stemma.server.views.view import View, documented
from stemma.server.views.work import NameView


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PathView(View):
    """The shortest way between two works over lineage or comparisons."""

    start: NameView = documented("The work at which the path begins.")
    goal: NameView = documented("The work at which it ends.")
    rows_of = ("edges", EdgeView)
    edges: tuple[EdgeView, ...] = documented("The steps in order; none where there is no path.")
    model: Path = field(compare=False)
    named: Mapping[str, Work] = field(default_factory=dict, compare=False)
    """The works on the path, and the papers of its statements."""

    @classmethod
    def of(cls, reader: Reader, path: Path, filter: LineageFilter = WHOLE_LINEAGE) -> Self:
        """Return the view of a path whose edges were selected by `filter`."""
        works = reader.works({path.start, path.goal, *works_of_edges(path.edges)})
        return cls(
            start=NameView.of(path.start, works),
            goal=NameView.of(path.goal, works),
            edges=tuple(EdgeView.of(each, works, filter) for each in path.edges),
            model=path,
            named=works,
        )

    def __iter__(self) -> Iterator[EdgeView]:
        return iter(self.edges)

    def __len__(self) -> int:
        return len(self.edges)

    def __str__(self) -> str:
        return f"path from {self.start} to {self.goal}: {quantity(len(self.edges), 'step')}"
