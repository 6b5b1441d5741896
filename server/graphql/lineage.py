"""Lineages as GraphQL types."""

from collections.abc import Iterable
from typing import cast

import strawberry

from stemma.graph import Lineage as ModelLineage
from stemma.graph import LineageEdge as ModelEdge
from stemma.graph.filters import WHOLE_LINEAGE, LineageFilter
from stemma.graph.selection import Selection
from stemma.schema import PartialDate
from stemma.server.graphql.context import Context
from stemma.server.graphql.of_view import Shown, of_view, show_view
from stemma.server.views.edge import EdgeView
from stemma.server.views.edge import RelationConfidence as RelationConfidenceView
from stemma.server.views.lineage import LineageView, NodeView
from stemma.server.views.work import WHEN_PUBLISHED


@of_view(NodeView)
class LineageNode(Shown):
    """A work on a lineage."""

    @strawberry.field(description=WHEN_PUBLISHED, deprecation_reason="Use `published` of the work.")
    def published(self) -> PartialDate | None:
        return self.view.work.published  # type: ignore[no-any-return]


@of_view(RelationConfidenceView)
class RelationConfidence(Shown):
    """The confidence of one relation of an edge alone."""


@of_view(EdgeView, sizes={"confidences": 2, "statements": 2})
class LineageEdge(Shown):
    """An edge of a lineage."""


@of_view(LineageView)
class Lineage(Shown):
    """The descendants or ancestors of a work."""

    @classmethod
    def of(cls, context: Context, model: ModelLineage, selection: Selection) -> "Lineage":
        """Show a lineage, with the works of its edges read where the query asks for them."""
        context.learn((model.root, *(node.work for node in model.nodes)))
        _fetch(context, model.edges)
        view = LineageView.unnamed(
            model,
            selection.edges,
            edges="edges" in context.asked,
            statements="statements" in context.asked,
        )
        return cast(Lineage, show_view(context, view))


def edges_of(
    context: Context, edges: Iterable[ModelEdge], filter: LineageFilter = WHOLE_LINEAGE
) -> list[LineageEdge]:
    """Show edges that were selected by a filter."""
    listed = list(edges)
    _fetch(context, listed)
    return [cast(LineageEdge, show_view(context, EdgeView.of(each, {}, filter))) for each in listed]


def _fetch(context: Context, edges: Iterable[ModelEdge]) -> None:
    """Read the works at the ends of edges and of their statements, if the query asks for them."""
    if context.asked & {"child", "parent"}:
        context.works.fetch(end for edge in edges for end in (edge.child, edge.parent))
    context.fetch_ends(each for edge in edges for each in edge.statements)
