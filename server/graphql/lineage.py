"""Lineages as GraphQL types."""

from collections.abc import Iterable

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import FilterField, LineageFilter
from stemma.graph import Lineage as ModelLineage
from stemma.graph import LineageEdge as ModelEdge
from stemma.graph import LineageNode as ModelNode
from stemma.graph.filters import WHOLE_LINEAGE
from stemma.schema import PartialDate, RelationType
from stemma.server.graphql.context import Context
from stemma.server.graphql.list_size import some
from stemma.server.graphql.own_field import own_field
from stemma.server.graphql.works import WHEN_PUBLISHED, Statement, Work, show, shown


@strawberry.type(description="A work on a lineage.")
class LineageNode:
    """A work on a lineage."""

    work: Work = strawberry.field(description="The work.")
    depth: int = strawberry.field(description="The number of steps from the root, from 1.")
    published: PartialDate | None = strawberry.field(description=WHEN_PUBLISHED)

    @classmethod
    def of(cls, context: Context, model: ModelNode) -> "LineageNode":
        return cls(work=show(context, model.work), depth=model.depth, published=model.published)


@strawberry.type(description="A relation of an edge, and its confidence.")
class RelationConfidence:
    """A relation of an edge, and its confidence."""

    relation: RelationType = strawberry.field(description="Such as BUILDS_ON.")
    confidence: float = strawberry.field(
        description="1 - Π(1 - c) over the papers that state this relation."
    )


@strawberry.type(description="The child derives from the parent. There is one edge for each pair.")
class LineageEdge:
    """The child derives from the parent."""

    context: strawberry.Private[Context]
    model: strawberry.Private[ModelEdge]
    id: strawberry.ID = strawberry.field(
        description="Made of the ids of child and parent, and of the filters by which the edge was "
        "found: edges with the same id have the same statements, until the graph changes."
    )
    relations: list[RelationType] = strawberry.field(
        description="BUILDS_ON, IMPROVES_ON, or both; on a path also COMPARES_WITH."
    )
    confidence: float = strawberry.field(
        description="1 - Π(1 - c) over the papers that support it."
    )
    anachronism: bool = strawberry.field(
        description="True where the parent was published after the child."
    )

    @classmethod
    def of(
        cls, context: Context, model: ModelEdge, filter: LineageFilter = WHOLE_LINEAGE
    ) -> "LineageEdge":
        return cls(
            context=context,
            model=model,
            id=_edge_id(model, filter),
            relations=list(model.relations),
            confidence=model.confidence,
            anachronism=model.anachronism,
        )

    @own_field(description="The confidence of each relation.", directives=(some(2),))
    def confidences(self) -> list[RelationConfidence]:
        return [
            RelationConfidence(relation=relation, confidence=confidence)
            for relation, confidence in self.model.confidences.items()
        ]

    @own_field(graphql_type=Work, description="The later work.")
    def child(self) -> AwaitableOrValue[Work]:
        return shown(self.context, self.model.child)

    @own_field(graphql_type=Work, description="The earlier work.")
    def parent(self) -> AwaitableOrValue[Work]:
        return shown(self.context, self.model.parent)

    @own_field(
        description="The statements that support it, with their sentences, by confidence.",
        directives=(some(2),),
    )
    def statements(self) -> list[Statement]:
        return [Statement.of(self.context, each) for each in self.model.statements]


def _edge_id(edge: ModelEdge, filter: LineageFilter) -> strawberry.ID:
    """Return an id that a client can keep an edge by.

    An edge that is filtered has another confidence and fewer statements, and so another id.
    """
    compared = RelationType.COMPARES_WITH in edge.relations
    relations = sorted(filter.relations)
    parts = {
        "relations": ",".join([RelationType.COMPARES_WITH] if compared else relations),
        "minConfidence": f"{filter.min_confidence:g}" if filter.min_confidence else "",
        "includeCatalogue": "" if filter.include_catalogue else "false",
        "asOf": str(filter.as_of or ""),
    }
    filtered = "&".join(f"{name}={value}" for name, value in parts.items() if value)
    return strawberry.ID(f"edge/{edge.child}/{edge.parent}{'?' * bool(filtered)}{filtered}")


def edges_of(
    context: Context, models: Iterable[ModelEdge], filter: LineageFilter = WHOLE_LINEAGE
) -> list[LineageEdge]:
    """Show edges, with the works at their ends read where the query asks for them.

    `filter` is the one by which they were found.
    """
    edges = list(models)
    if context.asked & {"child", "parent"}:
        context.works.fetch(end for edge in edges for end in (edge.child, edge.parent))
    context.fetch_ends(each for edge in edges for each in edge.statements)
    return [LineageEdge.of(context, edge, filter) for edge in edges]


@strawberry.type(description="The descendants or ancestors of a work.")
class Lineage:
    """The descendants or ancestors of a work."""

    root: Work = strawberry.field(description="The requested work.")
    nodes: list[LineageNode] = strawberry.field(description="In the requested order.")
    edges: list[LineageEdge] = strawberry.field(
        description="Each edge is on the page of its later node, so that it occurs exactly once "
        "across all pages."
    )
    truncated: bool = strawberry.field(
        description="Whether there are more nodes after `endCursor`."
    )
    end_cursor: str | None = strawberry.field(description="Pass it as `after` for the next page.")
    emptied_by: list[FilterField] = strawberry.field(
        description="If no work is found: the filters that excluded the existing ones."
    )

    @classmethod
    def of(cls, context: Context, model: ModelLineage, filter: LineageFilter) -> "Lineage":
        context.learn((model.root, *(node.work for node in model.nodes)))
        return cls(
            root=show(context, model.root),
            nodes=[LineageNode.of(context, node) for node in model.nodes],
            edges=edges_of(context, model.edges, filter),
            truncated=model.truncated,
            end_cursor=model.end_cursor,
            emptied_by=list(model.emptied_by),
        )
