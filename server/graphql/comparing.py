"""Two works side by side, as a GraphQL field."""

import strawberry

from stemma.graph.comparing import Aspect, Side
from stemma.graph.comparing import SharedAndOwn as ModelSharedAndOwn
from stemma.graph.comparing import SideBySide as ModelSideBySide
from stemma.graph.comparing import compare as compare_works
from stemma.schema import Entity as ModelEntity
from stemma.schema import PartialDate
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.path import WorkArgument
from stemma.server.graphql.works import WHEN_PUBLISHED, Entity, Paper, Statement, Work, show

COMPARE = (
    "Two works side by side: what they share, what only one of them has, how they are related, "
    "and what their papers say about each other."
)


@strawberry.type(description="One of two works that are compared.")
class ComparedWork:
    """One of two works that are compared."""

    work: Work = strawberry.field(description="The work.")
    published: PartialDate | None = strawberry.field(description=WHEN_PUBLISHED)
    papers: list[Paper] = strawberry.field(
        description="Its papers: those that introduce it, or the paper itself."
    )

    @classmethod
    def of(cls, context: Context, model: Side) -> "ComparedWork":
        return cls(
            work=show(context, model.work),
            published=model.published,
            papers=[Paper.of(context, each) for each in model.papers],
        )


@strawberry.type(description="What two works share, and what only one of them has, by name.")
class SharedAndOwn:
    """What two works have both, and what each has alone."""

    shared: list[Entity] = strawberry.field(description="What both share.")
    left: list[Entity] = strawberry.field(description="What only the left one has.")
    right: list[Entity] = strawberry.field(description="What only the right one has.")

    @classmethod
    def of(cls, context: Context, model: ModelSharedAndOwn[ModelEntity]) -> "SharedAndOwn":
        return cls(
            shared=[Entity.of(context, each) for each in model.shared],
            left=[Entity.of(context, each) for each in model.left],
            right=[Entity.of(context, each) for each in model.right],
        )


@strawberry.type(description="A comparison of two works, by what their papers name.")
class SideBySide:
    """Two works side by side."""

    left: ComparedWork = strawberry.field(description="The left work.")
    right: ComparedWork = strawberry.field(description="The right work.")
    hardware: SharedAndOwn = strawberry.field(description="The hardware of both.")
    frameworks: SharedAndOwn = strawberry.field(description="The software of both.")
    techniques: SharedAndOwn = strawberry.field(description="The methods of both.")
    models: SharedAndOwn = strawberry.field(description="The models of both.")
    datasets: SharedAndOwn = strawberry.field(description="The data and benchmarks of both.")
    baselines: SharedAndOwn = strawberry.field(description="The baselines of both.")
    lineage: list[LineageEdge] = strawberry.field(
        description="The shortest path from the left to the right over the lineage; empty if none."
    )
    statements: list[Statement] = strawberry.field(
        description="What the papers of each say about the other, by confidence; comparisons "
        "with their result."
    )
    compared_by: list[Paper] = strawberry.field(description="The papers that compare with both.")

    @classmethod
    def of(cls, context: Context, model: ModelSideBySide) -> "SideBySide":
        context.fetch_ends(model.statements)
        return cls(
            left=ComparedWork.of(context, model.left),
            right=ComparedWork.of(context, model.right),
            hardware=SharedAndOwn.of(context, model.aspects[Aspect.HARDWARE]),
            frameworks=SharedAndOwn.of(context, model.aspects[Aspect.FRAMEWORKS]),
            techniques=SharedAndOwn.of(context, model.aspects[Aspect.TECHNIQUES]),
            models=SharedAndOwn.of(context, model.aspects[Aspect.MODELS]),
            datasets=SharedAndOwn.of(context, model.aspects[Aspect.DATASETS]),
            baselines=SharedAndOwn.of(context, model.aspects[Aspect.BASELINES]),
            lineage=edges_of(context, model.lineage.edges),
            statements=[Statement.of(context, each) for each in model.statements],
            compared_by=[Paper.of(context, each) for each in model.compared_by],
        )


def compare(info: StemmaInfo, left: WorkArgument, right: WorkArgument) -> SideBySide:
    """Put two works side by side."""
    reader = info.context.reader
    found = compare_works(reader, reader.resolve(left), reader.resolve(right))
    return SideBySide.of(info.context, found)
