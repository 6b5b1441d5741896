"""Lineages as GraphQL types."""

import strawberry

from stemma.graph import Lineage as ModelLineage
from stemma.graph import LineageEdge as ModelEdge
from stemma.schema import PartialDate, RelationType
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.works import Statement, Work, show


@strawberry.type(description="A work on a lineage.")
class LineageNode:
    """A work on a lineage."""

    work: Work = strawberry.field(description="The work.")
    depth: int = strawberry.field(description="How many steps it is from the root, from 1.")
    published: PartialDate | None = strawberry.field(
        description="An entity is published with the first paper that introduces it."
    )


@strawberry.type(description="The child derives from the parent; unique by these two.")
class LineageEdge:
    """The child derives from the parent."""

    model: strawberry.Private[ModelEdge]

    @strawberry.field(description="The later work.")
    async def child(self, info: StemmaInfo) -> Work:
        """Return the work that derives."""
        return show(await info.context.works.load(self.model.child))

    @strawberry.field(description="The earlier work.")
    async def parent(self, info: StemmaInfo) -> Work:
        """Return the work that it derives from."""
        return show(await info.context.works.load(self.model.parent))

    @strawberry.field(description="BUILDS_ON, IMPROVES_ON, or both.")
    def relations(self) -> list[RelationType]:
        """Return the relations that make the edge."""
        return list(self.model.relations)

    @strawberry.field(description="1 - Π(1 - c) over the papers that say so.")
    def confidence(self) -> float:
        """Return the confidence of the edge."""
        return self.model.confidence

    @strawberry.field(description="True where the parent was published after the child.")
    def anachronism(self) -> bool:
        """Tell whether the dates speak against the edge."""
        return self.model.anachronism

    @strawberry.field(description="What says so, with its sentences, the surest first.")
    def statements(self) -> list[Statement]:
        """Return the statements behind the edge."""
        return [Statement(model=each) for each in self.model.statements]


@strawberry.type(description="What came of a work, or what it came from.")
class Lineage:
    """What came of a work, or what it came from."""

    root: Work = strawberry.field(description="The work that was asked for.")
    nodes: list[LineageNode] = strawberry.field(description="By depth, date and id.")
    edges: list[LineageEdge] = strawberry.field(
        description="Those among the root and the nodes returned."
    )
    truncated: bool = strawberry.field(description="Whether more nodes follow `endCursor`.")
    end_cursor: str | None = strawberry.field(description="Give it as `after` to go on.")

    @classmethod
    def of(cls, model: ModelLineage) -> "Lineage":
        """Show `model`."""
        return cls(
            root=show(model.root),
            nodes=[
                LineageNode(work=show(node.work), depth=node.depth, published=node.published)
                for node in model.nodes
            ],
            edges=[LineageEdge(model=edge) for edge in model.edges],
            truncated=model.truncated,
            end_cursor=model.end_cursor,
        )
