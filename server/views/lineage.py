"""Views of lineages: the descendants or ancestors of a work, and the edges among them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

from stemma.graph import FilterField, Lineage, LineageDirection, LineageNode, Page, Reader, Work
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema import PartialDate, RelationType
from stemma.schema.name import ENTITY
from stemma.schema.quantity import quantity
from stemma.server.views.page import PageInfo
from stemma.server.views.statement import EdgeView, works_of_edges
from stemma.server.views.view import View, derived
from stemma.server.views.work import NameView, WorkView, broader_works, work_view

if TYPE_CHECKING:
    from networkx import DiGraph


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LineageNodeView(View[LineageNode]):
    """A work on a lineage."""

    work: WorkView = derived("The work.")
    depth: int = derived("The number of steps from the root, from 1.")

    def _work(self) -> WorkView:
        return work_view(self.model.work, self.model.published, self.named)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LineageView(View[Lineage]):
    """The descendants or ancestors of a work; of a large lineage, one page."""

    cites = True
    root: NameView = derived("The requested work.")
    direction: LineageDirection = derived("Descendants or ancestors.")
    nodes: tuple[LineageNodeView, ...] = derived("By depth, date and id.")
    edges: tuple[EdgeView, ...] = derived(
        "Each edge is on the page of its later node, so that it occurs exactly once across all "
        "pages."
    )
    total_count: int = derived("The number of works on all pages.", "total")
    page_info: PageInfo = derived("The position of the page among all nodes.")
    emptied_by: tuple[FilterField, ...] = derived(
        "If no work is selected: the filters that excluded the existing ones."
    )
    dates: Mapping[str, PartialDate] = field(default_factory=dict, compare=False)
    """The dates of the root and of the works at the ends of edges."""

    @classmethod
    def of(cls, reader: Reader, lineage: Lineage, selection: Selection = EVERYTHING) -> Self:
        """Return the view of a lineage whose edges were selected by `selection`.

        Behind it are the papers of its statements, and those that introduce its works.
        """
        nodes = [node.work for node in lineage.nodes]
        known = {node.work.id: node.published for node in lineage.nodes}
        works = {
            **broader_works(reader, nodes),
            **reader.works(works_of_edges(lineage.edges)),
            **_introducing(reader, [lineage.root, *nodes]),
            **{work.id: work for work in (lineage.root, *nodes)},
        }
        ends = {end for edge in lineage.edges for end in (edge.child, edge.parent)}
        others = reader.published({lineage.root.id, *ends} - known.keys())
        return cls(
            model=lineage,
            named=works,
            selection=selection,
            dates={**{id_: date for id_, date in known.items() if date}, **others},
        )

    def _page_info(self) -> PageInfo:
        lineage, starts_late = self.model, self.selection.after is not None
        page: Page[Any] = Page((), lineage.total, lineage.truncated, starts_late)
        return PageInfo(model=page, cursors=[node.cursor for node in lineage.nodes])

    @property
    def end_cursor(self) -> str | None:
        """The cursor of the next page, if there is one."""
        return self.model.end_cursor

    def to_svg(self) -> str:
        """Return a picture: older works left, later ones right, sentences where one points."""
        from stemma.server.web.notebook import svg_of  # noqa: PLC0415 - for notebooks

        return svg_of(self)

    def to_networkx(self) -> "DiGraph[str]":
        """Return the lineage as a directed graph of ids: see `stemma.graph.Lineage`."""
        return self.model.to_networkx()

    def __str__(self) -> str:
        more = ", and more" if self.end_cursor else ""
        if self.emptied_by:
            more = f", all excluded by {' and '.join(each.lower() for each in self.emptied_by)}"
        return (
            f"lineage of {self.root}: "
            f"{quantity(len(self.nodes), self.direction.value[:-1])}, "
            f"{quantity(len(self.edges), 'edge')}{more}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each edge, with the dates of both works and the depth of the later."""
        depths = {node.work.id: node.depth for node in self.nodes}
        return [
            {
                **row,
                "child_published": _text(self.dates.get(edge.child.id)),
                "parent_published": _text(self.dates.get(edge.parent.id)),
                "depth": max(depths.get(edge.child.id, 0), depths.get(edge.parent.id, 0)),
            }
            for edge in self.edges
            for row in edge.to_rows()
        ]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return (*EdgeView.columns(), "child_published", "parent_published", "depth")


def _introducing(reader: Reader, works: Iterable[Work]) -> dict[str, Work]:
    """Return the papers that introduce entities."""
    entities = [work.id for work in works if work.id.startswith(ENTITY)]
    papers = reader.papers_naming(entities, [RelationType.INTRODUCES])
    return reader.works(set(chain.from_iterable(papers.values())))


def _text(date: PartialDate | None) -> str | None:
    return str(date) if date else None
