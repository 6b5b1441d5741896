"""Statements and lineages as GraphQL types: as a graph, and as what hangs on a work."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import strawberry

from stemma.graph import Lineage as ModelLineage
from stemma.graph import LineageDirection, Page, Reader, trace
from stemma.graph import LineageEdge as ModelEdge
from stemma.graph.lineage import traverse
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema import Statement as ModelStatement
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.objects import (
    AnyConnection,
    Connection,
    LazyWork,
    Level,
    Node,
    Shown,
    edges_field,
    level_field,
    of_view,
    selected_field,
    view_field,
)
from stemma.server.views.lineage import LineageView
from stemma.server.views.statement import EdgeView, StatementView

if TYPE_CHECKING:
    from stemma.server.graphql.works import Work


@of_view(StatementView)
class Statement(Shown, Node):
    """A work has a relation to an entity."""

    paper = view_field(StatementView, "paper")


StatementConnection = Connection[Statement]


def statement_connection(
    level: Level, below: Level, page: Page[ModelStatement], count: Callable[[], int] | None = None
) -> StatementConnection:
    """Show a page of statements, with these `below` its level; `count`: see `AnyConnection`."""
    return Connection(
        level=level,
        nodes=below.views(StatementView(model=item) for item in page.items),
        cursor=attrgetter("view.id"),
        page=page,
        count=count,
    )


@of_view(EdgeView)
class LineageEdge(Shown, Node):
    """An edge of a lineage."""


@of_view(LineageView)
class Lineage(Shown):
    """The descendants or ancestors of a work."""


def _lineage_edges(context: Context, edges: list["LineageConnectionEdge"]) -> list[LineageEdge]:
    return Level(context).views(edge.view for edge in edges)


@strawberry.type(description="A work on a page of descendants or ancestors.")
class LineageConnectionEdge(Shown):
    """A work on a page of descendants or ancestors.

    It has no id: caches of clients would take the two ends of an edge for one object.
    """

    cursor: str = strawberry.field(description="Pass it as `after`.")
    depth: int = strawberry.field(description="The number of steps from the root, from 1.")
    node: LazyWork = strawberry.field(description="The work.")
    lineage_edge = level_field(
        "The edge to a work nearer to the root: of several, the one with the highest confidence.",
        _lineage_edges,
        LineageEdge,
    )


@strawberry.type(description="The descendants or ancestors of a work, the nearest first.")
class LineageConnection(AnyConnection):
    """A page of the descendants or ancestors of a work, with the edges that lead to them."""

    nodes: list[LazyWork] = strawberry.field(description="The works.")
    edges = edges_field("The works, each with its edge.", list[LineageConnectionEdge])
    steps: strawberry.Private[Mapping[str, tuple[int, EdgeView]]]
    """The depth of works (ids), and their edges towards the root."""

    def edge(self, level: Level, cursor: str, node: "Work") -> LineageConnectionEdge:
        depth, view = self.steps[node.model.id]
        return LineageConnectionEdge(level=level, view=view, cursor=cursor, depth=depth, node=node)


def lineage_field(description: str, direction: LineageDirection) -> Any:
    """Make a field of works that pages through their lineage in a direction."""

    @selected_field(
        description,
        *("max_depth", "relations", "min_confidence", "include_catalogue", "include_general"),
        *("as_of", "first", "after"),
    )
    def related(self: Any, info: StemmaInfo, selection: Selection) -> LineageConnection:
        context, chosen = info.context, selection.changed(direction=direction)
        lineage = trace(context.reader, self.model.id, chosen)
        learn_lineage(context, lineage)
        towards = _edges_towards_the_root(context, lineage, chosen)
        by_id = {node.work.id: node for node in lineage.nodes}
        return LineageConnection(
            level=Level(context),
            nodes=Level(context).works(node.work for node in lineage.nodes),
            cursor=lambda work: by_id[work.model.id].cursor,
            page=Page((), lineage.total, lineage.truncated, selection.after is not None),
            steps={
                id_: (by_id[id_].depth, EdgeView(model=edge, selection=chosen))
                for id_, edge in towards.items()
            },
        )

    return related


def _edges_towards_the_root(
    context: Context, found: ModelLineage, selection: Selection
) -> dict[str, ModelEdge]:
    """Return the edge of each work on a page that leads to a work one step nearer to the root.

    Of several, that with the highest confidence.
    """
    depths = {found.root.id: 0}
    if selection.after and found.nodes:  # What is nearer may be on an earlier page.
        nearer = selection.changed(max_depth=found.nodes[0].depth)
        depths = traverse(context.reader, found.root.id, nearer).depths
    depths |= {node.work.id: node.depth for node in found.nodes}
    towards: dict[str, ModelEdge] = {}
    for edge in sorted(found.edges, key=lambda edge: edge.confidence):
        far, near = edge.child, edge.parent
        if found.direction is LineageDirection.ANCESTORS:
            far, near = near, far
        if far in depths and depths.get(near) == depths[far] - 1:
            towards[far] = edge
    return towards


def edges_of(
    context: Context, edges: Iterable[ModelEdge], selection: Selection = EVERYTHING
) -> list[LineageEdge]:
    """Show edges that were selected by a filter."""
    return Level(context).views(EdgeView(model=edge, selection=selection) for edge in edges)


def learn_lineage(context: Context, found: ModelLineage) -> None:
    """Keep the works of a lineage, and their dates."""
    works = (found.root, *(node.work for node in found.nodes))
    context.learn(Reader.works, {work.id: work for work in works})
    context.learn(Reader.published, {node.work.id: node.published for node in found.nodes})
